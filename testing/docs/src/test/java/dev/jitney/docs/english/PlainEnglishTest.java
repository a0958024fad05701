package dev.jitney.docs.english;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Keeps the texts of the project in plain English, and proves that the rules find what they are for. */
class PlainEnglishTest {
    private static final int FAULTS_PRINTED_MAX = 40;

    @Test
    @DisplayName("The number of sentences that break a rule only falls")
    void theNumberOfFaultsOnlyFalls() throws IOException {
        Path root = root();
        List<PlainEnglish.Fault> faults = new ArrayList<>();
        for (Path file : PlainEnglish.files(root)) {
            faults.addAll(PlainEnglish.faults(root, file));
        }
        Ratchet ratchet = Ratchet.read(root);
        Map<String, Integer> counts = Ratchet.count(faults);
        assertThat(ratchet.now().keySet()).isEqualTo(counts.keySet());
        counts.forEach((key, count) -> {
            int allowed = ratchet.now().get(key);
            assertThat(count)
                    .as(() -> "Expected " + allowed + " sentences of " + key + ", as " + Ratchet.FILE + " says"
                            + (count < allowed
                                    ? "; write the lower number there"
                                    : ", but found more:\n" + list(faults, key)))
                    .isEqualTo(allowed);
            assertThat(allowed).as(key).isLessThanOrEqualTo(ratchet.first().get(key));
        });
    }

    private static String list(List<PlainEnglish.Fault> faults, String key) {
        return faults.stream()
                .filter(fault -> key.equals(fault.passage().kind() + " " + fault.rule()))
                .limit(FAULTS_PRINTED_MAX)
                .map(PlainEnglish.Fault::toString)
                .collect(Collectors.joining("\n"));
    }

    @Test
    @DisplayName("A sentence that begins with a clause for its subject is found in a page, a question is not")
    void findsClausesInPages() throws IOException {
        assertThat(faultsOf("docs/guides/x.md", "# How it starts\n\nWhat is full is\nrefused. What now? It ends.\n"))
                .containsExactly(
                        "docs/guides/x.md:1: USER_PAGE NOUN_CLAUSE: How it starts",
                        "docs/guides/x.md:3: USER_PAGE NOUN_CLAUSE: What is full is refused.");
    }

    @Test
    @DisplayName("Cells of tables and items of lists are passages of their own, and code is not text")
    void readsTablesAndLists() throws IOException {
        String page = """
                | Octets | Meaning |
                |---|---|
                | `octets` | Those of a key |

                - colour
                  and more
                ```
                What is in a block is code.
                ```
                """;
        assertThat(faultsOf("CHANGELOG.md", page))
                .containsExactly(
                        "CHANGELOG.md:1: PROJECT_PAGE PRIVATE_WORD: \"Octets\" in: Octets",
                        "CHANGELOG.md:3: PROJECT_PAGE NOUN_CLAUSE: Those of a key",
                        "CHANGELOG.md:5: PROJECT_PAGE BRITISH_SPELLING: \"colour\" in: colour and more");
    }

    @Test
    @DisplayName("The first sentence of a Javadoc comment is found, and help, logs and refusals are kinds of their own")
    void findsTextsInJava() throws IOException {
        String source = """
                /** Whether it is {@code open}. What follows is free. */
                class A {
                    @Option(names = "--a", description = {"Whether a client is " + "asked", "or not."})
                    int a; // nobody knows
                    void b() {
                        LOG.atInfo().log("Shard {} goes on", 1);
                        throw new IllegalStateException("Expected " + a.b(c, "d") + " octets, but got none.");
                    }
                }
                """;
        assertThat(faultsOf("cli/src/main/java/A.java", source))
                .containsExactly(
                        "cli/src/main/java/A.java:1: JAVADOC NOUN_CLAUSE: Whether it is open.",
                        "cli/src/main/java/A.java:3: HELP NOUN_CLAUSE: Whether a client is asked",
                        "cli/src/main/java/A.java:3: HELP PRIVATE_WORD: \"asked\" in: Whether a client is asked",
                        "cli/src/main/java/A.java:4: COMMENT PRIVATE_WORD: \"nobody\" in: nobody knows",
                        "cli/src/main/java/A.java:6: LOG PRIVATE_WORD: \"goes on\" in: Shard {} goes on",
                        "cli/src/main/java/A.java:7: MESSAGE PRIVATE_WORD: \"octets\" in: Expected _ octets, but got none.");
    }

    @Test
    @DisplayName("A sentence of 41 words is too long, and two sentences of 40 words are not")
    void countsWords() throws IOException {
        String words = "word ".repeat(39);
        assertThat(faultsOf("README.md", "A " + words + "word.")).hasSize(1);
        assertThat(faultsOf("README.md", "A " + words.trim() + ". A " + words.trim() + "."))
                .isEmpty();
    }

    private static List<String> faultsOf(String file, String content) throws IOException {
        Path folder = Files.createTempDirectory("english");
        Path path = folder.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, content);
        return PlainEnglish.faults(folder, path).stream()
                .map(PlainEnglish.Fault::toString)
                .toList();
    }

    /** The top of the tree: Maven runs tests in the folder of their module. */
    private static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("jitney"))) {
            folder = folder.getParent();
        }
        return folder;
    }
}
