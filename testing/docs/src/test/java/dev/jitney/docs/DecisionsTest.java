package dev.jitney.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Tests of the numbers and statuses of architecture decision records. */
class DecisionsTest {
    private static final Pattern FILE = Pattern.compile("docs/adr/(\\d{4})-[a-z0-9-]+\\.md");
    private static final Pattern STATUS = Pattern.compile("(?ms)^Status: (accepted|superseded)\\b(.*?)\\n\\n");
    private static final Pattern LINK = Pattern.compile("\\[ADR (\\d+)]\\((\\d{4})-[a-z0-9-]+\\.md\\)");
    private static final Pattern CHANGES = Pattern.compile("Changes[^.]*?" + LINK.pattern());
    private static final Pattern CHANGED_BY = Pattern.compile("(?:Changed|superseded) by " + LINK.pattern());

    @Test
    @DisplayName("Every decision has the number of its file in its title, and a status below it")
    void everyDecisionHasANumberAndAStatus() {
        List<String> wrong = new ArrayList<>();
        decisions().forEach((number, page) -> {
            if (!page.text().startsWith("# " + number + ". ")) {
                wrong.add(page.path() + ": Expected the title to begin with \"# " + number + ". \"");
            }
            if (status(page) == null) {
                wrong.add(page.path()
                        + ": Expected a line \"Status: accepted.\" or \"Status: superseded by [ADR …](…).\"");
            }
        });

        assertThat(wrong).isEmpty();
    }

    @Test
    @DisplayName("A decision that changes another one is linked in its status, and the other way round")
    void changesAreNamedOnBothSides() {
        List<String> wrong = new ArrayList<>();
        Map<Integer, Page> decisions = decisions();
        decisions.forEach((number, page) -> {
            for (int changed : numbers(CHANGES, page)) {
                if (!numbers(CHANGED_BY, decisions.get(changed)).contains(number)) {
                    wrong.add("ADR " + changed + " must say \"Changed by\" or \"superseded by\" with a link to ADR "
                            + number);
                }
            }
            for (int changing : numbers(CHANGED_BY, page)) {
                if (!numbers(CHANGES, decisions.get(changing)).contains(number)) {
                    wrong.add("ADR " + changing + " must say that it changes ADR " + number);
                }
            }
        });

        assertThat(wrong).isEmpty();
    }

    private static Map<Integer, Page> decisions() {
        Map<Integer, Page> decisions = new TreeMap<>();
        for (Page page : Page.all()) {
            Matcher file = FILE.matcher(page.path());
            if (file.matches()) {
                decisions.put(Integer.valueOf(file.group(1)), page);
            }
        }
        assertThat(decisions).isNotEmpty();
        return decisions;
    }

    private static @Nullable String status(Page page) {
        Matcher status = STATUS.matcher(page.text());
        return status.find() ? status.group(1) + status.group(2) : null;
    }

    private static List<Integer> numbers(Pattern pattern, Page page) {
        List<Integer> numbers = new ArrayList<>();
        String status = status(page);
        Matcher link = pattern.matcher(status == null ? "" : status);
        while (link.find()) {
            numbers.add(Integer.valueOf(link.group(1)));
        }
        return numbers;
    }
}
