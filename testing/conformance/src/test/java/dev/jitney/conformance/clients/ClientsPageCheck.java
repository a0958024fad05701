package dev.jitney.conformance.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.conformance.clients.ClientResults.Line;
import dev.jitney.conformance.clients.ClientResults.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Compares the page with the results of this build. The build runs it after all tests, and not if only some tests are
 * selected. If tests of a client were skipped it compares nothing; with {@code JITNEY_CI} it fails instead.
 */
class ClientsPageCheck {
    private static final Path PAGE = Path.of("../../docs/reference/clients.md");

    @Test
    @DisplayName("docs/reference/clients.md is the result of the tests of this build")
    void pageIsUpToDate() throws IOException {
        List<Line> results = results();
        List<String> missing = new ArrayList<>();
        results.stream()
                .filter(line -> line.outcome() == Outcome.SKIPPED)
                .forEach(line -> missing.add(line.name() + " was skipped"));
        Arrays.stream(Client.values())
                .filter(client -> results.stream().noneMatch(line -> line.client() == client))
                .forEach(client -> missing.add("no test of " + client + " ran"));
        if (!missing.isEmpty()) {
            String text = "Expected results of all clients to compare the page with, but: " + missing;
            if ("true".equals(System.getenv("JITNEY_CI"))) {
                throw new AssertionError(text);
            }
            Assumptions.abort(text);
        }
        String generated = new ClientsPage(results).text();
        if (Boolean.getBoolean("jitney.reference.renew")) {
            Files.writeString(PAGE, generated);
        }
        assertThat(PAGE)
                .as("update the page with: " + ClientsPage.RENEW)
                .content()
                .isEqualTo(generated);
    }

    private static List<Line> results() throws IOException {
        Path directory = Path.of(System.getProperty(ClientResults.PROPERTY + ".read", "no results"));
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        List<Line> results = new ArrayList<>();
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.toList()) {
                Files.readAllLines(file).forEach(line -> results.add(Line.parse(line)));
            }
        }
        return results;
    }
}
