package dev.jitney.core.topic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.codec.PropertyField;
import dev.jitney.codec.Unsigned;
import dev.jitney.core.DuplicateKey;
import dev.jitney.core.Record;
import dev.jitney.core.Reply;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.SubQueue;
import dev.jitney.model.TopicDescription;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** DUP-10: a topic detects duplicates once, and its subscriptions do not. */
final class TopicDuplicatesTest {
    private static final long MINUTE = 60_000;

    private static TopicDescription.Builder detecting() {
        return TopicDescription.named("t").requiresDuplicateDetection(true);
    }

    private final TopicFixture f = new TopicFixture(detecting().build());

    private static IncomingMessage withId(String id) {
        return Sent.of(id).message();
    }

    private static Reply.Sent sent(FanOut fanOut) {
        assertThat(fanOut.rejection()).isNull();
        return (Reply.Sent) fanOut.reply();
    }

    @Test
    @DisplayName("DUP-10: a duplicate creates no copy in any subscription and has no number")
    void duplicatesMakeNoCopies() {
        TopicFixture.Subscription a = f.subscribe("a");
        TopicFixture.Subscription b = f.subscribe("b");
        f.send(withId("X"));

        FanOut again = f.send(withId("X"), withId("Y"), withId("Y"));

        assertThat(sent(again).sequenceNumbers()).containsExactly(1, 2, 2);
        assertThat(sent(again).duplicates()).containsExactly(0, 2);
        assertThat(again.copies()).hasSize(2);
        assertThat(f.drain(a, SubQueue.MAIN)).hasSize(2);
        assertThat(f.drain(b, SubQueue.MAIN)).hasSize(2);
        assertThat(a.rows.acceptedIds).isEmpty();
    }

    @Test
    @DisplayName("DUP-10: copies to which an action gives the same id are not duplicates")
    void actionsAreNotChecked() {
        TopicFixture.Subscription a = f.subscribe("a", TopicFixture.rule("r", "1=1", "SET sys.MessageId = 'same'"));
        f.send(withId("X"), withId("Y"));
        f.send(withId("same"));
        assertThat(f.drain(a, SubQueue.MAIN)).hasSize(3);
    }

    @Test
    @DisplayName("DUP-5: an id counts even if its message matched no subscription")
    void withoutSubscribers() {
        f.send(withId("X"));
        TopicFixture.Subscription late = f.subscribe("late");
        assertThat(sent(f.send(withId("X"))).duplicates()).containsExactly(0);
        assertThat(f.drain(late, SubQueue.MAIN)).isEmpty();
    }

    @Test
    @DisplayName("DUP-12: the ids of a refused send are not kept")
    void refused() {
        TopicFixture filtering = new TopicFixture(
                detecting().enableFilteringMessagesBeforePublishing(true).build());
        filtering.subscribe("a", TopicFixture.rule("r", "sys.MessageId = 'Y'"));
        assertThat(filtering.send(withId("Y"), withId("X")).rejection()).isNotNull();
        assertThat(filtering.rows.acceptedIds).isEmpty();
        assertThat(sent(filtering.send(withId("Y"))).duplicates()).isEmpty();
    }

    @Test
    @DisplayName("SCHED-9: a scheduled message is checked when it is sent, not when it is published")
    void scheduled() {
        TopicFixture.Subscription a = f.subscribe("a");
        IncomingMessage later = Sent.of("X")
                .annotated("x-opt-scheduled-enqueue-time", Instant.ofEpochMilli(TopicFixture.START_MS + MINUTE))
                .message();
        f.send(later);
        FanOut again = f.send(later);
        assertThat(sent(again).sequenceNumbers()).containsExactly(1);
        assertThat(again.records()).isEmpty();
        f.nowMs += MINUTE;
        f.publishDue();
        assertThat(sent(f.send(withId("X"))).duplicates()).containsExactly(0);
        assertThat(f.drain(a, SubQueue.MAIN)).hasSize(1);
    }

    @Test
    @DisplayName("the record of an id follows that of its message")
    void records() {
        f.subscribe("a");
        assertThat(f.send(withId("X")).records())
                .hasExactlyElementsOfTypes(Record.MessagePublished.class, Record.MessageIdAccepted.class);
    }

    @Test
    @DisplayName("DUP-6: ids of different types are different, even if their texts are equal")
    void types() {
        UUID uuid = new UUID(0x1234, 0x5678);
        IncomingMessage[] messages = {
            withId("7"),
            typed(Unsigned.ofLong(7)),
            withId(uuid.toString()),
            typed(uuid),
            withId("0aff"),
            typed(new byte[] {0x0a, (byte) 0xff})
        };
        assertThat(sent(f.send(messages)).duplicates()).isEmpty();
        f.nowMs++;
        assertThat(sent(f.send(messages)).duplicates()).containsExactly(0, 1, 2, 3, 4, 5);
        assertThat(f.rows.acceptedIds.firstEntry().getValue().keySet())
                .extracting(DuplicateKey::type)
                .containsExactly(
                        DuplicateKey.Type.STRING,
                        DuplicateKey.Type.ULONG,
                        DuplicateKey.Type.STRING,
                        DuplicateKey.Type.UUID,
                        DuplicateKey.Type.STRING,
                        DuplicateKey.Type.BINARY);
    }

    private static IncomingMessage typed(Object id) {
        return Sent.of("m").with(PropertyField.MESSAGE_ID, id).message();
    }
}
