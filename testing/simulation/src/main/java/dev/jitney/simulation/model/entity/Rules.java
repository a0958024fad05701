package dev.jitney.simulation.model.entity;

import static dev.jitney.simulation.model.state.Checks.check;

import dev.jitney.model.rule.Rule;
import dev.jitney.simulation.Violation;
import dev.jitney.simulation.disk.Write;
import dev.jitney.simulation.model.entity.AskedRule.Verdict;
import dev.jitney.simulation.model.row.RowBytes;
import dev.jitney.simulation.model.row.RuleBytes;
import dev.jitney.simulation.model.row.VisibleProperties;
import dev.jitney.simulation.model.state.ModelState;
import dev.jitney.simulation.model.state.Request;
import dev.jitney.simulation.model.state.Step;
import dev.jitney.simulation.model.state.StoredEntities;
import dev.jitney.simulation.model.state.StoredEntity;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The rules of subscriptions, which select their messages (semantics chapter 15).
 *
 * <p>A rule changes when its row becomes durable, whatever the reply is. The rows of a batch are in the order of the
 * changes, and a shard runs requests in the order in which they were made. So the model knows for every message which
 * rules applied when it was published (RULE-11).
 */
public final class Rules {
    private final ModelState model;
    private final Map<Long, History> histories = new HashMap<>();

    /** The first rules of subscriptions, by the path of the subscription. */
    private final Map<String, AskedRule> firsts = new HashMap<>();

    /** The subscriptions whose rules have changed since the last call of {@link #takeChanged}. */
    private final Set<StoredEntity> changed = new LinkedHashSet<>();

    /** The tags of all messages ever sent, by their numbers. */
    private byte[] tags = new byte[1_024];

    /** The visible properties of all messages when they were sent, by their numbers. */
    private VisibleProperties[] visibleOfSent = new VisibleProperties[1_024];

    /**
     * A rule on the disk.
     *
     * @param name the name as the client spelled it
     * @param words the text form of its row
     */
    private record Stored(String name, String words, AskedRule meaning) {}

    /**
     * A copy for a subscription.
     *
     * @param failed whether the copy goes to the dead-letter queue because a rule has failed (DLQ-25)
     */
    public record Due(VisibleProperties visible, boolean failed) {}

    /**
     * A version of a rule.
     *
     * @param born the number of the request that changed it
     * @param rule null if the rule was removed
     */
    private record Version(long born, String name, @Nullable Stored rule) {}

    private static final class History {
        final Map<String, Stored> now = new TreeMap<>();
        final List<Version> versions = new ArrayList<>();

        void add(Version version) {
            versions.add(version);
            enter(now, version);
        }

        private static void enter(Map<String, Stored> rules, Version version) {
            if (version.rule == null) {
                rules.remove(version.name);
            } else {
                rules.put(version.name, version.rule);
            }
        }

        /** Returns the rules after all requests with a smaller number. */
        Collection<Stored> before(long request) {
            if (versions.isEmpty() || versions.get(versions.size() - 1).born < request) {
                return now.values();
            }
            Map<String, Stored> then = new HashMap<>();
            for (Version version : versions) {
                if (version.born < request) {
                    enter(then, version);
                }
            }
            return then.values();
        }
    }

    public Rules(ModelState model) {
        this.model = model;
    }

    /** Records a message that is sent. */
    public void tag(Request.Sent message) {
        int uid = (int) message.uid();
        if (uid >= tags.length) {
            tags = Arrays.copyOf(tags, 2 * uid);
            visibleOfSent = Arrays.copyOf(visibleOfSent, 2 * uid);
        }
        tags[uid] = (byte) message.tag();
        visibleOfSent[uid] = message.visible();
    }

    /** Records the first rule of a subscription that will be created. */
    public void first(String subscription, AskedRule rule) {
        firsts.put(subscription, rule);
    }

    /** Returns the visible properties of a message when it was sent. */
    public VisibleProperties visible(long uid) {
        return visibleOfSent[(int) uid];
    }

    /**
     * Returns whether some rule of a subscription selects a message or fails for it, with the rules at the current row
     * (RULE-3).
     */
    boolean takes(StoredEntity subscription, long uid) {
        History history = histories.get(subscription.entityId);
        if (history != null) {
            int tag = tags[(int) uid];
            for (Stored rule : history.now.values()) {
                if (rule.meaning.filter().apply(tag) != Verdict.NO) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Returns the copies of a message for a subscription, with the rules at the current row. */
    public List<Due> copies(StoredEntity subscription, long uid) {
        return copies(subscription, uid, Long.MAX_VALUE);
    }

    /**
     * Returns the copies of a message for a subscription, with its rules after all requests with a smaller number. The
     * subscription gets the original message if a rule without an action selects it (RULE-4), and one copy for each
     * rule with an action, with the name of the rule (RULE-5). If a rule fails, it also gets the original message in its
     * dead-letter queue, or nothing at all if it keeps no dead letters of such failures (DLQ-25).
     */
    public List<Due> copies(StoredEntity subscription, long uid, long request) {
        History history = histories.get(subscription.entityId);
        if (history == null) {
            return List.of();
        }
        List<Due> copies = new ArrayList<>();
        boolean plain = false;
        boolean fails = false;
        VisibleProperties sent = visible(uid);
        for (Stored rule : history.before(request)) {
            Verdict verdict = rule.meaning.filter().apply(tags[(int) uid]);
            Function<VisibleProperties, @Nullable VisibleProperties> action = rule.meaning.action();
            if (verdict == Verdict.YES && action != null) {
                VisibleProperties changed = action.apply(sent);
                fails |= changed == null;
                if (changed != null) {
                    copies.add(new Due(changed.with("rulename", "string " + rule.name), false));
                }
            } else {
                plain |= verdict == Verdict.YES;
                fails |= verdict == Verdict.FAILS;
            }
        }
        if (plain) {
            copies.add(new Due(sent, false));
        }
        if (fails) {
            if (!subscription.settings.deadLettersFailures()) {
                return List.of();
            }
            copies.add(new Due(sent, true));
        }
        return copies;
    }

    /** Returns whether a subscription has a rule of that name on the disk. */
    boolean has(String subscription, String name) {
        for (StoredEntity entity : model.entities().of(subscription)) {
            History history = histories.get(entity.entityId);
            if (history != null && history.now.containsKey(name)) {
                return true;
            }
        }
        return false;
    }

    public void follow(Write write) {
        long id = RowBytes.entity(write.key());
        if (write.kind() == Write.Kind.DELETE_RANGE) {
            model.entities().requireGone(id);
            return;
        }
        StoredEntity entity = model.entities().ofEntity(id);
        if (entity == null || entity.gone) {
            throw new Violation("Expected rules of existing subscriptions only, but got a rule of entity " + id + ".");
        }
        String name = RuleBytes.name(write.key());
        boolean put = write.kind() == Write.Kind.PUT;
        String spelled = put ? RuleBytes.spelledName(write.argument()) : name;
        String words = put ? RuleBytes.words(write.argument()) : null;
        boolean isNew = !histories.containsKey(id);
        History history = histories.computeIfAbsent(id, none -> new History());
        AskedRule first = isNew && entity.fresh ? firsts.get(entity.path) : null;
        if (first != null
                && words != null
                && first.description().name().equals(spelled)
                && RuleBytes.words(first.description()).equals(words)) {
            history.add(new Version(-1, name, new Stored(spelled, words, first)));
        } else {
            RuleChange change = cause(entity, name, words, history.now.containsKey(name));
            change.effective = true;
            AskedRule meaning = change.rule;
            Stored rule = words == null || meaning == null ? null : new Stored(spelled, words, meaning);
            history.add(new Version(change.born, name, rule));
            model.count(Step.RULE_CHANGED);
        }
        changed.add(entity);
    }

    private RuleChange cause(StoredEntity entity, String name, @Nullable String words, boolean there) {
        for (Request request : model.open()) {
            if (request instanceof RuleChange change
                    && change.path.equals(entity.path)
                    && change.name.equals(name)
                    && change.mayMake(words, there)) {
                return change;
            }
        }
        throw new Violation("Expected the rule '" + name + "' of " + entity.path + " to be unchanged, but it is "
                + (words == null ? "removed" : words) + ", which no client has requested.");
    }

    // --- replies ---

    /** Returns whether a change may fail because the rule does not exist or, for a new rule, already exists (RULE-2). */
    boolean mayRefuse(RuleChange refused, boolean found) {
        boolean there = has(refused.path, refused.name);
        if (there == found) {
            return true;
        }
        // Changes requested earlier are applied earlier, although they may not be on the disk yet.
        for (Request request : model.open()) {
            if (request instanceof RuleChange change
                    && change.born < refused.born
                    && change.path.equals(refused.path)
                    && change.name.equals(refused.name)
                    && (change.rule != null) == found) {
                return true;
            }
        }
        return false;
    }

    /** Returns the subscriptions of a store whose rules have changed since the last call. */
    public List<String> takeChanged(int store) {
        List<String> paths = new ArrayList<>();
        changed.removeIf(entity -> {
            if (entity.store == store && !entity.gone) {
                paths.add(entity.path);
            }
            return entity.store == store;
        });
        return paths;
    }

    /** Returns the subscriptions of a store that exist on its disk. */
    public List<String> subscriptions(int store) {
        return model.entities().all().stream()
                .filter(entity -> entity.store == store && !entity.gone && StoredEntities.topicOf(entity.path) != null)
                .map(entity -> entity.path)
                .toList();
    }

    /** Checks that the rules shown for a subscription equal the rules on the disk. */
    public void requireShown(String subscription, Collection<Rule> rules) {
        Map<String, String> shown = new TreeMap<>();
        for (Rule rule : rules) {
            shown.put(rule.description().name().toLowerCase(Locale.ROOT), RuleBytes.words(rule.description()));
        }
        Map<String, String> there = new TreeMap<>();
        for (StoredEntity entity : model.entities().of(subscription)) {
            History history = histories.get(entity.entityId);
            if (history != null && !entity.gone) {
                history.now.forEach((name, rule) -> there.put(name, rule.words));
            }
        }
        check(Objects.equals(there, shown), () -> "Expected the rules " + there + ", but got " + shown, subscription);
    }
}
