package dev.jitney.cluster.ratis;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URL;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.LongSupplier;
import java.util.zip.Checksum;
import org.apache.ratis.util.PureJavaCrc32C;
import org.junit.jupiter.api.Test;

/** The checksum of Ratis' log by the JDK, in place of the one of Ratis (docs/adr/0029). */
class ReplacedChecksumTest {
    private static final String NAME = "org/apache/ratis/util/PureJavaCrc32C.class";

    /** The check value of CRC-32C in the catalog of CRC algorithms: that of the digits 1 to 9. */
    private static final long CHECK = 0xE3069283L;

    @Test
    void theClassOfThisModuleIsFoundBeforeTheOneOfRatis() throws Exception {
        List<URL> found = Collections.list(getClass().getClassLoader().getResources(NAME));

        assertThat(found).as("If Ratis has no such class any more, remove ours").hasSize(2);
        assertThat(found.get(0).toString()).doesNotContain("ratis-common");
        assertThat(found.get(1).toString()).contains("ratis-common");
        assertThat(PureJavaCrc32C.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toString())
                .doesNotContain("ratis-common");
    }

    @Test
    void itIsTheSameFunctionAsTheOneOfRatis() throws Exception {
        PureJavaCrc32C own = new PureJavaCrc32C();
        byte[] digits = "123456789".getBytes(StandardCharsets.US_ASCII);
        own.update(digits, 0, digits.length);
        assertThat(own.getValue()).isEqualTo(CHECK);

        Checksum ratis = (Checksum) new OfRatis()
                .loadClass(PureJavaCrc32C.class.getName())
                .getConstructor()
                .newInstance();
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < 500; i++) {
            byte[] bytes = new byte[random.nextInt(5_000)];
            random.nextBytes(bytes);
            int from = bytes.length == 0 ? 0 : random.nextInt(bytes.length);
            own.reset();
            ratis.reset();
            ratis.update(bytes, from, bytes.length - from);
            own.update(bytes, from, bytes.length - from);
            same(own::getValue, ratis, seed);
            int next = random.nextInt(256);
            own.update(next);
            ratis.update(next);
            same(own::getValue, ratis, seed);
            ratis.reset();
            ratis.update(bytes, from, bytes.length - from);
            own.reset();
            own.update(ByteBuffer.wrap(bytes, from, bytes.length - from));
            same(own::getValue, ratis, seed);
            own.reset();
            ByteBuffer direct = ByteBuffer.allocateDirect(bytes.length);
            direct.put(bytes).position(from);
            own.update(direct);
            same(own::getValue, ratis, seed);
        }
    }

    private static void same(LongSupplier own, Checksum ratis, long seed) {
        assertThat(own.getAsLong()).as("seed %d", seed).isEqualTo(ratis.getValue());
    }

    /** Finds the class of Ratis, which ours hides. */
    private static final class OfRatis extends ClassLoader {
        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.equals(PureJavaCrc32C.class.getName())) {
                return super.loadClass(name, resolve);
            }
            try {
                List<URL> found = Collections.list(
                        ReplacedChecksumTest.class.getClassLoader().getResources(NAME));
                byte[] bytes = found.get(found.size() - 1).openStream().readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }
}
