package dev.jitney.architecture;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The folders of the tree that this module is a part of. */
final class SourceTree {
    private static final Path MAIN_SOURCES = Path.of("src", "main", "java");

    private SourceTree() {}

    /** The top of the tree: Maven runs tests in the folder of their module. */
    static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("jitney"))) {
            folder = folder.getParent();
        }
        return folder;
    }

    /** The folders of all modules that have main code, also of those under {@code testing}. */
    static List<Path> modules() throws IOException {
        List<Path> modules = new ArrayList<>();
        for (Path parent : List.of(root(), root().resolve("testing"))) {
            try (Stream<Path> folders = Files.list(parent)) {
                folders.filter(folder -> Files.exists(folder.resolve("pom.xml")))
                        .filter(folder -> Files.isDirectory(folder.resolve(MAIN_SOURCES)))
                        .sorted()
                        .forEach(modules::add);
            }
        }
        return modules;
    }

    /** The Java files of a module's main code. */
    static List<Path> mainSources(Path module) throws IOException {
        try (Stream<Path> files = Files.walk(module.resolve(MAIN_SOURCES))) {
            return files.filter(file -> file.toString().endsWith(".java")).toList();
        }
    }

    /** The name of the package that a file of a module's main code is in. */
    static String packageOf(Path module, Path source) {
        Path folder = module.resolve(MAIN_SOURCES).relativize(source).getParent();
        return folder.toString().replace('\\', '/').replace('/', '.');
    }
}
