package dev.jitney.gateway.http.operator.administration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.gateway.http.TestBroker;
import dev.jitney.model.Partitioning;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.TierProfile;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.Namespace;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The description of settings")
class SettingsOfKindsTest {

    @ParameterizedTest(
            name = "the defaults of {0} with partitioning {1} are the settings of a new queue that sets nothing")
    @CsvSource({"STANDARD, false", "STANDARD, true", "PREMIUM, true", "PREMIUM, false"})
    void defaults(TierProfile tier, boolean partitioned) throws Exception {
        try (TestBroker broker = TestBroker.partitioning(tier, new Partitioning(partitioned, partitioned ? 2 : 1))) {
            Namespace namespace = broker.broker.namespace(null);
            JsonArray described =
                    SettingsOfKinds.ofKind(QueueDescription.named("queue").build(), namespace);
            JsonObject defaults = new JsonObject();
            IntStream.range(0, described.size())
                    .mapToObj(described::getJsonObject)
                    .forEach(setting -> defaults.put(setting.getString("name"), setting.getValue("default")));

            Entity made = broker.create("made", queue -> queue.enablePartitioning(partitioned));

            QueueDescription description = (QueueDescription) made.description();
            assertThat(EntitySettings.of(description, namespace).document(description))
                    .isEqualTo(defaults);
        }
    }
}
