package dev.jitney.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Tests of links, length, index and languages of the pages. */
class PagesTest {
    private static final int README_LINES_MAX = 150;
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");
    private static final Pattern INLINE_CODE = Pattern.compile("`[^`\n]*`");

    /** The allowed languages. Each has a test in this package, except plain text. */
    private static final Set<String> LANGUAGES =
            Set.of("sh", "java", "js", "python", "json", "yaml", "ini", "xml", "text", "");

    @Test
    @DisplayName("The README has at most 150 lines")
    void readmeIsShort() {
        assertThat(Page.of("README.md").text().lines()).hasSizeLessThanOrEqualTo(README_LINES_MAX);
    }

    @Test
    @DisplayName("Every relative link leads to a file, and to an existing heading if it has an anchor")
    void linksLeadSomewhere() {
        List<String> broken = new ArrayList<>();
        int links = 0;
        for (Page page : Page.all()) {
            Matcher link = LINK.matcher(INLINE_CODE.matcher(page.prose()).replaceAll("`code`"));
            while (link.find()) {
                String target = link.group(1);
                if (target.matches("[a-z]+:.*")) {
                    continue;
                }
                links++;
                String file = target.replaceFirst("#.*", "");
                Path from = Page.root().resolve(page.path());
                Path to = file.isEmpty() ? from : from.resolveSibling(file).normalize();
                String anchor = target.contains("#") ? target.substring(target.indexOf('#') + 1) : "";
                if (!Files.exists(to) || !to.startsWith(Page.root())) {
                    broken.add(page.path() + ": " + target);
                } else if (!anchor.isEmpty() && !anchors(to).contains(anchor)) {
                    broken.add(page.path() + ": " + target + " (headings: " + anchors(to) + ")");
                }
            }
        }
        assertThat(broken).isEmpty();
        assertThat(links).isGreaterThan(200);
    }

    /**
     * Returns the anchors as GitHub creates them: lower case, without punctuation, with hyphens for spaces, and with
     * numbers for repeated headings.
     */
    private static Set<String> anchors(Path page) {
        String prose = Page.of(Page.root().relativize(page).toString().replace('\\', '/'))
                .prose();
        Set<String> anchors = new HashSet<>();
        Map<String, Integer> seen = new HashMap<>();
        Matcher heading = HEADING.matcher(prose);
        while (heading.find()) {
            String anchor = heading.group(1)
                    .replaceAll("\\[([^\\]]*)\\]\\([^)]*\\)", "$1")
                    .toLowerCase(Locale.ROOT)
                    .replaceAll("[^\\p{L}\\p{N} _-]", "")
                    .replace(' ', '-');
            int before = seen.merge(anchor, 1, Integer::sum) - 1;
            anchors.add(before == 0 ? anchor : anchor + "-" + before);
        }
        return anchors;
    }

    @Test
    @DisplayName("The index has links to every guide and every page of the reference")
    void theIndexIsWhole() throws IOException {
        String index = Page.of("docs/README.md").text();
        for (Page page : Page.all()) {
            if (page.path().matches("docs/(guides|reference)/.*|docs/[a-z]+\\.md")) {
                assertThat(index).contains("](" + page.path().substring("docs/".length()) + ")");
            }
        }
    }

    @Test
    @DisplayName("Every block has a checked language")
    void everyBlockIsChecked() {
        for (Page page : Page.all()) {
            for (Block block : page.blocks()) {
                assertThat(LANGUAGES).as(block.where()).contains(block.language());
                if (block.notRun() != null) {
                    assertThat(block.language()).as(block.where()).isEqualTo("sh");
                }
            }
        }
    }

    @Test
    @DisplayName("No page runs the launcher as root")
    void nobodyRunsAsRoot() {
        for (Page page : Page.all()) {
            assertThat(page.text()).as(page.path()).doesNotContainPattern("sudo \\./jitney");
        }
    }

    @Test
    @DisplayName("A page with .NET or Go says that its code is not executed by the build")
    void whatIsNotRunIsTold() {
        for (String page :
                List.of("README.md", "docs/guides/getting-started-dotnet.md", "docs/guides/getting-started-go.md")) {
            assertThat(Page.of(page).text().replaceAll("\\s+", " ")).as(page).contains("not executed by the build");
        }
    }
}
