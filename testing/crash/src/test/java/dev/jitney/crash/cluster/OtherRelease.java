package dev.jitney.crash.cluster;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Another release of the server on this machine. */
final class OtherRelease {
    private static final String LIBRARY = "jitney-server-";

    private OtherRelease() {}

    /**
     * Returns the class path of its server.
     *
     * @param folder an unpacked archive or an installed package, or a built clone of the repository
     * @throws IOException if it is none of these
     */
    static String classPath(Path folder) throws IOException {
        Path dependencies = folder.resolve("server/target/classpath.txt");
        if (Files.exists(dependencies)) {
            List<Path> own = jars(folder.resolve("server/target"));
            if (own.size() == 1) {
                return own.get(0)
                        + File.pathSeparator
                        + Files.readString(dependencies).strip();
            }
        }
        Path library = folder.resolve("lib");
        if (Files.isDirectory(library) && !jars(library).isEmpty()) {
            return library + File.separator + "*";
        }
        throw new IOException("Expected a release of Jitney in " + folder + ": a folder with lib/" + LIBRARY
                + "*.jar, or a clone after ./jitney build.");
    }

    private static List<Path> jars(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.getFileName()
                            .toString()
                            .matches(LIBRARY + "[0-9][0-9A-Za-z.-]*?(?<!-tests|-sources|-javadoc)\\.jar"))
                    .toList();
        }
    }
}
