package dev.jitney.core.topic;

import static dev.jitney.core.topic.TopicFixture.START_MS;
import static dev.jitney.core.topic.TopicFixture.message;
import static dev.jitney.core.topic.TopicFixture.rule;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import dev.jitney.codec.ContentReader;
import dev.jitney.core.Record;
import dev.jitney.core.SendExplanation;
import dev.jitney.core.SendExplanation.Copy;
import dev.jitney.core.SendExplanation.Fate;
import dev.jitney.core.SendExplanation.OfRule;
import dev.jitney.core.SendExplanation.OfSubscription;
import dev.jitney.core.SendExplanation.Result;
import dev.jitney.core.StoredMessage;
import dev.jitney.core.filter.StepBudget;
import dev.jitney.core.filter.value.ValueDecoder;
import dev.jitney.core.queue.decide.Admission;
import dev.jitney.core.topic.TopicFixture.Subscription;
import dev.jitney.model.EncodedValue;
import dev.jitney.model.EntityStatus;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.MessageEnvelope;
import dev.jitney.model.MessageView;
import dev.jitney.model.SubQueue;
import dev.jitney.model.SubscriptionDescription;
import dev.jitney.model.TopicDescription;
import dev.jitney.model.rule.RuleDescription;
import dev.jitney.model.rule.RuleFilter.CorrelationRuleFilter;
import dev.jitney.model.rule.RuleValue;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The explanation of a send to a topic")
final class ExplanationTest {
    private static final String EXPENSIVE = "text LIKE '%" + "a".repeat(900) + "_b%'";

    private TopicFixture f = new TopicFixture(TopicDescription.named("t").build());

    private static CorrelationRuleFilter correlation(String subject, Map<String, RuleValue> properties) {
        return new CorrelationRuleFilter(null, null, null, null, subject, null, null, null, properties);
    }

    private OfSubscription only(IncomingMessage message) {
        List<SendExplanation> parts = f.explain(message);
        assertThat(parts).hasSize(1);
        assertThat(parts.get(0).subscriptions()).hasSize(1);
        return parts.get(0).subscriptions().get(0);
    }

    private static Map<String, @Nullable Object> shown(Map<String, @Nullable EncodedValue> values) {
        Map<String, @Nullable Object> shown = new LinkedHashMap<>();
        values.forEach((name, value) -> shown.put(name, value == null ? null : text(value)));
        return shown;
    }

    private static String text(EncodedValue value) {
        var decoded = ValueDecoder.decode(value);
        return decoded.kind().isText() ? decoded.text() : String.valueOf(decoded.bits());
    }

    @Test
    @DisplayName("says for each rule whether it matches, and which properties its filter has read")
    void reasons() {
        f.subscribe(
                "s",
                rule("red", "color = 'red' AND size > 5"),
                rule("missing", "weight > 3"),
                rule("broken", "color + size > 1"),
                new RuleDescription("same", correlation("new", Map.of("color", RuleValue.ofString("blue"))), null),
                rule("small", "size < 5"));

        OfSubscription explained =
                only(Sent.of("m").with("color", "blue").with("size", 3).message());

        assertThat(explained.rules())
                .extracting(each -> each.rule().name() + " " + each.result())
                .containsExactly(
                        "red NOT_MATCHED", "missing UNKNOWN", "broken FAILED", "same NOT_MATCHED", "small MATCHED");
        assertThat(shown(explained.rules().get(0).properties())).containsExactly(Map.entry("color", "blue"));
        assertThat(shown(explained.rules().get(1).properties()))
                .containsOnlyKeys("weight")
                .containsValue(null);
        assertThat(explained.rules().get(2).failure()).contains("Expected");
        assertThat(shown(explained.rules().get(3).properties()))
                .containsEntry("sys.Label", null)
                .doesNotContainKey("size");
        assertThat(explained.copies()).extracting(Copy::fate).containsExactly(Fate.STORED, Fate.DEAD_LETTERED);
    }

    @Test
    @DisplayName(
            "shows the changes of an action with the values before and after, and starts each action with the original")
    void changes() {
        f.subscribe(
                "s",
                rule("a", "1=1", "SET color = 'red'; REMOVE size; SET sys.Label = 'new'; SET rulename = 'x'"),
                rule("b", "1=1", "SET color = color + '!'"));

        OfSubscription explained =
                only(Sent.of("m").with("Color", "blue").with("size", 3).message());

        OfRule a = explained.rules().get(0);
        assertThat(a.changes())
                .extracting(change -> change.property() + ": "
                        + (change.before() == null ? "-" : text(change.before())) + " > "
                        + (change.after() == null ? "-" : text(change.after())))
                .containsExactlyInAnyOrder("sys.Label: - > new", "Color: blue > red", "size: 3 > -", "RuleName: - > a");
        assertThat(text(requireNonNull(explained.rules().get(1).changes().get(0).after())))
                .isEqualTo("blue!");
        assertThat(explained.copies()).extracting(Copy::rule).containsExactly("a", "b");
    }

    @Test
    @DisplayName("changes nothing: a send afterwards has the numbers and the copies that it would have had")
    void changesNothing() {
        f = new TopicFixture(
                TopicDescription.named("t").requiresDuplicateDetection(true).build());
        Subscription s = f.subscribe("s");
        f.explain(message("a"));
        f.explain(message("a"));
        assertThat(f.topic.lastSequenceNumber()).isZero();
        assertThat(f.rows.acceptedIds).isEmpty();
        f.send(message("a"));
        assertThat(f.drain(s, SubQueue.MAIN)).hasSize(1);
    }

    @Test
    @DisplayName("names the accepted message of which it would be a duplicate")
    void duplicate() {
        f = new TopicFixture(
                TopicDescription.named("t").requiresDuplicateDetection(true).build());
        f.subscribe("s");
        f.send(message("a"), message("b"));
        assertThat(f.explain(message("b")).get(0).duplicateOf()).isEqualTo(2);
        assertThat(f.explain(message("c")).get(0).duplicateOf()).isZero();
    }

    @Test
    @DisplayName("has the refusal of the send: a disabled topic, a time to live of zero")
    void refusals() {
        f = new TopicFixture(
                TopicDescription.named("t").status(EntityStatus.SEND_DISABLED).build());
        f.subscribe("s");
        SendExplanation explained = f.explain(message("a")).get(0);
        assertThat(requireNonNull(explained.refusal()).code()).isEqualTo(ErrorCode.ENTITY_DISABLED);
        assertThat(explained.subscriptions()).isEmpty();
    }

    @Test
    @DisplayName("has the time to live after the limits of topic and subscription, and the expiry")
    void timeToLive() {
        f = new TopicFixture(
                TopicDescription.named("t").defaultMessageTimeToLiveMs(60_000).build());
        f.subscribe(SubscriptionDescription.of("t", "short")
                .defaultMessageTimeToLiveMs(5_000)
                .build());
        f.subscribe("usual");
        List<OfSubscription> explained = f.explain(message("a")).get(0).subscriptions();
        assertThat(explained).extracting(OfSubscription::name).containsExactly("short", "usual");
        assertThat(explained.get(0).copies().get(0).timeToLiveMs()).isEqualTo(5_000);
        assertThat(explained.get(0).copies().get(0).expiresAtMs()).isEqualTo(START_MS + 5_000);
        assertThat(explained.get(1).copies().get(0).timeToLiveMs()).isEqualTo(60_000);
    }

    @Test
    @DisplayName("dead-letters a copy without a session where sessions are required, and a copy whose filter fails")
    void deadLetters() {
        f.subscribe(SubscriptionDescription.of("t", "a").requiresSession(true).build());
        f.subscribe(
                SubscriptionDescription.of("t", "b")
                        .deadLetteringOnFilterEvaluationExceptions(true)
                        .build(),
                rule("broken", "color + 1 > 'x'"));
        List<OfSubscription> explained =
                f.explain(Sent.of("m").with("color", "blue").message()).get(0).subscriptions();
        assertThat(explained.get(0).copies())
                .extracting(Copy::fate, Copy::reason)
                .containsExactly(tuple(Fate.DEAD_LETTERED, "Session id is null."));
        assertThat(explained.get(1).copies())
                .extracting(Copy::fate, Copy::reason)
                .containsExactly(tuple(Fate.DEAD_LETTERED, "FilterException"));
    }

    @Test
    @DisplayName("has the message as a forwarding subscription passes it on, also while others wait before it")
    void forwards() {
        Subscription s = f.subscribe(
                SubscriptionDescription.of("t", "s").forwardTo("next").build(), rule("r", "1=1", "SET color = 'red'"));
        for (int i = 0; i < 2; i++) {
            Copy copy = only(message("a")).copies().get(0);
            SendExplanation.Forward forward = requireNonNull(copy.forward());
            assertThat(forward.failure()).isNull();
            assertThat(forward.message().hops()).isEqualTo(1);
            assertThat(new ContentReader(forward.message().content()).applicationProperties(Map.of()))
                    .containsEntry("color", "red")
                    .containsEntry("RuleName", "r");
            Subscription before = f.subscribe("other" + i); // a stored message in the way of the next ones
            f.matcher.removeSubscriber(before.subscriber.entityId());
            assertThat(s.state().passesOn()).isEqualTo(i == 0);
            f.send(message("waits" + i));
            s.applier.apply(new Record.MessageEnqueued(stored(s)));
        }
    }

    private StoredMessage stored(Subscription s) {
        return Admission.stored(message("waits"), s.state().lastSequenceNumber() + 1, f.nowMs, MessageView.NEVER);
    }

    @Test
    @DisplayName("ends with the reason if the message has made the maximum of transfers")
    void hops() {
        f.subscribe(SubscriptionDescription.of("t", "s").forwardTo("next").build());
        IncomingMessage far = message("a");
        far = far.with(far.envelope().handedOn(MessageEnvelope.HOPS_MAX, 1, null));
        SendExplanation.Forward forward =
                requireNonNull(only(far).copies().get(0).forward());
        assertThat(requireNonNull(forward.failure()).reason()).isEqualTo("MaxTransferHopCountExceeded");
        assertThat(forward.failure().inDeadLetterQueue()).isFalse();
    }

    @Test
    @DisplayName("evaluates the rules of a scheduled message as of its time")
    void scheduled() {
        f.subscribe("s", rule("r", "sys.EnqueuedTimeUtc >= sys.ScheduledEnqueueTimeUtc"));
        IncomingMessage later = Sent.of("m")
                .annotated("x-opt-scheduled-enqueue-time", Instant.ofEpochMilli(START_MS + 3_600_000))
                .message();
        SendExplanation explained = f.explain(later).get(0);
        assertThat(explained.scheduledUntilMs()).isEqualTo(START_MS + 3_600_000);
        assertThat(explained.subscriptions().get(0).copies()).hasSize(1);
        f.nowMs = START_MS + 1;
        assertThat(f.explain(later)
                        .get(0)
                        .subscriptions()
                        .get(0)
                        .copies()
                        .get(0)
                        .expiresAtMs())
                .isEqualTo(MessageView.NEVER);
    }

    @Test
    @DisplayName("evaluates few rules at a time, so that the shard is not held up, and misses none")
    void bounded() {
        RuleDescription[] rules = new RuleDescription[250];
        for (int i = 0; i < rules.length; i++) {
            rules[i] = rule("r" + i, i % 100 == 7 ? "1=1" : "n = " + i);
        }
        f.subscribe("many", rules);
        f.subscribe("zero");
        f.explain(message("compile"));
        List<SendExplanation> parts = f.explain(Sent.of("m").with("n", 3).message());
        assertThat(parts).hasSize(3);
        List<OfSubscription> all = new ArrayList<>();
        parts.forEach(part -> all.addAll(part.subscriptions()));
        assertThat(all).extracting(OfSubscription::name).containsExactly("many", "many", "many", "zero");
        assertThat(all.stream().flatMap(each -> each.copies().stream())).hasSize(2);
        assertThat(all.stream()
                        .flatMap(each -> each.rules().stream())
                        .filter(each -> each.result() == Result.MATCHED)
                        .map(each -> each.rule().name()))
                .containsExactly("r3", "r7", "r107", "r207", RuleDescription.DEFAULT_NAME);
        assertThat(all.stream()
                        .mapToInt(each -> each.rules().size() + each.rulesNotShown())
                        .sum())
                .isEqualTo(251);
    }

    @Test
    @DisplayName(
            "DLQ-25: has no copies from the first failing rule on if the subscription keeps no dead letters of failures")
    void dropped() {
        RuleDescription[] rules = new RuleDescription[250];
        for (int i = 0; i < rules.length; i++) {
            rules[i] = rule("r" + i, i == 150 ? "n + 'x' > 1" : "1=1", "SET t = 1");
        }
        f.subscribe(
                SubscriptionDescription.of("t", "silent")
                        .deadLetteringOnFilterEvaluationExceptions(false)
                        .build(),
                rules);
        IncomingMessage message = Sent.of("m").with("n", 3).message();
        f.explain(message); // compiles

        List<OfSubscription> parts = f.explain(message).stream()
                .flatMap(part -> part.subscriptions().stream())
                .toList();

        assertThat(parts).extracting(OfSubscription::dropped).containsExactly(false, true, true);
        assertThat(parts).extracting(part -> part.copies().size()).containsExactly(100, 0, 0);
        assertThat(f.send(message).copies()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "text LIKE '%ab_c%' OR text LIKE '%b_cd%'",
                "text LIKE '%' + text",
                "text LIKE '%aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa_b%'",
                "text LIKE '%a%a%a%a%a%a%a%a%b'",
                "text IN ('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h') OR n + 1 = 7 OR n * 3 > 100 OR text = 'aaaaaaaa'"
            })
    @DisplayName("holds a shard up for a short time only; it prints the processor time of the longest part")
    void cost(String filter) {
        RuleDescription[] rules = new RuleDescription[200];
        for (int i = 0; i < rules.length; i++) {
            rules[i] = rule("r" + i, i % 41 == 40 ? EXPENSIVE : filter);
        }
        f.subscribe("many", rules);
        f.explain(message("compile"));
        int rounds = 30;
        for (String text : List.of("a".repeat(200), "a".repeat(3_000), "a".repeat(30_000), "abc ".repeat(2_000))) {
            long[] longest = new long[rounds];
            long most = 0;
            for (int i = 0; i < rounds; i++) {
                f.longestExplanationNanos = 0;
                long before = f.matcher.steps();
                List<SendExplanation> parts =
                        f.explain(Sent.of("m").with("text", text).with("n", 3).message());
                most = Math.max(most, (f.matcher.steps() - before) / parts.size());
                longest[i] = f.longestExplanationNanos;
                assertThat(parts.stream()
                                .flatMap(part -> part.subscriptions().stream())
                                .mapToInt(each -> each.rules().size() + each.rulesNotShown())
                                .sum())
                        .isEqualTo(200);
            }
            Arrays.sort(longest);
            System.out.printf(
                    "Longest part of an explanation, median of %d: %,d us (%,d steps in an average part), %d characters, %s%n",
                    rounds, longest[rounds / 2] / 1_000, most, text.length(), filter);
            assertThat(most).isLessThan(2 * (StepBudget.EXPLANATION_STEPS + StepBudget.RULE_STEPS));
        }
    }

    @Test
    @DisplayName("evaluates a rule that takes many steps alone, and one that takes too many not at all")
    void expensive() {
        f.subscribe("a", rule("cheap", "1=1"), rule("dear", EXPENSIVE), rule("dear2", EXPENSIVE));
        f.explain(message("compile"));
        String text = "a".repeat(30_000);
        long before = f.matcher.steps();
        List<SendExplanation> parts = f.explain(Sent.of("m").with("text", text).message());
        assertThat(parts.size()).isGreaterThan(1);
        assertThat((f.matcher.steps() - before) / parts.size())
                .isLessThan(2 * (StepBudget.EXPLANATION_STEPS + StepBudget.RULE_STEPS));
        assertThat(parts.stream()
                        .flatMap(part -> part.subscriptions().stream())
                        .flatMap(each -> each.rules().stream())
                        .map(each -> each.rule().name() + " " + each.result()))
                .containsExactly("cheap MATCHED", "dear NOT_EVALUATED", "dear2 NOT_EVALUATED");
    }

    @Test
    @DisplayName("has the copies that the send then makes, for random rules and messages")
    void equalsTheSend() {
        long seed = Long.getLong("topic.seed", System.nanoTime());
        Random random = new Random(seed);
        String[] filters = {"1=1", "1=0", "n = 1", "n > 1", "n + 'x' > 1", "missing = 1", "color LIKE 'r%'", "EXISTS(n)"
        };
        String[] actions = {null, null, "SET n = 5", "SET sys.SessionId = 'a'", "REMOVE color", "SET n = n + 'x'"};
        for (int run = 0; run < 200; run++) {
            f = new TopicFixture(TopicDescription.named("t").build());
            for (int s = 0; s < 4; s++) {
                RuleDescription[] rules = new RuleDescription[1 + random.nextInt(4)];
                for (int r = 0; r < rules.length; r++) {
                    String filter = filters[random.nextInt(filters.length)];
                    String action = actions[random.nextInt(actions.length)];
                    boolean correlated = random.nextInt(4) == 0;
                    rules[r] = correlated
                            ? new RuleDescription(
                                    "r" + r,
                                    correlation(null, Map.of("n", new RuleValue(RuleValue.Type.INT, "1"))),
                                    null)
                            : action == null ? rule("r" + r, filter) : rule("r" + r, filter, action);
                }
                f.subscribe(
                        SubscriptionDescription.of("t", "s" + s)
                                .requiresSession(random.nextInt(4) == 0)
                                .deadLetteringOnFilterEvaluationExceptions(random.nextBoolean())
                                .forwardTo(null)
                                .build(),
                        rules);
            }
            Sent sent = Sent.of("m").with("n", random.nextInt(3));
            if (random.nextBoolean()) {
                sent.with("color", "red");
            }
            IncomingMessage message = sent.message();
            List<String> explained = new ArrayList<>();
            for (SendExplanation part : f.explain(message)) {
                for (OfSubscription one : part.subscriptions()) {
                    one.copies()
                            .forEach(copy -> explained.add(
                                    one.name() + " " + copy.fate() + " " + copy.rule() + " " + copy.reason()));
                }
            }
            List<String> made = new ArrayList<>();
            for (FanOut.Copy copy : f.send(message).copies()) {
                boolean dead = copy.record() instanceof Record.CopyDeadLettered;
                StoredMessage stored = copy.record() instanceof Record.CopyDeadLettered letter
                        ? letter.message()
                        : ((Record.MessageEnqueued) copy.record()).message();
                Map<String, @Nullable Object> properties = shown(new LinkedHashMap<>(stored.propertyOverrides()));
                made.add(copy.subscriber().description().name() + " " + (dead ? Fate.DEAD_LETTERED : Fate.STORED) + " "
                        + properties.get("RuleName") + " " + properties.get("DeadLetterReason"));
            }
            assertThat(explained).as("-Dtopic.seed=%d, run %d", seed, run).containsExactlyInAnyOrderElementsOf(made);
        }
    }
}
