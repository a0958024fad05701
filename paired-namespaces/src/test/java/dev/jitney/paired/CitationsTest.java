package dev.jitney.paired;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

final class CitationsTest {
    private static final Pattern ID = Pattern.compile("\\bPAIR-(\\d+)\\b");
    private static final Set<String> NOT_SOURCES = Set.of("target", "node_modules", ".git");

    @Test
    @DisplayName("Every requirement PAIR-1 to PAIR-61 is cited by a test")
    void citesEveryRequirement() throws IOException {
        Set<Integer> cited = new TreeSet<>();
        Files.walkFileTree(root(), new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                return NOT_SOURCES.contains(folder.getFileName().toString())
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                String name = file.getFileName().toString();
                // This test names the first and the last one itself.
                if (name.endsWith("Test.java") && !name.equals("CitationsTest.java")) {
                    Matcher ids = ID.matcher(Files.readString(file));
                    while (ids.find()) {
                        cited.add(Integer.valueOf(ids.group(1)));
                    }
                }
                return FileVisitResult.CONTINUE;
            }
        });

        List<Integer> all = IntStream.rangeClosed(1, 61).boxed().toList();
        assertThat(cited).containsExactlyElementsOf(all);
    }

    /** Returns the top folder of the tree. Maven runs tests in the folder of their module. */
    private static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("jitney"))) {
            folder = folder.getParent();
        }
        return folder;
    }
}
