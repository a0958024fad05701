package dev.jitney.conformance.security;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.conformance.support.TestBroker;
import dev.jitney.testing.amqp.RawMessage;
import dev.jitney.testing.amqp.RawPeer;
import dev.jitney.testing.amqp.RawSession;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests of several namespaces in one process. The first label of the client's host name selects the namespace. */
class NamespacesTest {
    @RegisterExtension
    static final TestBroker broker = TestBroker.configured("""
            {"UserConfig": {
              "Namespaces": [
                {"Name": "first-ns", "Queues": [{"Name": "shared", "Properties": {}}]},
                {"Name": "second-ns", "Queues": [
                  {"Name": "shared", "Properties": {}}, {"Name": "only-second", "Properties": {}}]}
              ],
              "Logging": {"Type": "File"}
            }}
            """);

    private static RawPeer open(String hostname) {
        return open(RawPeer.silent(broker.amqpPort()), hostname);
    }

    private static RawPeer open(RawPeer peer, String hostname) {
        peer.sasl("ANONYMOUS", new byte[0]);
        peer.open(hostname);
        return peer.authorise(TestBroker.RULE, TestBroker.KEY);
    }

    @Test
    @DisplayName("Queues of the same name in two namespaces are two queues")
    void sameNameInTwoNamespaces() {
        try (RawPeer first = open("localhost");
                RawPeer second = open("SECOND-NS.localhost:5672")) {
            RawSession inFirst = first.begin();
            RawSession inSecond = second.begin();
            inFirst.sender("shared").sendAccepted(RawMessage.ofData("of the first"));
            inSecond.sender("shared").sendAccepted(RawMessage.ofData("of the second"));
            assertThat(inSecond.deletingReceiver("shared")
                            .receiveOne()
                            .message()
                            .dataText())
                    .isEqualTo("of the second");
            assertThat(broker.counts("shared").active()).isEqualTo(1);
            assertThat(inFirst.trySender("only-second").awaitDetachCondition()).isEqualTo("amqp:not-found");
            inSecond.sender("only-second");
        }
    }

    @Test
    @DisplayName("Wire 1.7: inside a WebSocket the host name in AMQP's open is used, not the one in the HTTP request")
    void insideWebSocket() {
        try (RawPeer second = open(RawPeer.silent(broker.webSocket()), "second-ns.localhost")) {
            second.begin().sender("only-second");
        }
    }

    @Test
    @DisplayName("Any other name selects the first namespace")
    void otherNames() {
        try (RawPeer peer = open("whatever.example.org")) {
            assertThat(peer.begin().trySender("only-second").awaitDetachCondition())
                    .isEqualTo("amqp:not-found");
        }
    }
}
