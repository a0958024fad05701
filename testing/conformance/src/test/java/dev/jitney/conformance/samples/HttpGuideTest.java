package dev.jitney.conformance.samples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.conformance.support.OrdinaryOnly;
import dev.jitney.conformance.support.TestBroker;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Tests that run the commands of the guide to messages over HTTP. */
class HttpGuideTest {
    private static final Path ROOT = Path.of("../..");
    private static final int MINUTES = 5;

    @RegisterExtension
    static final TestBroker broker = TestBroker.configuredTicking(PublishSubscribeSamplesTest.config());

    @TempDir
    Path directory;

    @Test
    @DisplayName(
            "HTTP 3: curl sends, sends a batch, receives, locks, renews, unlocks and completes as described in the guide")
    @OrdinaryOnly("PART-40: the messages of the guide have no key, so they arrive in any order")
    void runsTheGuide() throws Exception {
        List<String> blocks = shellBlocks(ROOT.resolve("docs/guides/http-messaging.md"));
        assertThat(blocks).hasSizeGreaterThan(5);
        String output = bash("set -euo pipefail\n" + String.join("echo\n", blocks));
        assertThat(output.lines().filter(line -> !line.isBlank()))
                .containsExactly("two coffees", "one tea", "one tea", "tea for four", "tea for four");
        assertThat(broker.counts("orders").active()).isEqualTo(1); // the cake
    }

    @Test
    @DisplayName("HTTP 2: curl creates a queue and a rule of the namespace, and gives the rule a new key")
    void runsTheGuideToAdministration() throws Exception {
        List<String> blocks = new ArrayList<>(
                shellBlocks(ROOT.resolve("docs/guides/http-messaging.md")).subList(0, 2)); // address and token
        blocks.addAll(shellBlocks(ROOT.resolve("docs/guides/administration-http.md")));
        String output = bash("set -euo pipefail\n" + String.join("echo\n", blocks));
        assertThat(output).contains("<MaxDeliveryCount>5</MaxDeliveryCount>", "<KeyName>reader</KeyName>");
        assertThat(broker.counts("invoices").active()).isZero();
    }

    @Test
    @DisplayName("MET-2: curl reads the meter of a queue and resets it, as described in the guide")
    void runsTheGuideToMetering() throws Exception {
        List<String> blocks = new ArrayList<>(
                shellBlocks(ROOT.resolve("docs/guides/http-messaging.md")).subList(0, 2)); // address and token
        blocks.addAll(shellBlocks(ROOT.resolve("docs/guides/metering.md")));
        String output = bash("set -euo pipefail\n" + String.join("echo\n", blocks));
        assertThat(output).contains("\"entity\":\"orders\"");
        assertThat(output.substring(output.lastIndexOf("{\"namespace\""))).contains("\"operations\":0,");
    }

    @Test
    @DisplayName(
            "curl lists entities, searches for messages by a property and by the body and shows one, as described in the guide")
    @OrdinaryOnly("PART-40: a message without a key has a sequence number of any partition")
    void runsTheGuideToTheOperatorApi() throws Exception {
        List<String> blocks = new ArrayList<>(
                shellBlocks(ROOT.resolve("docs/guides/http-messaging.md")).subList(0, 2)); // address and token
        blocks.addAll(shellBlocks(ROOT.resolve("docs/guides/operator-api.md")));
        String output = bash("set -euo pipefail\n" + String.join("echo\n", blocks));
        assertThat(output)
                .contains("\"path\":\"parcels\"", "\"scanned\":2", "\"openapi\":\"3.1.0\"")
                .contains("\"applicationProperties\":{\"color\":\"red\",\"amount\":");
        List<String> searches =
                output.lines().filter(line -> line.contains("\"scanned\":2")).toList();
        assertThat(searches).hasSize(3);
        assertThat(searches.get(0))
                .as("the search by a property")
                .contains("{\\\"id\\\": 1}")
                .doesNotContain("{\\\"id\\\": 2}");
        assertThat(searches.subList(1, 3))
                .as("the searches by the body")
                .allSatisfy(
                        search -> assertThat(search).contains("{\\\"id\\\": 2}").doesNotContain("{\\\"id\\\": 1}"));
    }

    private static List<String> shellBlocks(Path guide) throws IOException {
        List<String> blocks = new ArrayList<>();
        for (String part : Files.readString(guide).split("(?m)^```sh\n")) {
            int end = part.indexOf("\n```");
            blocks.add(part.substring(0, Math.max(0, end)) + "\n");
        }
        blocks.remove(0); // the text before the first block
        return blocks;
    }

    private String bash(String script) throws Exception {
        for (String tool : new String[] {"bash", "curl", "openssl"}) {
            String missing = tool + " is missing on this machine.";
            boolean there = Path.of("/usr/bin", tool).toFile().canExecute()
                    || Path.of("/bin", tool).toFile().canExecute();
            if (!there && "true".equals(System.getenv("JITNEY_CI"))) {
                throw new AssertionError(missing + " Install it: in CI this test must not be skipped.");
            }
            Assumptions.assumeTrue(there, missing);
        }
        Path output = directory.resolve("output.txt");
        ProcessBuilder builder = new ProcessBuilder("bash", "-c", script)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment().put("JITNEY_URL", "http://localhost:" + broker.httpPort());
        Process process = builder.start();
        process.getOutputStream().close();
        boolean ended = process.waitFor(MINUTES, TimeUnit.MINUTES);
        process.destroyForcibly();
        String said = Files.readString(output, StandardCharsets.UTF_8);
        assertThat(ended).as(said).isTrue();
        assertThat(process.exitValue()).as(said).isZero();
        return said;
    }
}
