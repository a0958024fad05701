package dev.jitney.fuzz.target;

import dev.jitney.fuzz.engine.FuzzTarget;
import dev.jitney.server.backup.BackupException;
import dev.jitney.server.backup.Manifest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/**
 * The first line of a backup's manifest, which gets the right checksum. It is refused in one line, or it has only files below the
 * directory of its store.
 */
public final class BackupManifestTarget implements FuzzTarget {
    private static final String[] NAMES = {
        "\"commits\"",
        "\"db/CURRENT\"",
        "\"db/000017.sst\"",
        "\"../x\"",
        "\"db/../../x\"",
        "\"/etc/passwd\"",
        "\"db/\\u0000\"",
        "\"db/..\"",
        "\"C:\\\\x\"",
        "null",
        "7"
    };
    private static final String[] NUMBERS = {
        "0", "1", "-1", "16", "9223372036854775807", "9223372036854775808", "1e400", "1.5", "\"1\"", "null", "[]", "{}"
    };
    private static final Path STORE = Path.of("/restored/store-0");

    @Override
    public String name() {
        return "backup";
    }

    @Override
    public byte[] generate(Random random) {
        StringBuilder out = new StringBuilder("{\"version\":1,\"id\":\"20261128T184500123Z\",\"moment\":");
        out.append(one(random, NUMBERS))
                .append(",\"program\":\"0.4.0\",\"newBytes\":")
                .append(one(random, NUMBERS));
        out.append(",\"stores\":[{\"log\":\"17\",\"lastCommit\":")
                .append(one(random, NUMBERS))
                .append(",\"files\":[");
        file(out, "\"commits\"", "0");
        out.append(',');
        file(out, "\"db/CURRENT\"", "16");
        for (int i = random.nextInt(3); i > 0; i--) {
            out.append(',');
            file(out, one(random, NAMES), one(random, NUMBERS));
        }
        return out.append("]}]}").toString().getBytes(StandardCharsets.UTF_8);
    }

    private static void file(StringBuilder out, String name, String bytes) {
        out.append("{\"name\":").append(name).append(",\"bytes\":").append(bytes);
        out.append(",\"sha256\":\"").append("0a".repeat(32)).append("\"}");
    }

    private static String one(Random random, String[] of) {
        return of[random.nextInt(of.length)];
    }

    @Override
    public void run(byte[] input) {
        try {
            Manifest manifest = Manifest.parse(signed(input));
            for (Manifest.Store store : manifest.stores()) {
                for (Manifest.File file : store.files()) {
                    if (!STORE.resolve(file.name()).normalize().startsWith(STORE)) {
                        throw new AssertionError("Expected files of the store, but got " + file.name());
                    }
                }
            }
        } catch (BackupException refused) {
            String line = refused.getMessage();
            if (line == null || line.isBlank() || line.contains("\n")) {
                throw new AssertionError("Expected one line that describes the error, but got: " + line);
            }
        }
    }

    private static byte[] signed(byte[] line) {
        try {
            String sum = HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(line));
            byte[] end = ("\n" + sum + "\n").getBytes(StandardCharsets.US_ASCII);
            byte[] whole = Arrays.copyOf(line, line.length + end.length);
            System.arraycopy(end, 0, whole, line.length, end.length);
            return whole;
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-256 is a part of every Java", e);
        }
    }

    @Override
    public List<byte[]> words() {
        return Stream.concat(Stream.of(NAMES), Stream.of(NUMBERS))
                .map(word -> word.getBytes(StandardCharsets.UTF_8))
                .toList();
    }
}
