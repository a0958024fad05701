package dev.jitney.conformance.throttling;

import static dev.jitney.testing.amqp.Wire.map;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import dev.jitney.conformance.support.Sdk;
import dev.jitney.conformance.support.Subscription;
import dev.jitney.conformance.support.TestBroker;
import dev.jitney.testing.amqp.Node;
import dev.jitney.testing.amqp.RawLink;
import dev.jitney.testing.amqp.RawMessage;
import dev.jitney.testing.amqp.RawPeer;
import dev.jitney.testing.amqp.RawRequests;
import dev.jitney.testing.amqp.RawSession;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests of namespaces with a hundred credits per second. */
class ThrottlingTest {
    private static final int CREDITS = 100;
    private static final String CONFIG = """
            {"UserConfig": {"Namespaces": [
              {"Name": "ns", "Throttling": 100, "Queues": [{"Name": "q", "Properties": {}}]}
            ]}}
            """;

    @RegisterExtension
    static final TestBroker frozen = TestBroker.configured(CONFIG);

    @RegisterExtension
    static final TestBroker ticking = TestBroker.configuredTicking(CONFIG);

    @Test
    @DisplayName(
            "THR-1, THR-2: the send after the last credit is rejected as busy and not stored; a second later it is accepted")
    void refusesTheSendAfterTheLastCredit() {
        try (RawPeer peer = frozen.peer()) {
            RawSession session = peer.begin();
            RawLink sender = session.sender("q");
            for (int i = 0; i < CREDITS; i++) {
                sender.sendAccepted(RawMessage.ofData("m" + i));
            }
            Node error = sender.awaitRejection(sender.send(RawMessage.ofData("one too many")));
            assertThat(error.at(0).text()).isEqualTo("com.microsoft:server-busy");
            assertThat(error.at(1).text()).contains("Error code : 50009", "wait 2 seconds", "TrackingId:");
            assertThat(session.tryReceiver("q").awaitDetachCondition()).isEqualTo("com.microsoft:server-busy");
            assertThat(frozen.counts("q").active()).isEqualTo(CREDITS);
            frozen.advance(Duration.ofSeconds(1));
            sender.sendAccepted(RawMessage.ofData("again"));
            assertThat(frozen.counts("q").active()).isEqualTo(CREDITS + 1);
        }
    }

    @Test
    @DisplayName("THR-2: a change of rules costs ten credits over AMQP as over HTTP; a list costs none")
    void ruleChangesCostCredits() {
        frozen.advance(Duration.ofSeconds(1));
        Subscription subscription = frozen.topics().subscribe(frozen.topics().create());
        frozen.advance(Duration.ofSeconds(1));
        try (RawPeer peer = frozen.peer()) {
            RawRequests management = RawRequests.open(peer.begin(), subscription.path() + "/$management");
            for (int i = 0; i < CREDITS / 10; i++) {
                management.call("com.microsoft:add-rule", rule("r" + i), 200);
            }
            RawMessage busy = management.call("com.microsoft:add-rule", rule("one too many"));
            assertThat(busy.applicationProperty("errorCondition").text()).isEqualTo("com.microsoft:server-busy");
            assertThat(busy.applicationProperty("statusDescription").text()).contains("Error code : 50009");
            assertThat(management
                            .call("com.microsoft:enumerate-rules", map("top", 100, "skip", 0), 200)
                            .get("rules")
                            .items())
                    .hasSize(1 + CREDITS / 10);
            frozen.advance(Duration.ofSeconds(1));
            management.call("com.microsoft:remove-rule", map("rule-name", "r0"), 200);
        }
    }

    private static Map<?, ?> rule(String name) {
        return map("rule-name", name, "rule-description", map("sql-filter", map("expression", "1=1")));
    }

    @Test
    @DisplayName("Wire 85: the Java SDK retries a throttled send, and it is stored once")
    void sdkTriesAgain() throws Exception {
        Instant start = ticking.now();
        try (Sdk sdk = ticking.sdk()) {
            ServiceBusSenderClient sender = sdk.sender("q");
            for (int batch = 0; batch < 3; batch++) { // each needs a second of its own
                sender.sendMessages(IntStream.range(0, CREDITS)
                        .mapToObj(i -> new ServiceBusMessage("m" + i))
                        .toList());
            }
        }
        assertThat(Duration.between(start, ticking.now())).isGreaterThan(Duration.ofSeconds(1));
        assertThat(ticking.counts("q").active()).isEqualTo(3 * CREDITS);
    }
}
