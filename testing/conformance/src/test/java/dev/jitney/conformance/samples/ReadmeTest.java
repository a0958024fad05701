package dev.jitney.conformance.samples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the README and guides show is what the samples do, and code that is run as a test. */
class ReadmeTest {
    private static final Path ROOT = Path.of("../..");
    private static final Path PAIRED = Path.of("src/test/java/dev/jitney/conformance/paired/PairedOrders.java");
    private static final Pattern CODE = Pattern.compile("```(?:java|js)\n(.*?)```", Pattern.DOTALL);
    private static final Pattern LAYOUT = Pattern.compile("\\s+");
    private static final Pattern END = Pattern.compile("[;{}()]+$");

    @ParameterizedTest
    @ValueSource(strings = {"README.md", "docs/guides/topics.md", "docs/guides/paired-namespaces.md"})
    @DisplayName("Every line of Java and JavaScript is in a sample, whatever the layout")
    void linesOfSamples(String page) throws IOException {
        StringBuilder samples = new StringBuilder();
        try (Stream<Path> java = Files.walk(ROOT.resolve("samples/java/src"));
                Stream<Path> javaScript = Files.list(ROOT.resolve("samples/javascript"))) {
            for (Path file : Stream.of(java, javaScript, Stream.of(PAIRED))
                    .flatMap(files -> files)
                    .filter(f -> f.toString().matches(".*\\.(java|mjs)"))
                    .toList()) {
                samples.append(plain(Files.readString(file)));
            }
        }
        Matcher code = CODE.matcher(Files.readString(ROOT.resolve(page)));
        int blocks = 0;
        while (code.find()) {
            blocks++;
            List<String> shown = code.group(1)
                    .lines()
                    .map(line -> END.matcher(plain(line)).replaceFirst(""))
                    .toList();
            assertThat(samples).contains(shown);
        }
        assertThat(blocks).isGreaterThan(3);
    }

    private static String plain(String code) {
        return LAYOUT.matcher(code).replaceAll("");
    }
}
