package dev.jitney.server.doctor.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.server.doctor.Check;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The checklist of the hardening page, whose last column names the checks that prove each step. */
class HardeningPageTest {
    private static final Pattern ROW = Pattern.compile("(?m)^\\|[^|\\n]+\\|[^\\n]*\\|([^|\\n]*)\\|$");
    private static final Pattern NAME = Pattern.compile("`([a-z]+)`");

    @Test
    @DisplayName("Each step of the checklist names its check or says that there is none, and each check proves a step")
    void checklist() throws Exception {
        String page = Files.readString(Path.of("../docs/guides/security.md"));
        String checklist =
                page.substring(page.indexOf("## Checklist"), page.indexOf("\n## ", page.indexOf("## Checklist") + 1));
        assertThat(checklist).contains("| Step | Setting | Check |");
        TreeSet<String> named = new TreeSet<>();
        Matcher rows = ROW.matcher(checklist);
        int steps = 0;
        while (rows.find()) {
            String proof = rows.group(1).strip();
            if (proof.equals("Check") || proof.startsWith("---")) {
                continue;
            }
            steps++;
            List<String> names =
                    NAME.matcher(proof).results().map(found -> found.group(1)).toList();
            assertThat(names.isEmpty()).as("%s", rows.group()).isEqualTo(proof.equals("none"));
            named.addAll(names);
        }
        assertThat(steps).isGreaterThan(15);
        assertThat(named)
                .containsExactlyElementsOf(
                        new TreeSet<>(Checks.all().stream().map(Check::name).toList()));
    }
}
