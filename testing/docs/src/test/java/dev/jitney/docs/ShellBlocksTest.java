package dev.jitney.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Tests that shell blocks of all pages are valid shell, and that every launcher command in them has the shown options. */
class ShellBlocksTest {
    private static final Pattern VARIABLE = Pattern.compile("\\bJITNEY_[A-Z_]*[A-Z]\\b");

    @TestFactory
    @DisplayName("The launcher's commands in a block have these options")
    Stream<DynamicTest> commands() {
        return Page.allBlocks("sh", "")
                .filter(block -> !ShellCommands.in(block.text()).isEmpty())
                .map(block -> DynamicTest.dynamicTest(
                        block.where(),
                        () -> assertThat(ShellCommands.in(block.text()))
                                .allSatisfy(words ->
                                        assertThat(ShellCommands.problem(words)).isNull())));
    }

    @TestFactory
    @DisplayName("A shell block can be parsed by a shell")
    Stream<DynamicTest> syntax() {
        return Page.allBlocks("sh")
                .map(block -> DynamicTest.dynamicTest(block.where(), () -> {
                    Process shell = new ProcessBuilder("bash", "-n")
                            .redirectErrorStream(true)
                            .start();
                    shell.getOutputStream().write(block.text().getBytes(StandardCharsets.UTF_8));
                    shell.getOutputStream().close();
                    String said = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                    assertThat(shell.waitFor(1, TimeUnit.MINUTES)).isTrue();
                    assertThat(said).isEmpty();
                    assertThat(shell.exitValue()).isZero();
                }));
    }

    @Test
    @DisplayName("A wrong option is found")
    void findsWrongOptions() {
        List<List<String>> commands = ShellCommands.in(
                "seq 3 | ./jitney send orders --lines | cat\n./jitney send orders"
                        + " \"a; b\" --propertie a=b # no\n./jitney bench --bohts\n./jitney server --data-dir \"$(mktemp -d)\"\n");
        assertThat(commands)
                .containsExactly(
                        List.of("send", "orders", "--lines"),
                        List.of("send", "orders", "a; b", "--propertie", "a=b"),
                        List.of("bench", "--bohts"),
                        List.of("server", "--data-dir", "$(mktemp -d)"));
        assertThat(commands.stream().map(ShellCommands::problem).map(problem -> problem == null))
                .containsExactly(true, false, false, true);
    }

    @Test
    @DisplayName("Variables in guides are read by a program or a script")
    void variablesExist() {
        String known = Page.of("docs/reference/settings.md").text()
                + Page.of("docs/guides/command-line.md").text()
                + Page.of("jitney").text()
                + Page.of("distribution/src/main/resources/dev/jitney/distribution/jitney.sh")
                        .text()
                + Page.of("samples/python/first_message.py").text()
                + Page.of("testkit/js/src/server.js").text();
        for (Page page : Page.all()) {
            if (page.path().startsWith("docs/guides/") || page.path().equals("README.md")) {
                Matcher variable = VARIABLE.matcher(page.text());
                while (variable.find()) {
                    String name = variable.group();
                    if (!name.equals("JITNEY_URL") && !name.equals("JITNEY_CI")) {
                        assertThat(known).as(page.path()).contains(name);
                    }
                }
            }
        }
    }
}
