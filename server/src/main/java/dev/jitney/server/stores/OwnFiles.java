package dev.jitney.server.stores;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A check of the files that the server keeps beside its stores. It changes nothing. */
public final class OwnFiles {
    private OwnFiles() {}

    /** Returns a sentence for each file of a data directory that cannot be read. */
    public static List<String> damages(Path dataDir) {
        List<String> damages = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(dataDir, "*.properties")) {
            for (Path file : files) {
                try {
                    PropertyFile.read(file);
                } catch (StoresException e) {
                    damages.add(String.valueOf(e.getMessage()));
                }
            }
            StoreSet.read(dataDir);
        } catch (StoresException e) {
            if (!damages.contains(String.valueOf(e.getMessage()))) {
                damages.add(String.valueOf(e.getMessage()));
            }
        } catch (IOException e) {
            damages.add("The files in " + dataDir + " cannot be read: " + e);
        }
        return damages;
    }
}
