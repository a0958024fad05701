package dev.jitney.architecture;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The directories of the source tree that contains this module. */
final class SourceTree {
    private static final Path MAIN_SOURCES = Path.of("src", "main", "java");

    private SourceTree() {}

    /** Returns the top directory. Maven runs tests in the directory of their module. */
    static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("jitney"))) {
            folder = folder.getParent();
        }
        return folder;
    }

    /** Returns the directories of all modules with main code, including those under {@code testing} and {@code testkit}. */
    static List<Path> modules() throws IOException {
        List<Path> modules = new ArrayList<>();
        for (Path parent : List.of(root(), root().resolve("testing"), root().resolve("testkit"))) {
            try (Stream<Path> folders = Files.list(parent)) {
                folders.filter(folder -> Files.exists(folder.resolve("pom.xml")))
                        .filter(folder -> Files.isDirectory(folder.resolve(MAIN_SOURCES)))
                        .sorted()
                        .forEach(modules::add);
            }
        }
        return modules;
    }

    /** Returns the Java files of a module's main code. */
    static List<Path> mainSources(Path module) throws IOException {
        try (Stream<Path> files = Files.walk(module.resolve(MAIN_SOURCES))) {
            return files.filter(file -> file.toString().endsWith(".java")).toList();
        }
    }

    /** Returns the package of a file in a module's main code. */
    static String packageOf(Path module, Path source) {
        Path folder = module.resolve(MAIN_SOURCES).relativize(source).getParent();
        return folder.toString().replace('\\', '/').replace('/', '.');
    }
}
