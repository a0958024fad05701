package dev.jitney.core.topic;

import static dev.jitney.core.topic.TopicFixture.START_MS;
import static dev.jitney.core.topic.TopicFixture.rule;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.codec.PropertyField;
import dev.jitney.core.Command;
import dev.jitney.core.Record.ScheduledMessagePublished;
import dev.jitney.core.topic.Match.ChangedCopy;
import dev.jitney.core.topic.TopicFixture.Subscription;
import dev.jitney.core.topic.decide.TopicDecider;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.SubQueue;
import dev.jitney.model.TopicDescription;
import dev.jitney.model.rule.RuleDescription;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The limits of one step of a topic")
final class TopicBoundsTest {
    private final TopicFixture f = new TopicFixture(TopicDescription.named("t").build());

    private static Sent later(String text) {
        return Sent.of(text)
                .annotated("x-opt-scheduled-enqueue-time", Instant.ofEpochMilli(START_MS + 1_000))
                .with(PropertyField.MESSAGE_ID, "m");
    }

    /** Returns a matcher whose subscription gets that many copies of every message. */
    private static SubscriptionMatcher greedy(Subscription subscription, int copies) {
        return (message, number, nowMs) -> List.of(new Match(
                subscription.subscriber, false, Collections.nCopies(copies, new ChangedCopy(message, Map.of())), null));
    }

    private FanOut send(SubscriptionMatcher matcher, IncomingMessage... messages) {
        return TopicDecider.send(
                f.topic,
                TopicDescription.named("t").build(),
                matcher,
                new Command.SendMessages(List.of(messages)),
                0,
                f.situation());
    }

    @Test
    @DisplayName("A send that creates more copies than a step allows is refused as a whole")
    void boundsCopies() {
        Subscription s = f.subscribe("s");
        IncomingMessage message = Sent.of("m").message();
        assertThat(send(greedy(s, 125_000), message, message).copies()).hasSize(250_000);
        FanOut refused = send(greedy(s, 125_001), message, message);
        assertThat(refused.rejection().code()).isEqualTo(ErrorCode.MESSAGE_SIZE_EXCEEDED);
        assertThat(refused.rejection().description()).endsWith("Send smaller batches.");
        assertThat(refused.copies()).isEmpty();
    }

    @Test
    @DisplayName("A send whose copies get too large through actions is refused as a whole")
    void boundsOwnContent() {
        f.subscribe("s", relabelling(300));
        IncomingMessage large =
                Sent.of("x".repeat(200_000)).with(PropertyField.MESSAGE_ID, "m").message();
        assertThat(f.send(large).rejection()).isNull();
        f.subscribe("s2", relabelling(40));
        assertThat(f.send(large).rejection().code()).isEqualTo(ErrorCode.MESSAGE_SIZE_EXCEEDED);
        assertThat(f.topic.lastSequenceNumber()).isEqualTo(1);
    }

    private static RuleDescription[] relabelling(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> rule("r" + i, "1=1", "SET sys.Label='" + i + "'"))
                .toArray(RuleDescription[]::new);
    }

    @Test
    @DisplayName("User properties that an action sets count too")
    void boundsOverrides() {
        String action = "bcdefghij"
                .chars()
                .mapToObj(name -> "SET " + (char) name + " = a")
                .collect(Collectors.joining("; "));
        f.subscribe(
                "s",
                IntStream.range(0, 400)
                        .mapToObj(i -> rule("r" + i, "1=1", action))
                        .toArray(RuleDescription[]::new));
        Sent sent = Sent.of("m").with("a", "x".repeat(32_000));
        assertThat(f.send(sent.message()).rejection().code()).isEqualTo(ErrorCode.MESSAGE_SIZE_EXCEEDED);
    }

    @Test
    @DisplayName("SCHED-3: due messages are limited to four megabytes of content at a time")
    void boundsDueMessages() {
        Subscription s = f.subscribe("s");
        for (int i = 0; i < 30; i++) {
            assertThat(f.send(later("x".repeat(200 * 1_024)).message()).rejection())
                    .isNull();
        }
        f.nowMs += 1_000;
        f.publishDue();
        assertThat(f.topic.counts().scheduled()).isEqualTo(9);
        f.publishDue();
        assertThat(f.topic.counts().scheduled()).isZero();
        assertThat(s.state().counts().active()).isEqualTo(30);
    }

    @Test
    @DisplayName("SCHED-7: a due message that exceeds the step waits for the next one; a single one is always"
            + " published")
    void boundsPublishing() {
        Subscription s = f.subscribe("s");
        f.send(later("one").message(), later("two").message(), later("three").message());
        f.nowMs += 1_000;
        f.topic.fillTimers(f.rows);
        for (int copies : new int[] {100_000, 250_000, 300_000}) {
            FanOut step = TopicDecider.publishDue(
                    f.topic, TopicDescription.named("t").build(), greedy(s, copies), f.situation(), 100, () -> true);
            int messages = copies == 100_000 ? 2 : 1;
            assertThat(step.records())
                    .filteredOn(ScheduledMessagePublished.class::isInstance)
                    .hasSize(messages);
            assertThat(step.copies()).hasSize(messages * copies);
        }
    }

    @Test
    @DisplayName("A due message whose copies get too large through actions is dead-lettered in the affected"
            + " subscription")
    void boundsOwnContentOfADueMessage() {
        Subscription s = f.subscribe("s", relabelling(360));
        f.subscribe("s2");
        f.send(later("x".repeat(200_000)).message());
        f.nowMs += 1_000;
        f.publishDue();
        assertThat(f.topic.counts().scheduled()).isZero();
        assertThat(s.state().counts().active()).isEqualTo(336);
        assertThat((String)
                        Sent.properties(f.drain(s, SubQueue.DEAD_LETTER).get(0)).get("DeadLetterErrorDescription"))
                .startsWith("Expected the copies of one message to take at most 67108864 bytes");
    }
}
