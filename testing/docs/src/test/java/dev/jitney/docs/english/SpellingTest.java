package dev.jitney.docs.english;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the spell checker cspell over all texts, in American English. Words of the project that no dictionary has stand in {@code
 * spelling/words.txt}. Needs Node 20 or later, and npm to install the checker.
 */
class SpellingTest {
    private static final Path SPELLING = Path.of("spelling").toAbsolutePath();
    private static final int MINUTES_MAX = 5;

    @TempDir
    Path folder;

    @Test
    @DisplayName("Every word is in a dictionary of American English or in spelling/words.txt")
    void everyWordIsKnown() throws IOException, InterruptedException {
        installChecker();
        Path root = SPELLING.getParent().getParent().getParent();
        Path texts = folder.resolve("texts");
        for (Path file : PlainEnglish.files(root)) {
            writePassages(root, file, texts);
        }
        Result result = run(cspell(texts, "**/*.txt"));
        assertThat(result.output()).contains("Issues found: 0 in 0 files");
        assertThat(result.exitCode()).isZero();
    }

    @Test
    @DisplayName("A misspelled word and a British spelling are found, with their file and line")
    void findsMisspelledWords() throws IOException, InterruptedException {
        installChecker();
        Path texts = folder.resolve("texts");
        Files.createDirectories(texts);
        Files.writeString(texts.resolve("page.md.txt"), "A queue\nwith a nieghbor\nand its behaviour\n");
        assertThat(run(cspell(texts, "**/*.txt")).output())
                .contains("page.md.txt:2:8")
                .contains("page.md.txt:3:9")
                .contains("Issues found: 2 in 1 file");
    }

    /** Writes the passages of a file at the lines that they have in it, so that a report names the right lines. */
    private static void writePassages(Path root, Path file, Path texts) throws IOException {
        String name = root.relativize(file).toString().replace('\\', '/');
        List<String> lines = new ArrayList<>();
        for (Passage passage : PlainEnglish.passages(name, Files.readString(file))) {
            while (lines.size() < passage.line()) {
                lines.add("");
            }
            lines.set(passage.line() - 1, lines.get(passage.line() - 1) + " " + passage.text());
        }
        Path copy = texts.resolve(name + ".txt");
        Files.createDirectories(copy.getParent());
        Files.write(copy, lines);
    }

    private static List<String> cspell(Path root, String files) {
        return List.of(
                "node",
                SPELLING.resolve("node_modules/cspell/bin.mjs").toString(),
                "lint",
                "--config",
                SPELLING.resolve("cspell.json").toString(),
                "--root",
                root.toString(),
                "--no-progress",
                "--no-color",
                files);
    }

    private static void installChecker() throws IOException, InterruptedException {
        String missing = missing();
        if (missing != null) {
            assertThat(System.getenv("JITNEY_CI")).as(missing).isNotEqualTo("true");
            Assumptions.abort(missing);
        }
        if (!Files.isDirectory(SPELLING.resolve("node_modules/cspell"))) {
            Result install = run(List.of("npm", "ci", "--no-audit", "--no-fund"));
            assertThat(install.exitCode()).as(install.output()).isZero();
        }
    }

    private static @Nullable String missing() throws InterruptedException {
        try {
            String version = run(List.of("node", "--version")).output().strip();
            int major = Integer.parseInt(version.substring(1, version.indexOf('.')));
            return major >= 20 ? null : "Expected Node 20 or later, but found " + version + ".";
        } catch (IOException e) {
            return "Expected Node 20 or later, but found none: " + e.getMessage();
        }
    }

    private record Result(int exitCode, String output) {}

    private static Result run(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .directory(SPELLING.toFile())
                .redirectErrorStream(true)
                .start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(MINUTES_MAX, TimeUnit.MINUTES)).as(output).isTrue();
        return new Result(process.exitValue(), output);
    }
}
