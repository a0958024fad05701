package dev.jitney.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.crash.support.Interposed;
import dev.jitney.testing.process.ServerProcess;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that the durability marker of a store ({@code jitney.synced}) is on the disk before the server relies on it. */
final class SyncedNoteTest {
    @TempDir
    Path directory;

    @Test
    @DisplayName(
            "MSG-1: at every start the durability marker and its directory are synced before a server acknowledges messages")
    void syncedAtTheStart() throws Exception {
        Interposed system = Interposed.compile(directory);
        for (int start = 0; start < 2; start++) {
            try (ServerProcess server = ServerProcess.start(options(system))) {
                // No client has connected yet, so no message was acknowledged.
                assertThat(system.synced()).as("synced by start %d", start).contains(note());
                List<Path> after = after(system.synced(), note());
                assertThat(after).as("synced after the marker was created").contains(store());
                server.kill();
            }
            system.forgetSynced();
        }
    }

    @Test
    @DisplayName("MSG-1: a stop syncs the durability marker before the tables stop using the log")
    void syncedBeforeTheLogGoes() throws Exception {
        Interposed system = Interposed.compile(directory);
        try (ServerProcess server = ServerProcess.start(options(system))) {
            system.forgetSynced();
            server.terminate();
        }
        List<Path> synced = system.synced();
        assertThat(after(synced, note())).as("synced after the marker").anyMatch(SyncedNoteTest::isManifest);
    }

    private static boolean isManifest(Path file) {
        return file.getFileName().toString().startsWith("MANIFEST-");
    }

    private static List<Path> after(List<Path> all, Path file) {
        assertThat(all).contains(file);
        return all.subList(all.indexOf(file) + 1, all.size());
    }

    private ServerProcess.Options options(Interposed system) {
        return system.around(new ServerProcess.Options(directory.resolve("data"))
                .java("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    }

    private Path store() {
        return directory.resolve("data/store-0");
    }

    private Path note() {
        return store().resolve("jitney.synced");
    }
}
