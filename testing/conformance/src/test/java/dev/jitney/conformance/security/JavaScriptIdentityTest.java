package dev.jitney.conformance.security;

import dev.jitney.conformance.js.Node;
import dev.jitney.conformance.support.TestBroker;
import dev.jitney.server.identity.OidcSettings;
import dev.jitney.server.identity.RoleMap;
import dev.jitney.server.identity.TestIdentityProvider;
import dev.jitney.server.identity.TestIssuer;
import dev.jitney.server.tls.Tls;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The JavaScript SDK with a TokenCredential, whose tokens come from an identity provider on this machine. */
class JavaScriptIdentityTest {
    private static final TestIdentityProvider PROVIDER = new TestIdentityProvider();

    @RegisterExtension
    static final TestBroker broker = TestBroker.ticking(b -> b.amqpsPort(0)
            .httpsPort(0)
            .tls(Tls.auto())
            .identityProvider(new OidcSettings(
                    PROVIDER.issuer().issuer(),
                    List.of(TestIssuer.AUDIENCE),
                    null,
                    null,
                    null,
                    0,
                    OidcSettings.NAME_CLAIM,
                    OidcSettings.ROLE_CLAIMS,
                    RoleMap.of(List.of()))));

    @AfterAll
    static void stop() {
        PROVIDER.close();
    }

    @TestFactory
    @DisplayName("JavaScript clients with a TokenCredential")
    Stream<DynamicTest> javaScript() {
        return Node.in("js")
                .run(
                        Map.of(
                                "SERVICEBUS_HOST",
                                "localhost",
                                "SERVICEBUS_ENDPOINT",
                                "https://localhost:" + broker.amqpsPort(),
                                "SERVICEBUS_ADMIN_HOST",
                                "localhost:" + broker.httpsPort(),
                                "SERVICEBUS_QUEUE",
                                broker.queue(),
                                "TOKEN_URI",
                                PROVIDER.tokenUri(),
                                "NODE_EXTRA_CA_CERTS",
                                broker.caFile().toString()),
                        "--test",
                        "--test-reporter=spec",
                        "identity/identity.test.mjs")
                .tests("identity.test.mjs");
    }
}
