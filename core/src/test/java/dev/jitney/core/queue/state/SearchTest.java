package dev.jitney.core.queue.state;

import static dev.jitney.core.queue.state.QueueFixture.bodies;
import static dev.jitney.core.queue.state.QueueFixture.given;
import static dev.jitney.core.queue.state.QueueFixture.message;
import static dev.jitney.core.queue.state.QueueFixture.numbers;
import static dev.jitney.core.queue.state.QueueFixture.queue;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.core.Command.SearchMessages;
import dev.jitney.core.Reply;
import dev.jitney.core.SearchFilter;
import dev.jitney.core.SearchState;
import dev.jitney.model.EntityStatus;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.MessageContent;
import dev.jitney.model.MessageState;
import dev.jitney.model.MessageView;
import dev.jitney.model.SubQueue;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The search for messages by state and filter")
class SearchTest {
    private static final Set<SearchState> ALL = EnumSet.allOf(SearchState.class);

    private QueueFixture q = given(queue());

    @AfterEach
    void replayEqualsLive() {
        q.replayEqualsLive();
    }

    private Reply.Found search(
            SubQueue subQueue, long from, Set<SearchState> states, @Nullable String filter, int countMax) {
        return (Reply.Found) q.accepted(
                new SearchMessages(subQueue, from, states, filter == null ? null : compiled(filter), countMax));
    }

    private static SearchFilter compiled(String filter) {
        return Objects.requireNonNull(SearchFilter.compile(filter).filter());
    }

    /** Returns all messages that a search finds, continued to its end. */
    private List<MessageView> all(SubQueue subQueue, Set<SearchState> states, @Nullable String filter) {
        List<MessageView> all = new ArrayList<>();
        long next = 0;
        while (next != Reply.Found.END) {
            Reply.Found found = search(subQueue, next, states, filter, 7);
            all.addAll(found.messages());
            assertThat(found.next()).as("the place to continue").isGreaterThan(next);
            next = found.next();
        }
        return all;
    }

    @Test
    @DisplayName("selects each message by its state, in the order of the sequence numbers")
    void states() {
        q.send("active");
        q.send(message("scheduled").scheduledAt(QueueFixture.START_MS + 60_000).build());
        q.send("locked");
        q.send("deferred");
        MessageView active = q.receive();
        MessageView locked = q.receive();
        q.defer(q.receive());
        q.release(active);

        Map<SearchState, String> expected = Map.of(
                SearchState.ACTIVE, "active",
                SearchState.SCHEDULED, "scheduled",
                SearchState.LOCKED, "locked",
                SearchState.DEFERRED, "deferred");
        expected.forEach((state, body) ->
                assertThat(bodies(all(SubQueue.MAIN, Set.of(state), null))).containsExactly(body));
        List<MessageView> all = all(SubQueue.MAIN, ALL, null);
        assertThat(bodies(all)).containsExactly("active", "scheduled", "locked", "deferred");
        assertThat(all.stream().map(MessageView::state))
                .containsExactly(
                        MessageState.ACTIVE, MessageState.SCHEDULED, MessageState.ACTIVE, MessageState.DEFERRED);
        assertThat(all.get(2).lockedUntilMs()).isEqualTo(locked.lockedUntilMs());
        assertThat(all.get(2).lockToken())
                .as("the token, which would let others settle it")
                .isNull();
        assertThat(all.get(0).lockedUntilMs()).isZero();
    }

    @Test
    @DisplayName("a deferred message that was received by number is locked")
    void lockedDeferred() {
        long number = q.send("a");
        q.defer(q.receive());
        q.receiveDeferred(number);

        assertThat(bodies(all(SubQueue.MAIN, Set.of(SearchState.LOCKED), null))).containsExactly("a");
        assertThat(all(SubQueue.MAIN, Set.of(SearchState.DEFERRED), null)).isEmpty();
    }

    @Test
    @DisplayName("a filter reads the properties of stored messages, among them those that the broker has set")
    void filter() {
        for (int i = 1; i <= 5; i++) {
            q.send("m" + i);
        }
        q.abandon(q.receive());
        assertThat(bodies(all(SubQueue.MAIN, ALL, "sys.SequenceNumber > 2 AND sys.SequenceNumber <> 4")))
                .containsExactly("m3", "m5");
        assertThat(bodies(all(SubQueue.MAIN, ALL, "sys.DeliveryCount = 1"))).containsExactly("m1");

        q.deadLetter(q.receive());
        assertThat(bodies(all(SubQueue.DEAD_LETTER, ALL, "DeadLetterReason IS NOT NULL OR sys.DeliveryCount >= 1")))
                .containsExactly("m1");
        assertThat(all(SubQueue.DEAD_LETTER, ALL, "color = 'red'")).isEmpty();
        assertThat(all(SubQueue.DEAD_LETTER, Set.of(SearchState.SCHEDULED), null))
                .isEmpty();
    }

    private static IncomingMessage data(String body) {
        byte[] text = body.getBytes(StandardCharsets.UTF_8);
        ByteBuffer section = ByteBuffer.allocate(8 + text.length);
        section.put(new byte[] {0x00, 0x53, 0x75, (byte) 0xb0})
                .putInt(text.length)
                .put(text);
        ByteBuffer nothing = ByteBuffer.allocate(0);
        MessageContent content = MessageContent.of(true, 4, false, nothing, nothing, nothing, section.flip());
        return IncomingMessage.of(content)
                .sizes(content.sizeBytes(), 0, 0)
                .sent(null, 0)
                .build();
    }

    @Test
    @DisplayName("a filter reads the bodies of messages, as text and as JSON")
    void bodyFilter() {
        for (int i = 1; i <= 300; i++) {
            q.send(data("{\"id\": " + i + ", \"name\": \"name " + i % 10 + "\"}"));
        }
        assertThat(numbers(all(SubQueue.MAIN, ALL, "json('$.id') = 277"))).containsExactly(277L);
        assertThat(numbers(all(SubQueue.MAIN, ALL, "body CONTAINS 'name 7' AND json('$.id') > 280")))
                .containsExactly(287L, 297L);
        assertThat(all(SubQueue.MAIN, ALL, "body CONTAINS 'Name'")).isEmpty();
    }

    @Test
    @DisplayName("the bytes of bodies that a filter reads end a command earlier")
    void longBodies() {
        String padding = "[1,2,3],".repeat(5_000);
        for (int i = 1; i <= 24; i++) {
            q.send(data("{\"padding\": [" + padding + "0], \"id\": " + i + "}"));
        }
        assertThat(search(SubQueue.MAIN, 0, ALL, null, 100).scanned()).isEqualTo(24);
        assertThat(search(SubQueue.MAIN, 0, ALL, "json('$.id') = 24", 100).scanned())
                .isBetween(8, 23);
        assertThat(numbers(all(SubQueue.MAIN, ALL, "json('$.id') = 24"))).containsExactly(24L);
    }

    @Test
    @DisplayName("a body that is too large to be searched is counted as failed, and the search continues after it")
    void largeBody() {
        q = given(queue().maxMessageSizeInKilobytes(100_000L));
        q.send(data("first"));
        q.send(data("x".repeat(2_000_000)));
        q.send(data("the last"));
        Reply.Found first = search(SubQueue.MAIN, 0, ALL, "body CONTAINS 'last'", 10);
        assertThat(first.scanned()).as("a large body has a command of its own").isEqualTo(1);
        Reply.Found second = search(SubQueue.MAIN, first.next(), ALL, "body CONTAINS 'last'", 10);

        assertThat(second.scanned()).isEqualTo(1);
        assertThat(second.failed()).isEqualTo(1);
        assertThat(second.failure()).contains("first 1048576 bytes");
        assertThat(numbers(all(SubQueue.MAIN, ALL, "body CONTAINS 'last'"))).containsExactly(3L);
        assertThat(numbers(all(SubQueue.MAIN, ALL, "body NOT CONTAINS 'last'"))).containsExactly(1L);
    }

    @Test
    @DisplayName("messages for which the filter fails are counted, with the reason")
    void failures() {
        q.send("a");
        q.send("b");
        Reply.Found found = search(SubQueue.MAIN, 0, ALL, "sys.SequenceNumber / 0 = 1", 10);

        assertThat(found.messages()).isEmpty();
        assertThat(found.failed()).isEqualTo(2);
        assertThat(found.failure()).isNotBlank();
        assertThat(found.scanned()).isEqualTo(2);
    }

    @Test
    @DisplayName("one command looks at 256 messages or a mebibyte at most, and says where to continue")
    void slices() {
        for (int i = 1; i <= 600; i++) {
            q.send(
                    i % 3 == 0
                            ? message("s")
                                    .scheduledAt(QueueFixture.START_MS + 60_000)
                                    .build()
                            : message("m").build());
        }
        Reply.Found first = search(SubQueue.MAIN, 0, ALL, "sys.SequenceNumber = 599", 10);
        assertThat(first.messages()).isEmpty();
        assertThat(first.scanned()).isBetween(256, 512);
        assertThat(first.next()).isEqualTo(first.scanned() + 1);
        assertThat(numbers(all(SubQueue.MAIN, ALL, null))).hasSize(600).isSorted();
        assertThat(numbers(all(SubQueue.MAIN, ALL, "sys.SequenceNumber = 599"))).containsExactly(599L);

        q = given(queue());
        String body = "x".repeat(200_000);
        for (int i = 0; i < 12; i++) {
            q.send(body);
        }
        assertThat(search(SubQueue.MAIN, 0, ALL, null, 100).messages()).hasSize(6);
        assertThat(all(SubQueue.MAIN, ALL, null)).hasSize(12);
    }

    @Test
    @DisplayName("a long filter ends a command earlier, because each of its operators takes time")
    void longFilter() {
        for (int i = 1; i <= 256; i++) {
            q.send("m");
        }
        String longFilter = String.join(" OR ", Collections.nCopies(140, "a=1"));

        assertThat(search(SubQueue.MAIN, 0, ALL, "a=1", 10).scanned()).isEqualTo(256);
        assertThat(search(SubQueue.MAIN, 0, ALL, longFilter, 10).scanned()).isBetween(10, 255);
        assertThat(all(SubQueue.MAIN, ALL, longFilter)).isEmpty();
    }

    @Test
    @DisplayName("the count of messages is limited, and the search continues with the next one")
    void count() {
        for (int i = 1; i <= 5; i++) {
            q.send("m" + i);
        }
        Reply.Found found = search(SubQueue.MAIN, 2, ALL, null, 2);
        assertThat(bodies(found.messages())).containsExactly("m2", "m3");
        assertThat(found.next()).isEqualTo(4);
        assertThat(search(SubQueue.MAIN, 4, ALL, null, 2).next()).isEqualTo(Reply.Found.END);
        assertThat(q.refusedAs(new SearchMessages(SubQueue.MAIN, 0, ALL, null, 0)))
                .isEqualTo(ErrorCode.OUT_OF_RANGE);
    }

    @Test
    @DisplayName("a disabled queue can be searched, because operators look for the reason")
    void disabled() {
        q.send("a");
        q.update(queue().status(EntityStatus.DISABLED));

        assertThat(bodies(all(SubQueue.MAIN, ALL, null))).containsExactly("a");
    }
}
