package dev.jitney.server.doctor.check;

import dev.jitney.server.doctor.Check;
import dev.jitney.server.doctor.Findings;
import dev.jitney.server.doctor.Installation;
import dev.jitney.server.stores.OwnFiles;
import dev.jitney.store.rocksdb.check.StoreFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The checksums of the files with data: those of all blocks in table files, of all commits in logs, and of the server's own files. It
 * also works while a server runs. The largest files are last, because the time may end before them.
 */
final class DataCheck implements Check {
    @Override
    public String name() {
        return "data";
    }

    @Override
    public void run(Installation of, Findings to) throws IOException, InterruptedException {
        Path data = of.dataDir();
        if (data == null) {
            to.ok("Everything is in memory.");
            return;
        }
        if (!Files.isDirectory(data)) {
            to.ok("There is no data yet.");
            return;
        }
        for (String damage : OwnFiles.damages(data)) {
            to.fault(damage, "Stop the server, and restore the file from a backup.");
        }
        long files = 0;
        long bytes = 0;
        for (Path store : of.stores()) {
            if (!Files.isDirectory(store)) {
                if (Files.exists(data.resolve("stores.properties"))) {
                    to.fault("The store " + store + " is missing.", "Mount its disk, or restore its directory.");
                }
                continue;
            }
            StoreFiles checked = StoreFiles.check(store, !of.process().running());
            files += checked.files();
            bytes += checked.bytes();
            for (String damage : checked.damages()) {
                to.fault(damage, "Stop the server, and restore the store from a backup (docs/guides/stores.md).");
            }
        }
        if (to.isClean()) {
            to.ok("The checksums of " + files + " files with " + Sizes.of(bytes) + " are right.");
        }
    }
}
