package dev.jitney.conformance.duplicates;

import static dev.jitney.conformance.support.PartitionedRun.inOrder;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.conformance.support.RawTest;
import dev.jitney.testing.amqp.Code;
import dev.jitney.testing.amqp.RawLink;
import dev.jitney.testing.amqp.Wire;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Tests of messages that SDKs do not send: without ids, and with ids of other types than string. */
class WireDuplicatesTest extends RawTest {

    private static byte[] withId(@Nullable Object id) {
        return Wire.encode(Wire.composite(Code.PROPERTIES, id));
    }

    private static byte[] keyedWithId(@Nullable Object id) {
        return Wire.encode(
                Wire.section(Code.MESSAGE_ANNOTATIONS, inOrder(Wire.map())), Wire.composite(Code.PROPERTIES, id));
    }

    private String detecting() {
        return broker.queue(q -> q.requiresDuplicateDetection(true));
    }

    @Test
    @DisplayName("DUP-7: messages without an id or with an empty one are not checked")
    void withoutId() {
        String queue = detecting();
        RawLink sender = session.sender(queue);
        for (int i = 0; i < 2; i++) {
            sender.sendAccepted(keyedWithId(null));
            sender.sendAccepted(keyedWithId(""));
        }
        assertThat(broker.counts(queue).active()).isEqualTo(4);
    }

    @Test
    @DisplayName("DUP-6: a uuid is a duplicate of the same uuid, not of the string with the same text")
    void uuids() {
        String queue = detecting();
        RawLink sender = session.sender(queue);
        UUID id = UUID.randomUUID();
        for (int i = 0; i < 2; i++) {
            sender.sendAccepted(withId(id));
            sender.sendAccepted(withId(id.toString()));
        }
        assertThat(broker.counts(queue).active()).isEqualTo(2);
    }
}
