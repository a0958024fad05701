package dev.jitney.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Tests that {@code jitney.cmd} has the same commands and help as {@code jitney}. The file is only compared, because
 * running it requires Windows.
 */
class WindowsLauncherTest {
    private final String unix = Page.of("jitney").text();
    private final String windows = Page.of("jitney.cmd").text().replace("\r\n", "\n");

    @Test
    @DisplayName("Both have the same commands, and start the same classes of the same modules for them")
    void sameCommands() {
        String cases = unix.substring(
                unix.indexOf("case ${1:-} in\n    server)"), unix.indexOf("[ -z \"$help\" ] || archive=help"));
        for (String command : List.of("server", "health", "doctor", "bench", "simulate", "fuzz", "build")) {
            String there = section(cases, "\n    " + command + ")", ";;");
            String here = section(windows, "\n:" + command + "\n", "goto chosen");
            assertThat(windows).contains("if \"%LAUNCH_COMMAND%\"==\"" + command + "\" goto " + command);
            for (String[] names :
                    new String[][] {{"module", "MODULE"}, {"own", "OWN"}, {"main", "MAIN"}, {"archive", "ARCHIVE"}}) {
                assertThat(value(here, "set \"LAUNCH_" + names[1] + "=([^\"]*)\""))
                        .as(command + ", " + names[0])
                        .isEqualTo(value(there, "(?m)^ +" + names[0] + "=(.*)$"));
            }
            boolean shifts = there.contains("shift") && !command.equals("build");
            assertThat(here.contains("LAUNCH_STRIP=yes")).as(command).isEqualTo(shifts);
        }
        for (String name :
                List.of("testing/comparison", "jitney-testing-comparison", "dev.jitney.comparison.JitneyCompare")) {
            assertThat(section(cases, "if [ \"${1:-}\" = compare ]", "fi\n")).contains("=" + name + "\n");
            assertThat(section(windows, "if not \"%LAUNCH_SECOND%\"==\"compare\" goto chosen", ":simulate"))
                    .contains("=" + name + "\"\n");
        }
        assertThat(windows)
                .contains(
                        "if \"%LAUNCH_COMMAND%\"==\"crash\" goto crash",
                        "if \"%LAUNCH_COMMAND%\"==\"upgrade-test\" goto upgrade");
        for (String command : List.of("queue", "topic", "subscription", "rule")) {
            assertThat(windows)
                    .contains("if \"%LAUNCH_COMMAND%\"==\"" + command + "\" set \"LAUNCH_ARCHIVE=entities\"");
        }
        assertThat(value(windows, "set \"LAUNCH_MAIN=(dev\\.jitney\\.cli[^\"]*)\""))
                .isEqualTo(value(cases, "main=(dev\\.jitney\\.cli.*)"));
    }

    private static String section(String text, String start, String end) {
        int from = text.indexOf(start);
        assertThat(from).as(start).isNotNegative();
        return text.substring(from, text.indexOf(end, from));
    }

    private static String value(String text, String pattern) {
        Matcher matcher = Pattern.compile(pattern).matcher(text);
        assertThat(matcher.find()).as(pattern).isTrue();
        return matcher.group(1);
    }

    @Test
    @DisplayName("Both print the same help, build the same modules and give Java the same options")
    void sameTexts() {
        Pattern entry = Pattern.compile("(?m)^  [a-z]+ {2,}[A-Z].*$");
        assertThat(all(entry, windows)).isEqualTo(all(entry, unix)).hasSizeGreaterThan(15);
        assertThat(windows).contains("@('server', 'cli', 'testing/benchmarks')");
        assertThat(unix).contains("parts=\"server cli testing/benchmarks\"");
        Pattern option = Pattern.compile(
                "(?:--enable-native-access=ALL-UNNAMED|--sun-misc-unsafe-memory-access=allow|-XX:[-+][A-Za-z]+|-Xmx\\w+"
                        + "|-Djitney\\.[a-z.]+=|-XX:TieredStopAtLevel=1|-Xshare:auto|-Xlog:cds\\S*=off)");
        Set<String> there = all(option, unix);
        // The class archive of Java 17 and 18 needs one start of a server. Windows does not use it.
        there.removeIf(text -> text.startsWith("-Djitney.crash") || text.startsWith("-Djitney.upgrade"));
        assertThat(all(option, windows)).isEqualTo(there);
        assertThat(all(Pattern.compile("\\b(?:one to three minutes|about 200 MB)\\b"), windows))
                .isEqualTo(all(Pattern.compile("\\b(?:one to three minutes|about 200 MB)\\b"), unix));
    }

    private static Set<String> all(Pattern pattern, String text) {
        Set<String> found = new TreeSet<>();
        Matcher matcher = pattern.matcher(text);
        while (matcher.find()) {
            found.add(matcher.group());
        }
        return found;
    }

    @Test
    @DisplayName("No variable of the script is an option of a program")
    void variables() {
        assertThat(all(Pattern.compile("JITNEY_[A-Z_]+"), windows))
                .containsExactlyInAnyOrder("JITNEY_JAVA_OPTS", "JITNEY_BUILD_PATIENCE");
    }

    @Test
    @DisplayName("Every label of a jump exists, and lines have the line ends of Windows")
    void labels() throws IOException {
        String batch = windows.substring(0, windows.indexOf("\n##POWERSHELL"));
        Matcher jump = Pattern.compile("goto (\\w+)").matcher(batch);
        while (jump.find()) {
            assertThat(batch).containsPattern("(?m)^:" + jump.group(1) + "$");
        }
        String raw = Files.readString(Page.root().resolve("jitney.cmd"));
        assertThat(raw.replace("\r\n", "")).doesNotContain("\n").doesNotContain("\r");
        assertThat(raw)
                .as("text of ASCII characters, which code pages do not change")
                .matches("\\A\\p{ASCII}*\\z");
    }

    @Test
    @DisplayName("Brackets and quotes of the PowerShell part are balanced")
    void pairs() {
        String script = windows.substring(windows.indexOf("\n##POWERSHELL"))
                .replaceAll("(?s)@'\n.*?\n'@", "''")
                .replaceAll("(?m)^\\s*#.*$", "")
                .replaceAll("'[^'\n]*'", "''")
                .replaceAll("\"(?:`.|[^\"`\n])*\"", "\"\"");
        for (String pair : List.of("()", "{}", "[]")) {
            assertThat(script.chars().filter(c -> c == pair.charAt(0)).count())
                    .as(pair)
                    .isEqualTo(script.chars().filter(c -> c == pair.charAt(1)).count());
        }
        assertThat(script.chars().filter(c -> c == '\'').count() % 2).isZero();
        assertThat(script.chars().filter(c -> c == '"').count() % 2).isZero();
    }
}
