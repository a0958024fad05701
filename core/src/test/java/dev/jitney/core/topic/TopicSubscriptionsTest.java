package dev.jitney.core.topic;

import static dev.jitney.core.topic.TopicFixture.message;
import static dev.jitney.core.topic.TopicFixture.rule;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jitney.core.topic.TopicFixture.Subscription;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.MessageView;
import dev.jitney.model.SubQueue;
import dev.jitney.model.SubscriptionDescription;
import dev.jitney.model.TopicDescription;
import dev.jitney.model.rule.RuleDescription;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The rules of all subscriptions and their copies")
final class TopicSubscriptionsTest {
    private final TopicFixture f = new TopicFixture(TopicDescription.named("t").build());

    private List<@Nullable Object> received(Subscription by, String property) {
        return f.drain(by, SubQueue.MAIN).stream()
                .<@Nullable Object>map(copy -> Sent.properties(copy).get(property))
                .toList();
    }

    private static Sent sent(int a) {
        return Sent.of("m").with("a", a);
    }

    @Test
    @DisplayName("SCN-7, RULE-5, RULE-6: two rules with actions and three without result in three copies")
    void worksThroughScenario7() {
        Subscription s = f.subscribe(
                "s",
                rule("p1", "a=1"),
                rule("r1", "a=1", "SET x=1"),
                rule("p2", "a=1"),
                rule("r2", "a=1", "SET x=2"),
                rule("p3", "a=1"));
        f.send(sent(1).message());
        List<MessageView> copies = f.drain(s, SubQueue.MAIN);
        assertThat(copies)
                .extracting(copy -> Sent.properties(copy).get("RuleName"))
                .containsExactly(null, "r1", "r2");
        assertThat(copies).extracting(copy -> Sent.properties(copy).get("x")).containsExactly(null, 1L, 2L);
        assertThat(copies).extracting(Sent::text).containsOnly("m");
        assertThat(f.rows.bodies).as("shared by all copies").isEmpty();
    }

    @Test
    @DisplayName("SCN-8, FILTER-18, DLQ-15: a failing filter dead-letters its copy; the other subscriptions get theirs")
    void worksThroughScenario8() {
        Subscription s = f.subscribe("s", rule("r", "a+1=2"));
        Subscription s2 = f.subscribe("s2");
        assertThat(f.send(Sent.of("m").with("a", "1").message()).rejection()).isNull();
        assertThat(f.drain(s2, SubQueue.MAIN)).hasSize(1);
        assertThat(f.drain(s, SubQueue.MAIN)).isEmpty();
        assertThat(Sent.properties(f.drain(s, SubQueue.DEAD_LETTER).get(0)))
                .containsEntry("DeadLetterReason", "FilterException")
                .containsEntry(
                        "DeadLetterErrorDescription",
                        "Expected values with a type that '+' supports, but got a string and a long.");
    }

    @Test
    @DisplayName("RULE-3, RULE-4, RULE-11: rules take effect from their creation to their removal, and plain matches"
            + " share one copy")
    void rulesComeAndGo() {
        Subscription s = f.subscribe("s", rule("one", "a=1"), rule("two", "a=1 OR a=2"));
        long id = s.subscriber.entityId();
        f.send(sent(1).message());
        assertThat(f.drain(s, SubQueue.MAIN)).hasSize(1);
        f.matcher.putRule(id, rule("ONE", "a=3"));
        f.matcher.removeRule(id, "TWO");
        f.matcher.removeRule(id, "nothing");
        f.matcher.removeRule(99, "nothing");
        f.send(sent(1).message(), sent(2).message(), sent(3).message());
        assertThat(received(s, "a")).containsExactly(3);
        f.matcher.removeRule(id, "one");
        f.send(sent(3).message());
        assertThat(f.drain(s, SubQueue.MAIN)).isEmpty();
    }

    @Test
    @DisplayName("FILTER-4: filters see only properties; a property with the name of a part of the body is an ordinary"
            + " property")
    void neverReadsTheBody() {
        Subscription any = f.subscribe("any", rule("r", "body IS NOT NULL OR data IS NOT NULL OR value IS NOT NULL"));
        Subscription own = f.subscribe("own", rule("r", "body = 'property'"));
        f.send(message("body"));
        assertThat(f.drain(any, SubQueue.MAIN)).isEmpty();
        f.send(Sent.of("body").with("body", "property").message());
        assertThat(f.drain(any, SubQueue.MAIN)).hasSize(1);
        assertThat(f.drain(own, SubQueue.MAIN)).hasSize(1);
    }

    @Test
    @DisplayName("An existing subscriber that is added again keeps its rules and its position; a removed one loses"
            + " both")
    void subscribersComeAndGo() {
        Subscription a = f.subscribe("a");
        Subscription b = f.subscribe("b", rule("r", "a=1"));
        Subscription c = f.subscribe("c");
        Subscriber renewed = new Subscriber(
                a.subscriber.entityId(),
                SubscriptionDescription.of("t", "a").maxDeliveryCount(3).build(),
                a.state());
        f.matcher.putSubscriber(renewed);
        assertThat(subscribers(sent(1).message())).containsExactly(renewed, b.subscriber, c.subscriber);
        f.matcher.removeSubscriber(b.subscriber.entityId());
        f.matcher.removeSubscriber(99);
        assertThat(f.matcher.subscriberCount()).isEqualTo(2);
        assertThat(subscribers(sent(1).message())).containsExactly(renewed, c.subscriber);
        f.matcher.putSubscriber(b.subscriber);
        assertThat(subscribers(sent(1).message())).as("without its rules").containsExactly(renewed, c.subscriber);
        f.matcher.putRule(b.subscriber.entityId(), RuleDescription.takeEverything());
        assertThat(subscribers(sent(1).message())).containsExactly(renewed, c.subscriber, b.subscriber);
        assertThatThrownBy(() -> f.matcher.putRule(99, RuleDescription.takeEverything()))
                .isInstanceOf(IllegalStateException.class);
    }

    private List<Subscriber> subscribers(IncomingMessage message) {
        return f.matcher.matches(message, 1, f.nowMs).stream()
                .map(Match::subscriber)
                .toList();
    }

    @Test
    @DisplayName("RULE-5: a replaced rule keeps its position among the copies")
    void replacedRuleKeepsItsPlace() {
        Subscription s = f.subscribe("s", rule("r1", "1=1", "SET x=1"), rule("r2", "1=1", "SET x=2"));
        f.send(message("m"));
        f.matcher.putRule(s.subscriber.entityId(), rule("R1", "1=1", "SET x=3"));
        f.send(message("m"));
        assertThat(received(s, "RuleName")).containsExactly("r1", "r2", "R1", "r2");
    }
}
