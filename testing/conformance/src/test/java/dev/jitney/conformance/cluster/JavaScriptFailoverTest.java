package dev.jitney.conformance.cluster;

import dev.jitney.conformance.js.Node;
import dev.jitney.conformance.support.CheckProgram;
import dev.jitney.conformance.support.TestBroker;
import dev.jitney.testing.process.NodeProcess;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Runs {@code js/failover.mjs}: the JavaScript SDK with default options over a change of the leader. */
class JavaScriptFailoverTest {
    @RegisterExtension
    static final ClusterOfThree cluster = new ClusterOfThree();

    @TestFactory
    @DisplayName("CL-20, CL-23: clients at a follower, inside TLS, when the leader is killed")
    Stream<DynamicTest> kill() {
        return run(Way.TLS, cluster.follower(), Change.KILL);
    }

    @TestFactory
    @DisplayName("CL-17, CL-20, CL-23: clients at a follower, over WebSocket, when the leadership is moved by order")
    Stream<DynamicTest> moveOverWebSocket() {
        return run(Way.WEB_SOCKET, cluster.follower(), Change.MOVE);
    }

    private static Stream<DynamicTest> run(Way way, NodeProcess node, Change change) {
        String connection = "Endpoint=sb://localhost:" + node.clientPort() + ";SharedAccessKeyName=" + TestBroker.RULE
                + ";SharedAccessKey=" + TestBroker.KEY;
        Map<String, String> environment = Map.of(
                "SERVICEBUS_CONNECTION_STRING",
                connection,
                "SERVICEBUS_ADMIN_CONNECTION_STRING",
                connection,
                "JITNEY_OVER_WEBSOCKET",
                String.valueOf(way == Way.WEB_SOCKET),
                "NODE_EXTRA_CA_CERTS",
                cluster.caFile().toString());
        return CheckProgram.tests(Node.in("js").program(environment, "failover.mjs"), () -> cluster.change(change));
    }
}
