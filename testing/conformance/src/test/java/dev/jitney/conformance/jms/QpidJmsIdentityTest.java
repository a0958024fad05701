package dev.jitney.conformance.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jitney.conformance.support.TestBroker;
import dev.jitney.server.identity.OidcSettings;
import dev.jitney.server.identity.RoleMap;
import dev.jitney.server.identity.TestIdentityProvider;
import dev.jitney.server.identity.TestIssuer;
import jakarta.jms.Connection;
import jakarta.jms.JMSSecurityException;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.util.List;
import org.apache.qpid.jms.JmsConnectionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A third-party AMQP client at a server that also offers SASL XOAUTH2 and OAUTHBEARER. */
class QpidJmsIdentityTest {
    private static final TestIdentityProvider PROVIDER = new TestIdentityProvider();

    @RegisterExtension
    static final TestBroker broker = TestBroker.ticking(b -> b.identityProvider(new OidcSettings(
            PROVIDER.issuer().issuer(),
            List.of(TestIssuer.AUDIENCE),
            null,
            null,
            null,
            0,
            OidcSettings.NAME_CLAIM,
            OidcSettings.ROLE_CLAIMS,
            RoleMap.of(List.of("worker=Send,Listen")))));

    @AfterAll
    static void stop() {
        PROVIDER.close();
    }

    private static void sendAndReceive(String user, String password, String options) throws Exception {
        String queue = broker.queue();
        String uri = "amqp://localhost:" + broker.amqpPort() + "?jms.connectTimeout=60000" + options;
        try (Connection connection = new JmsConnectionFactory(user, password, uri).createConnection()) {
            connection.start();
            Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
            session.createProducer(session.createQueue(queue)).send(session.createTextMessage("m"));
            TextMessage message = (TextMessage)
                    session.createConsumer(session.createQueue(queue)).receive(60_000);
            assertThat(message.getText()).isEqualTo("m");
        }
    }

    @Test
    @DisplayName("A token sent with XOAUTH2 permits what its role permits")
    void token() throws Exception {
        String token =
                PROVIDER.issuer().token(PROVIDER.issuer().claims("worker", System.currentTimeMillis(), "worker"));
        sendAndReceive("worker", token, "&amqp.saslMechanisms=XOAUTH2");
        assertThatThrownBy(() -> sendAndReceive("worker", token + "x", "&amqp.saslMechanisms=XOAUTH2"))
                .isInstanceOf(JMSSecurityException.class);
    }

    @Test
    @DisplayName("A client with a key that chooses the mechanism itself still takes PLAIN")
    void keyWithoutAMechanism() throws Exception {
        sendAndReceive(TestBroker.RULE, TestBroker.KEY, "");
    }
}
