package dev.jitney.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Rules about tests. They read source files, because most test classes are not compiled yet, or not visible, when this
 * module is tested.
 */
final class TestSourcesTest {

    private static final Pattern SLEEP =
            Pattern.compile("\\b(?:Thread|TimeUnit\\.\\w+|[A-Z]+SECONDS)\\s*\\.\\s*sleep\\s*\\(");
    private static final Pattern COMMENT = Pattern.compile("(?s)/\\*.*?\\*/|//[^\\n]*");
    private static final Set<String> NOT_SOURCES = Set.of("target", "node_modules", ".git");

    @Test
    @DisplayName("No test sleeps to make time pass")
    void noTestSleeps() throws IOException {
        List<Path> tests = testSources();
        assertThat(tests).as("test sources of the tree").isNotEmpty();

        List<String> sleepers = new ArrayList<>();
        for (Path test : tests) {
            if (SLEEP.matcher(COMMENT.matcher(Files.readString(test)).replaceAll(""))
                    .find()) {
                sleepers.add(SourceTree.root().relativize(test).toString());
            }
        }

        assertThat(sleepers)
                .as("a sleep is too short on a busy machine and too long on an idle one: move a manual clock, or wait "
                        + "for the condition itself with a deadline")
                .isEmpty();
    }

    private static List<Path> testSources() throws IOException {
        List<Path> found = new ArrayList<>();
        Files.walkFileTree(SourceTree.root(), new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
                return NOT_SOURCES.contains(directory.getFileName().toString())
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                String path = SourceTree.root().relativize(file).toString().replace('\\', '/');
                if (path.endsWith(".java") && (path.contains("src/test/") || path.startsWith("testing/"))) {
                    found.add(file);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return found;
    }
}
