package dev.jitney.conformance.temporary;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.conformance.support.Await;
import dev.jitney.conformance.support.TestBroker;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ConfiguredTemporaryEntitiesTest {
    @RegisterExtension
    static final TestBroker broker = TestBroker.configured("""
            {"UserConfig":{"Namespaces":[{"Name":"ns","Queues":[
              {"Name":"temporary","Properties":{"AutoDeleteOnIdle":"PT5M"}},{"Name":"permanent"}]}]}}
            """);

    @Test
    @DisplayName(
            "IDLE-12: a declared entity with AutoDeleteOnIdle is deleted when idle; the next start creates it again")
    void goesAndComesWithTheNextStart() {
        assertThat(broker.has("temporary")).isTrue();
        broker.advance(Duration.ofMinutes(3));
        broker.restart(); // a declaration of an existing entity is not an access
        broker.advance(Duration.ofMinutes(2));
        Await.until("the deletion of the queue", () -> !broker.has("temporary"));
        assertThat(broker.has("permanent")).isTrue();
        broker.restart();
        assertThat(broker.has("temporary")).isTrue();
    }
}
