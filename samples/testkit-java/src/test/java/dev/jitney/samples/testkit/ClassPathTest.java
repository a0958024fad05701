package dev.jitney.samples.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jitney.testkit.JitneyBroker;
import dev.jitney.testkit.JitneyException;
import io.netty.util.Version;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The libraries of the broker do not meet those of the application. */
class ClassPathTest {

    @Test
    void hasTheNettyOfTheSdkAndNoClassOfTheBroker() {
        try (JitneyBroker broker = JitneyBroker.start()) {
            assertTrue(broker.port() > 0);
            Set<String> versions = new TreeSet<>();
            Version.identify().values().forEach(version -> versions.add(version.artifactVersion().substring(0, 4)));
            assertEquals(Set.of("4.1."), versions);
            for (String name : List.of(
                    "dev.jitney.server.JitneyServer",
                    "ch.qos.logback.classic.Logger",
                    "io.vertx.core.Vertx",
                    "org.rocksdb.RocksDB")) {
                assertThrows(ClassNotFoundException.class, () -> Class.forName(name));
            }
        }
    }

    @Test
    void namesTheDependencyThatFilesNeed(@TempDir Path dir) {
        JitneyException refused = assertThrows(
                JitneyException.class,
                () -> JitneyBroker.builder().files(dir.resolve("data")).start());

        assertTrue(refused.getMessage().contains("Add the dependency org.rocksdb:rocksdbjni"), refused.getMessage());
    }

    @Test
    void hasTheJarsOfTheKitOnly() {
        List<String> jars = List.of(System.getProperty("java.class.path").split(System.getProperty("path.separator")));

        assertEquals(
                3,
                jars.stream()
                        .filter(jar -> jar.matches(".*[/\\\\]jitney-[a-z-]+-[0-9.]+\\.jar"))
                        .count(),
                jars.toString());
    }
}
