package dev.jitney.core.topic.state;

import dev.jitney.core.SendExplanation.Position;
import dev.jitney.core.filter.Evaluation;
import dev.jitney.core.filter.RuleSet;
import dev.jitney.core.filter.property.BrokerValues;
import dev.jitney.core.filter.property.EncodedMessageProperties;
import dev.jitney.core.queue.decide.Admission;
import dev.jitney.core.topic.Match;
import dev.jitney.core.topic.Match.Failure;
import dev.jitney.core.topic.RuleTrial;
import dev.jitney.core.topic.Subscriber;
import dev.jitney.core.topic.SubscriptionMatcher;
import dev.jitney.model.EntityAddress;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.Limits;
import dev.jitney.model.rule.RuleDescription;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The rules of all subscriptions of a topic (semantics chapter 15). For the shard's thread.
 *
 * <p>All rules evaluate a message in one pass, independent of their subscriptions; subscriptions without a matching or
 * failing rule cost nothing. Rules are compiled when the next message arrives, so that a start with many rules is fast.
 * They are compiled in portions, so that other entities of the shard do not wait for all of them.
 */
public final class TopicSubscriptions implements SubscriptionMatcher, RuleTrial.Maker {
    private static final Comparator<Judgement> IN_ORDER = Comparator.<Judgement>comparingLong(
                    judgement -> judgement.rule.member().position())
            .thenComparingLong(judgement -> judgement.rule.position());

    private static final int RULES_AT_ONCE = 16;

    private final Limits limits;
    private final Supplier<UUID> newIds;
    private final Map<Long, SubscriberRules> members = new HashMap<>();

    /** The same subscribers by name in lower case, for explanations. */
    private final NavigableMap<String, SubscriberRules> byName = new TreeMap<>();

    private final RuleSet<TopicRule> rules = new RuleSet<>();
    private final Set<TopicRule> notCompiled = new LinkedHashSet<>();

    /** The rules that fail for every message. */
    private final Map<TopicRule, Failure> broken = new LinkedHashMap<>();

    private final LongConsumer spent;
    private long steps;
    private long membersEver;

    /**
     * The result of a rule for a message.
     *
     * @param failure the failure of its filter; null if the message matches
     */
    private record Judgement(TopicRule rule, @Nullable Failure failure) {}

    /**
     * Creates a matcher without subscriptions.
     *
     * @param limits the limits for copies that actions change
     * @param newIds supplies GUIDs for newid(), because randomness comes from outside
     */
    public TopicSubscriptions(Limits limits, Supplier<UUID> newIds) {
        this(limits, newIds, steps -> {});
    }

    /**
     * Creates a matcher without subscriptions.
     *
     * @param limits the limits for copies that actions change
     * @param newIds supplies GUIDs for newid(), because randomness comes from outside
     * @param spent receives the steps for compiling rules and evaluating a message, each time
     */
    public TopicSubscriptions(Limits limits, Supplier<UUID> newIds, LongConsumer spent) {
        this.limits = limits;
        this.newIds = newIds;
        this.spent = spent;
    }

    /** Adds a subscriber without rules after all others; an existing one keeps its rules and its position. */
    public void putSubscriber(Subscriber subscriber) {
        SubscriberRules member = members.get(subscriber.entityId());
        if (member == null) {
            member = new SubscriberRules(membersEver++, subscriber);
            members.put(subscriber.entityId(), member);
            byName.put(keyOf(subscriber), member);
        } else {
            member.replace(subscriber);
        }
    }

    /** Removes a subscriber with its rules, if it exists. */
    public void removeSubscriber(long entityId) {
        SubscriberRules member = members.remove(entityId);
        if (member != null) {
            byName.remove(keyOf(member.subscriber()), member);
            member.rules.values().forEach(this::forget);
        }
    }

    private static String keyOf(Subscriber subscriber) {
        return EntityAddress.keyOf(subscriber.description().name());
    }

    /**
     * Adds a rule after the other rules of its subscriber, or replaces the rule with the same name, compared without
     * case, at its position.
     *
     * @throws IllegalStateException if there is no such subscriber
     */
    public void putRule(long entityId, RuleDescription rule) {
        SubscriberRules member = members.get(entityId);
        if (member == null) {
            throw new IllegalStateException("Expected a subscriber with number " + entityId + ", but there is none.");
        }
        String key = EntityAddress.keyOf(rule.name());
        TopicRule before = member.rules.get(key);
        if (before != null) {
            forget(before);
        }
        TopicRule added = new TopicRule(member, before == null ? member.nextRulePosition() : before.position(), rule);
        member.rules.put(key, added);
        notCompiled.add(added);
    }

    /** Removes a rule if it exists; its name is compared without case. */
    public void removeRule(long entityId, String name) {
        SubscriberRules member = members.get(entityId);
        TopicRule rule = member == null ? null : member.rules.remove(EntityAddress.keyOf(name));
        if (rule != null) {
            forget(rule);
        }
    }

    private void forget(TopicRule rule) {
        if (!notCompiled.remove(rule) && broken.remove(rule) == null) {
            rules.remove(rule);
        }
    }

    public int subscriberCount() {
        return members.size();
    }

    /**
     * Returns the subscribers that match a message, in the order in which they were added; the copies of each are in the
     * order of its rules.
     *
     * <p>Filters and actions use the properties as sent, the number of the message in the topic, its first number in any entity
     * (SEQ-5), and {@code nowMs} as the enqueued time.
     */
    @Override
    public List<Match> matches(IncomingMessage message, long topicNumber, long nowMs) {
        while (!prepare()) {
            // compile the remaining rules
        }
        Evaluation evaluation = new Evaluation(
                new EncodedMessageProperties(message.content(), Map.of(), brokerValues(message, topicNumber, nowMs)),
                newIds);
        List<Match> matches = matches(message, evaluation);
        spend(evaluation.steps().used());
        return matches;
    }

    private List<Match> matches(IncomingMessage message, Evaluation evaluation) {
        List<Judgement> judgements = judge(evaluation);
        if (judgements.isEmpty()) {
            return List.of();
        }
        CopyMaker copies = new CopyMaker(message, evaluation, limits);
        List<Match> matches = new ArrayList<>();
        for (int from = 0, to; from < judgements.size(); from = to) {
            SubscriberRules member = judgements.get(from).rule.member();
            to = from + 1;
            while (to < judgements.size() && judgements.get(to).rule.member() == member) {
                to++;
            }
            matches.add(match(member.subscriber(), judgements.subList(from, to), copies));
        }
        return matches;
    }

    @Override
    public boolean prepare() {
        Iterator<TopicRule> next = notCompiled.iterator();
        for (int i = 0; i < RULES_AT_ONCE && next.hasNext(); i++) {
            TopicRule rule = next.next();
            next.remove();
            Failure failure = rule.compileInto(rules);
            if (failure != null) {
                broken.put(rule, failure);
            }
            spend(rule.compilationSteps());
        }
        return notCompiled.isEmpty();
    }

    private void spend(long more) {
        steps += more;
        spent.accept(more);
    }

    @Override
    public long steps() {
        return steps;
    }

    @Override
    public List<Match> stillThere(List<Match> matches) {
        List<Match> there = new ArrayList<>(matches.size());
        for (Match match : matches) {
            SubscriberRules member = members.get(match.subscriber().entityId());
            if (member != null) {
                there.add(new Match(member.subscriber(), match.plain(), match.changed(), match.failure()));
            }
        }
        return there;
    }

    private static BrokerValues brokerValues(IncomingMessage message, long topicNumber, long nowMs) {
        return new BrokerValues(
                topicNumber,
                Admission.firstNumber(message, topicNumber),
                nowMs,
                Admission.saturatedSum(nowMs, message.timeToLiveMs()),
                message.timeToLiveMs(),
                message.scheduledEnqueueTimeMs(),
                0,
                message.content().sizeBytes());
    }

    /** Returns the matching and failing rules, in the order of subscribers and rules. */
    private List<Judgement> judge(Evaluation evaluation) {
        RuleSet.Matches<TopicRule> judged = rules.match(evaluation);
        List<Judgement> judgements =
                new ArrayList<>(judged.matched().size() + judged.failed().size() + broken.size());
        for (TopicRule rule : judged.matched()) {
            judgements.add(new Judgement(rule, null));
        }
        for (RuleSet.Failure<TopicRule> failed : judged.failed()) {
            judgements.add(new Judgement(
                    failed.rule(),
                    new Failure(failed.error().reason(), failed.error().description())));
        }
        broken.forEach((rule, failure) -> judgements.add(new Judgement(rule, failure)));
        judgements.sort(IN_ORDER);
        return judgements;
    }

    /** Returns the match of a subscriber with the first failure and the copies of all rules that do not fail. */
    private static Match match(Subscriber subscriber, List<Judgement> judgements, CopyMaker copies) {
        MatchBuilder match = new MatchBuilder();
        for (Judgement judgement : judgements) {
            if (judgement.failure != null) {
                match.fail(judgement.failure);
            } else if (judgement.rule.isPlain()) {
                match.plain();
            } else {
                match.add(copies.make(judgement.rule));
            }
        }
        return match.of(subscriber);
    }

    @Override
    public RuleTrial tryRules(
            IncomingMessage message, long topicNumber, long nowMs, Position from, int subscriptionsMax) {
        if (!prepare()) {
            return new RuleTrial(List.of(), from, 0); // the next call continues to compile
        }
        EncodedMessageProperties properties =
                new EncodedMessageProperties(message.content(), Map.of(), brokerValues(message, topicNumber, nowMs));
        RuleTrialMaker trial =
                new RuleTrialMaker(message, properties, newIds, limits, this::filterOf, subscriptionsMax);
        RuleTrial made = trial.make(byName, from);
        spend(trial.steps());
        return made;
    }

    /** Returns the filter of a compiled rule, or the reason why it cannot be evaluated. */
    private RuleTrialMaker.Filter filterOf(TopicRule rule) {
        return new RuleTrialMaker.Filter(rules.filter(rule), broken.get(rule));
    }
}
