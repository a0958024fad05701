package dev.jitney.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.cli.support.Commands;
import dev.jitney.cli.support.LocalServer;
import dev.jitney.cli.support.Run.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Runs the examples of the guides. */
class GuideTest {
    private static final Pattern SHELL = Pattern.compile("```sh\\n(.*?)```", Pattern.DOTALL);
    private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|'([^']*)'|(\\S+)");

    @RegisterExtension
    static final LocalServer server = new LocalServer();

    @TempDir
    Path dir;

    @Test
    @DisplayName("Every example of the guide works, in the order of the page")
    void guide() throws IOException {
        assertThat(runAll(Files.readString(Path.of("../docs/guides/command-line.md"))))
                .isGreaterThan(25);
    }

    @Test
    @DisplayName("Every example of the guide to topics works")
    void topics() throws IOException {
        assertThat(runAll(Files.readString(Path.of("../docs/guides/topics.md"))))
                .isGreaterThan(4);
    }

    @Test
    @DisplayName("Every example of the guide to the repair of messages works")
    void repair() throws IOException {
        assertThat(runAll(Files.readString(Path.of("../docs/guides/repair-messages.md"))))
                .isGreaterThan(20);
    }

    @Test
    @DisplayName("IDLE-12: every example of the guide to temporary entities works")
    void temporaryEntities() throws IOException {
        assertThat(runAll(Files.readString(Path.of("../docs/guides/temporary-entities.md"))))
                .isEqualTo(3);
    }

    @Test
    @DisplayName("Every example of the guide to access rules works")
    void accessRules() throws IOException {
        assertThat(runAll(Files.readString(Path.of("../docs/guides/access.md"))))
                .isEqualTo(8);
    }

    private int runAll(String page) {
        int examples = 0;
        Matcher blocks = SHELL.matcher(page);
        while (blocks.find()) {
            for (String line : blocks.group(1).lines().toList()) {
                String command = line.replaceFirst("\\s+# .*", "").strip();
                String input = "";
                if (command.startsWith("seq 1 1000 | ")) {
                    command = command.substring("seq 1 1000 | ".length());
                    input = "x\n".repeat(1_000);
                }
                // The tests of the server run its own commands.
                if (command.startsWith("./jitney ")
                        && !command.matches("\\./jitney (server|health|doctor|bench|cluster)\\b.*")) {
                    Result result =
                            Commands.on(server).input(input).run(words(command.substring("./jitney ".length())));
                    assertThat(result.status()).as("%s%n%s", command, result).isZero();
                    examples++;
                }
            }
        }
        return examples;
    }

    private String[] words(String command) {
        List<String> words = new ArrayList<>();
        Matcher word = WORD.matcher(command);
        while (word.find()) {
            String text = word.group(1) != null ? word.group(1) : word.group(2) != null ? word.group(2) : word.group(3);
            words.add(text.endsWith(".jsonl") ? dir.resolve(text).toString() : text);
        }
        return words.toArray(new String[0]);
    }
}
