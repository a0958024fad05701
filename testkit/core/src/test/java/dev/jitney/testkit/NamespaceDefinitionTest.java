package dev.jitney.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NamespaceDefinitionTest {

    @TempDir
    Path dir;

    @Test
    @DisplayName("A definition is an element of the emulator's file")
    void element() {
        Map<String, Object> json = new NamespaceDefinition()
                .queue(
                        "orders",
                        q -> q.lockDuration(Duration.ofSeconds(30))
                                .maxDeliveryCount(3)
                                .duplicateDetection(Duration.ofMinutes(5))
                                .defaultTimeToLive(Duration.ofHours(1))
                                .deadLetterOnExpiration()
                                .forwardTo("other")
                                .forwardDeadLettersTo("dead")
                                .requiresSession()
                                .autoDeleteOnIdle(Duration.ofMinutes(6))
                                .property("EnablePartitioning", true))
                .topic(
                        "drinks",
                        t -> t.subscription(
                                "large",
                                s -> s.sql("cups > 2", "SET x = 1")
                                        .correlation(c -> c.subject("tea").property("hot", true))))
                .toJson();

        assertThat(json.get("Queues"))
                .isEqualTo(List.of(Map.of(
                        "Name",
                        "orders",
                        "Properties",
                        Map.ofEntries(
                                Map.entry("LockDuration", "PT30S"),
                                Map.entry("MaxDeliveryCount", 3),
                                Map.entry("RequiresDuplicateDetection", true),
                                Map.entry("DuplicateDetectionHistoryTimeWindow", "PT5M"),
                                Map.entry("DefaultMessageTimeToLive", "PT1H"),
                                Map.entry("DeadLetteringOnMessageExpiration", true),
                                Map.entry("ForwardTo", "other"),
                                Map.entry("ForwardDeadLetteredMessagesTo", "dead"),
                                Map.entry("RequiresSession", true),
                                Map.entry("AutoDeleteOnIdle", "PT6M"),
                                Map.entry("EnablePartitioning", true)))));
        assertThat(Json.write(json.get("Topics")))
                .contains("\"SqlExpression\":\"cups > 2\"", "\"SqlExpression\":\"SET x = 1\"")
                .contains("\"CorrelationFilter\":{\"Label\":\"tea\",\"Properties\":{\"hot\":true}}");
    }

    @Test
    @DisplayName("Entities of a call replace those of the same name in the emulator's file")
    void file() throws IOException {
        Path config = write("""
                // of the emulator
                { "UserConfig": { "Namespaces": [ { "Name": "sbemulatorns",
                  "Queues": [ { "Name": "orders", "Properties": { "MaxDeliveryCount": 5 } }, { "Name": "other" } ],
                  "Topics": [] } ], "Logging": { "Type": "File" } } }
                """);

        Map<String, Object> json = new NamespaceDefinition()
                .config(config)
                .queue("orders", q -> q.maxDeliveryCount(2))
                .toJson();

        assertThat(Json.write(json.get("Queues")))
                .contains("\"MaxDeliveryCount\":2", "\"Name\":\"other\"")
                .doesNotContain("\"MaxDeliveryCount\":5");
        assertThat(json).doesNotContainKey("Name");
    }

    @Test
    @DisplayName("The namespace of a file with several is chosen by its name")
    void several() throws IOException {
        Path config = write("""
                { "UserConfig": { "Namespaces": [ { "Name": "a" }, { "Name": "b", "Queues": [ { "Name": "q" } ] } ] } }
                """);

        assertThat(Json.write(new NamespaceDefinition().config(config, "b").toJson()))
                .contains("\"q\"");
        assertThatThrownBy(() -> new NamespaceDefinition().config(config))
                .isInstanceOf(JitneyException.class)
                .hasMessageContaining("Expected one namespace in UserConfig.Namespaces, but the file has [a, b]."
                        + " Choose one of them with config(file, name).");
        assertThatThrownBy(() -> new NamespaceDefinition().config(config, "c"))
                .hasMessageContaining("Expected the namespace 'c'");
    }

    @Test
    @DisplayName("A file that is missing or invalid is refused with its name")
    void invalid() throws IOException {
        assertThatThrownBy(() -> new NamespaceDefinition().config(dir.resolve("no.json")))
                .isInstanceOf(JitneyException.class)
                .hasMessageContaining("no.json: The file cannot be read")
                .hasMessageContaining("The folder of the test is ");
        Path config = write("{ \"UserConfig\": ");
        assertThatThrownBy(() -> new NamespaceDefinition().config(config))
                .hasMessageContaining("Config.json: Expected a value at line 1");
    }

    private Path write(String content) throws IOException {
        return Files.writeString(dir.resolve("Config.json"), content);
    }
}
