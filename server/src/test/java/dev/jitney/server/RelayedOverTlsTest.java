package dev.jitney.server;

import dev.jitney.server.tls.ClusterIdentity;
import dev.jitney.server.tls.TestAuthority;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;

/** The same, with TLS between the nodes (CL-70, CL-73). */
@DisplayName("CL-70, CL-73: with TLS between the nodes")
@Timeout(90)
class RelayedOverTlsTest extends RelayedClientsTest {
    @Override
    ClusterIdentity nodeTls() throws Exception {
        return new TestAuthority(dir.resolve("ca"))
                .node("a", "127.0.0.1")
                .ofNode("127.0.0.1", System.currentTimeMillis());
    }
}
