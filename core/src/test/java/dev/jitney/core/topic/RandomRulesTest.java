package dev.jitney.core.topic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.codec.PropertyField;
import dev.jitney.core.filter.CompiledAction;
import dev.jitney.core.filter.Evaluation;
import dev.jitney.core.filter.FilterLanguage;
import dev.jitney.core.filter.property.BrokerValues;
import dev.jitney.core.filter.property.EncodedMessageProperties;
import dev.jitney.core.filter.value.Value;
import dev.jitney.core.topic.TopicFixture.Subscription;
import dev.jitney.model.EncodedValue;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.MessageView;
import dev.jitney.model.TopicDescription;
import dev.jitney.model.rule.RuleDescription;
import dev.jitney.model.rule.RuleFilter.CorrelationRuleFilter;
import dev.jitney.model.rule.RuleFilter.FalseRuleFilter;
import dev.jitney.model.rule.RuleFilter.TrueRuleFilter;
import dev.jitney.model.rule.RuleValue;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A test with random rules that are added and removed, evaluated twice. {@code -Dtopic.seed=N} repeats a run. */
final class RandomRulesTest {
    private static final int ROUNDS = 3_000;
    private static final String[] FILTERS = {
        "a=1",
        "a+1=2",
        "1/a=1",
        "b LIKE 'x%'",
        "EXISTS(c)",
        "sys.Label='l'",
        "a IN (0,2) OR b='x'",
        "NOT a=1",
        "1=1",
        "1=0",
        "sys.SequenceNumber > 5"
    };
    private static final String[] ACTIONS = {
        "SET x=1", "SET a=a+1", "REMOVE b", "SET sys.Label='z'", "SET d=1/a", "SET B='new'; REMOVE c", "SET e=b+'!'"
    };

    private final long seed = Long.getLong("topic.seed", System.nanoTime());
    private final Random random = new Random(seed);
    private final TopicFixture f = new TopicFixture(TopicDescription.named("t").build());

    /** The subscribers in their order, each with its rules by name in their order. */
    private final Map<Subscriber, Map<String, RuleDescription>> expected = new LinkedHashMap<>();

    /** The parts of a match to compare. */
    private record Summary(long subscriber, boolean plain, List<Map<String, EncodedValue>> copies, String failure) {}

    private <T> T one(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }

    @Test
    @DisplayName("RULE-3 to RULE-11: all rules together find the same matches as each rule of each subscription alone")
    void agreesWithAskingEach() {
        List<Subscription> everybody = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            Subscription subscription = f.subscribe("s" + i);
            everybody.add(subscription);
            Map<String, RuleDescription> rules = new LinkedHashMap<>();
            rules.put("$default", RuleDescription.takeEverything());
            expected.put(subscription.subscriber, rules);
        }
        int failures = 0;
        int copies = 0;
        for (int round = 0; round < ROUNDS; round++) {
            change(one(everybody).subscriber);
            IncomingMessage message = message();
            List<Summary> naive = new ArrayList<>();
            for (Map.Entry<Subscriber, Map<String, RuleDescription>> entry : expected.entrySet()) {
                Summary summary = naive(entry.getKey(), entry.getValue(), message, round);
                if (summary.plain || !summary.copies.isEmpty() || !summary.failure.isEmpty()) {
                    naive.add(summary);
                    failures += summary.failure.isEmpty() ? 0 : 1;
                    copies += summary.copies.size();
                }
            }
            assertThat(f.matcher.matches(message, round, f.nowMs))
                    .as("-Dtopic.seed=%d, round %d", seed, round)
                    .extracting(RandomRulesTest::summary)
                    .isEqualTo(naive);
        }
        assertThat(failures).isGreaterThan(ROUNDS / 10);
        assertThat(copies).isGreaterThan(ROUNDS / 10);
    }

    private void change(Subscriber subscriber) {
        long id = subscriber.entityId();
        Map<String, RuleDescription> rules = expected.get(subscriber);
        if (rules == null) {
            f.matcher.putSubscriber(subscriber);
            expected.put(subscriber, new LinkedHashMap<>());
        } else if (random.nextInt(40) == 0) {
            f.matcher.removeSubscriber(id);
            expected.remove(subscriber);
        } else {
            String name = (random.nextBoolean() ? "r" : "R") + random.nextInt(5);
            String key = name.toLowerCase(Locale.ROOT);
            if (random.nextInt(3) == 0) {
                f.matcher.removeRule(id, name);
                rules.remove(key);
            } else {
                RuleDescription added = rule(name);
                f.matcher.putRule(id, added);
                rules.put(key, added);
            }
        }
    }

    private RuleDescription rule(String name) {
        RuleDescription sql = random.nextBoolean()
                ? TopicFixture.rule(name, one(List.of(FILTERS)))
                : TopicFixture.rule(name, one(List.of(FILTERS)), one(List.of(ACTIONS)));
        return switch (random.nextInt(8)) {
            case 0 -> new RuleDescription(name, TrueRuleFilter.INSTANCE, sql.action());
            case 1 -> new RuleDescription(name, FalseRuleFilter.INSTANCE, sql.action());
            case 2, 3, 4 ->
                new RuleDescription(
                        name,
                        new CorrelationRuleFilter(
                                null,
                                null,
                                null,
                                null,
                                random.nextBoolean() ? "l" : null,
                                null,
                                null,
                                null,
                                Map.of("a", new RuleValue(RuleValue.Type.INT, "" + random.nextInt(3)))),
                        sql.action());
            default -> sql;
        };
    }

    private IncomingMessage message() {
        Sent sent = Sent.of("m").with(PropertyField.SUBJECT, random.nextBoolean() ? "l" : "k");
        sent.with(random.nextBoolean() ? "a" : "A", random.nextInt(5) == 0 ? "1" : (Object) random.nextInt(3));
        if (random.nextBoolean()) {
            sent.with("b", random.nextBoolean() ? "x" : "xy");
        }
        if (random.nextBoolean()) {
            sent.with("c", null);
        }
        return sent.message();
    }

    private Summary naive(
            Subscriber subscriber, Map<String, RuleDescription> rules, IncomingMessage message, long number) {
        boolean plain = false;
        List<Map<String, EncodedValue>> copies = new ArrayList<>();
        String failure = "";
        for (RuleDescription rule : rules.values()) {
            Evaluation evaluation = new Evaluation(
                    new EncodedMessageProperties(
                            message.content(),
                            Map.of(),
                            new BrokerValues(number, number, f.nowMs, MessageView.NEVER, MessageView.NEVER, 0, 0, 0)),
                    () -> new UUID(0, 0));
            Value result = FilterLanguage.compileFilter(rule.filter()).get().evaluate(evaluation);
            String problem = result.isError() ? "FilterException: " + result.description() : "";
            if (result.isTrue() && rule.action() == null) {
                plain = true;
            } else if (result.isTrue()) {
                CompiledAction.Outcome outcome =
                        FilterLanguage.compileAction(rule.action()).get().apply(evaluation);
                if (outcome.error() == null) {
                    copies.add(Map.of("RuleName", EncodedValue.ofString(rule.name())));
                } else {
                    problem = "RuleActionException: " + outcome.error().description();
                }
            }
            failure = failure.isEmpty() ? problem : failure;
        }
        return new Summary(subscriber.entityId(), plain, copies, failure);
    }

    private static Summary summary(Match match) {
        Match.Failure failure = match.failure();
        return new Summary(
                match.subscriber().entityId(),
                match.plain(),
                match.changed().stream()
                        .map(copy -> Map.of("RuleName", copy.propertyOverrides().get("RuleName")))
                        .toList(),
                failure == null ? "" : failure.reason() + ": " + failure.description());
    }
}
