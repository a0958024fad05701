package dev.jitney.conformance.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.conformance.support.RawTest;
import dev.jitney.testing.amqp.RawDelivery;
import dev.jitney.testing.amqp.RawLink;
import dev.jitney.testing.amqp.RawMessage;
import dev.jitney.testing.amqp.RawRequests;
import dev.jitney.testing.amqp.Sessions;
import org.junit.jupiter.api.BeforeEach;

/** A base class with a queue that requires sessions, a raw connection, and requests about sessions. */
abstract class RawSessionTest extends RawTest {
    static final String LOST = "com.microsoft:session-lock-lost";

    String queue;

    @BeforeEach
    void createQueue() {
        queue = broker.queue(q -> q.requiresSession(true).lockDurationMs(30_000));
    }

    void sendTo(String sessionId, String... texts) {
        RawLink sender = session.sender(queue);
        for (String text : texts) {
            sender.sendAccepted(Sessions.message(sessionId, text));
        }
    }

    RawLink accept(String sessionId) {
        return Sessions.accept(session, queue, sessionId);
    }

    static String text(RawDelivery delivery) {
        return delivery.message().dataText();
    }

    RawRequests management() {
        return RawRequests.open(session, queue + "/$management");
    }

    static void assertRefused(RawMessage answer, int status, String condition) {
        assertThat(answer.applicationProperty("statusCode").number())
                .as(answer.toString())
                .isEqualTo(status);
        assertThat(answer.applicationProperty("errorCondition").text()).isEqualTo(condition);
    }

    static String refusal(RawLink link) {
        assertThat(link.attachReply().field(5).isNull())
                .as(link.attachReply().toString())
                .isTrue();
        return link.awaitDetachCondition();
    }
}
