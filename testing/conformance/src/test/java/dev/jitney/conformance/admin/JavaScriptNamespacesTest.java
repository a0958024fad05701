package dev.jitney.conformance.admin;

import dev.jitney.conformance.js.Node;
import dev.jitney.conformance.support.OrdinaryOnly;
import dev.jitney.conformance.support.TestBroker;
import dev.jitney.model.AccessRight;
import dev.jitney.model.AccessRule;
import dev.jitney.model.TierProfile;
import dev.jitney.runtime.Broker;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The JavaScript SDK in a namespace that was made at run time, over an address that names no namespace. */
@OrdinaryOnly("the namespace and nothing else is of interest")
class JavaScriptNamespacesTest {
    @RegisterExtension
    static final TestBroker broker = TestBroker.withOnePort();

    private String team;

    @BeforeEach
    void create() throws Exception {
        String key = "key-of-the-team-which-is-long-enough-to-be-good";
        AccessRule rule = new AccessRule("team-root", Set.of(AccessRight.values()), key, null);
        served().createNamespace("team", TierProfile.STANDARD, List.of(rule))
                .toCompletableFuture()
                .get(30, TimeUnit.SECONDS);
        team = broker.connectionString()
                .replaceFirst("SharedAccessKeyName=[^;]*", "SharedAccessKeyName=team-root")
                .replaceFirst("SharedAccessKey=[^;]*", "SharedAccessKey=" + key);
    }

    @AfterEach
    void delete() throws Exception {
        if (served().namespaces().size() > 1) {
            served().deleteNamespace("team").toCompletableFuture().get(30, TimeUnit.SECONDS);
        }
    }

    private static Broker served() {
        return broker.server().broker();
    }

    @TestFactory
    @DisplayName("JavaScript clients find the namespace by the name of their key")
    Stream<DynamicTest> javaScript() {
        return Node.in("js")
                .run(
                        Map.of(
                                "SERVICEBUS_CONNECTION_STRING", broker.connectionString(),
                                "TEAM_CONNECTION_STRING", team,
                                "NODE_EXTRA_CA_CERTS", broker.caFile().toString()),
                        "--test",
                        "--test-reporter=spec",
                        "namespaces/namespaces.test.mjs")
                .tests("namespaces.test.mjs");
    }
}
