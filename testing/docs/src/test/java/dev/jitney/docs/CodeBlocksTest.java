package dev.jitney.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Tests that the code in pages is part of the samples or the conformance tests, which are compiled and run, or of these
 * tests.
 */
class CodeBlocksTest {
    private static final List<String> SOURCES = List.of(
            "samples",
            "testkit/testcontainers/src/test/java",
            "testkit/spring-boot/src/test/java",
            "testing/conformance/src/test/java",
            "testing/conformance/js");
    private static final Pattern LAYOUT = Pattern.compile("\\s+");
    private static final Pattern END = Pattern.compile("[;{}()]+$");

    @TestFactory
    @DisplayName("Every line of Java, JavaScript and Python is in a program that is run, ignoring white space")
    Stream<DynamicTest> linesOfPrograms() {
        String java = sources(".java");
        String javaScript = sources(".mjs") + sources(".js");
        String python = sources(".py");
        return Page.allBlocks("java", "js", "python")
                .map(block -> DynamicTest.dynamicTest(block.where(), () -> {
                    String programs = block.language().equals("java")
                            ? java
                            : block.language().equals("js") ? javaScript : python;
                    List<String> shown = block.text()
                            .lines()
                            .map(line -> END.matcher(plain(line)).replaceFirst(""))
                            .toList();
                    assertThat(shown.stream().filter(line -> !programs.contains(line)))
                            .as("lines without a program")
                            .isEmpty();
                }));
    }

    private static String sources(String ending) {
        return SOURCES.stream()
                .flatMap(CodeBlocksTest::files)
                .filter(file -> file.toString().endsWith(ending))
                .map(CodeBlocksTest::read)
                .map(CodeBlocksTest::plain)
                .collect(Collectors.joining());
    }

    private static Stream<Path> files(String folder) {
        try (Stream<Path> files = Files.walk(Page.root().resolve(folder))) {
            return files
                    .filter(Files::isRegularFile)
                    .filter(file -> !file.toString().contains("node_modules"))
                    .toList()
                    .stream();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static String plain(String code) {
        return LAYOUT.matcher(code).replaceAll("");
    }
}
