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
    @DisplayName("IDLE-12: a declared entity with AutoDeleteOnIdle goes when it is idle; the next start makes it anew")
    void goesAndComesWithTheNextStart() {
        assertThat(broker.has("temporary")).isTrue();
        broker.advance(Duration.ofMinutes(3));
        broker.restart(); // a file that declares what is there is no activity
        broker.advance(Duration.ofMinutes(2));
        Await.until("it to go", () -> !broker.has("temporary"));
        assertThat(broker.has("permanent")).isTrue();
        broker.restart();
        assertThat(broker.has("temporary")).isTrue();
    }
}
