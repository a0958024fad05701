package dev.jitney.simulation.model;

import dev.jitney.model.Rule;
import dev.jitney.model.RuleFilter;
import dev.jitney.simulation.Violation;
import dev.jitney.simulation.disk.Write;
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
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Which rules subscriptions have, and so which messages they take (semantics chapter 15).
 *
 * <p>Rules change with their rows, whatever their clients were told. Since the rows of a batch come in the order in which things
 * have happened, and a shard does what it is asked in the order in which it was asked, it is known of every message
 * which rules held when it was published (RULE-11).
 */
final class Rules {
    private final Ledger ledger;
    private final Map<Long, History> histories = new HashMap<>();

    /** With which rules subscriptions are created, by their paths. */
    private final Map<String, First> firsts = new HashMap<>();

    /** Subscriptions whose rules have changed since this was asked last. */
    private final Set<Shelf> changed = new LinkedHashSet<>();

    /** What filters go by, of all messages ever, by their numbers. */
    private byte[] tags = new byte[1_024];

    private record First(String name, String filter, IntPredicate takes) {}

    /** A rule as it is on disk. */
    private record Stored(String filter, IntPredicate takes) {}

    /**
     * What became of a rule.
     *
     * @param born the number of the request it came from
     * @param rule null if it was removed
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

        /** The rules as the requests before one have left them. */
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

    Rules(Ledger ledger) {
        this.ledger = ledger;
    }

    /** A message is sent. */
    void tag(Request.Sent message) {
        int uid = (int) message.uid();
        if (uid >= tags.length) {
            tags = Arrays.copyOf(tags, 2 * uid);
        }
        tags[uid] = (byte) message.tag();
    }

    /** A subscription is to be created with a rule. */
    void first(String subscription, String name, RuleFilter filter, IntPredicate takes) {
        firsts.put(subscription, new First(name, RuleBytes.filter(filter), takes));
    }

    /** RULE-3: whether some rule of a subscription takes a message, as of the row that is being judged. */
    boolean takes(Shelf subscription, long uid) {
        return takes(subscription, uid, Long.MAX_VALUE);
    }

    /** The same as the requests before one have left its rules. */
    boolean takes(Shelf subscription, long uid, long request) {
        History history = histories.get(subscription.entityId);
        if (history != null) {
            int tag = tags[(int) uid];
            for (Stored rule : history.before(request)) {
                if (rule.takes.test(tag)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Whether a subscription has a rule of that name on disk. */
    boolean has(String subscription, String name) {
        for (Shelf shelf : ledger.shelves().of(subscription)) {
            History history = histories.get(shelf.entityId);
            if (history != null && history.now.containsKey(name)) {
                return true;
            }
        }
        return false;
    }

    void follow(Write write) {
        long id = RowBytes.entity(write.key());
        if (write.kind() == Write.Kind.DELETE_RANGE) {
            ledger.judge().entities().requireGone(id);
            return;
        }
        Shelf shelf = ledger.shelves().ofEntity(id);
        if (shelf == null || shelf.gone) {
            throw new Violation("Expected rules of subscriptions that are there, but got one of number " + id + ".");
        }
        String name = RuleBytes.name(write.key());
        String filter = write.kind() == Write.Kind.PUT ? RuleBytes.filter(write.argument()) : null;
        boolean isNew = !histories.containsKey(id);
        History history = histories.computeIfAbsent(id, entity -> new History());
        First first = isNew && shelf.fresh ? firsts.get(shelf.path) : null;
        if (first != null && filter != null && first.name.equals(name) && first.filter.equals(filter)) {
            history.add(new Version(-1, name, new Stored(filter, first.takes)));
        } else {
            RuleChange change = cause(shelf, name, filter, history.now.containsKey(name));
            change.effective = true;
            IntPredicate takes = change.takes;
            Stored rule = filter == null || takes == null ? null : new Stored(filter, takes);
            history.add(new Version(change.born, name, rule));
            ledger.judge().count(Step.RULE_CHANGED);
        }
        changed.add(shelf);
    }

    private RuleChange cause(Shelf shelf, String name, @Nullable String filter, boolean there) {
        for (Request request : ledger.open()) {
            if (request instanceof RuleChange change
                    && change.path.equals(shelf.path)
                    && change.name.equals(name)
                    && change.mayMake(filter, there)) {
                return change;
            }
        }
        throw new Violation("Expected the rule '" + name + "' of " + shelf.path + " to stay as it is, but it is "
                + (filter == null ? "removed" : filter) + ", which nobody has asked for.");
    }

    // --- what is told ---

    /** RULE-2: whether a change may have found no such rule, or one where there must be none. */
    boolean mayRefuse(RuleChange refused, boolean found) {
        boolean there = has(refused.path, refused.name);
        if (there == found) {
            return true;
        }
        // What was asked for before is done before, and perhaps not on disk yet.
        for (Request request : ledger.open()) {
            if (request instanceof RuleChange change
                    && change.born < refused.born
                    && change.path.equals(refused.path)
                    && change.name.equals(refused.name)
                    && (change.filter != null) == found) {
                return true;
            }
        }
        return false;
    }

    /** Subscriptions of a store whose rules have changed since this was asked last. */
    List<String> takeChanged(int store) {
        List<String> paths = new ArrayList<>();
        changed.removeIf(shelf -> {
            if (shelf.store == store && !shelf.gone) {
                paths.add(shelf.path);
            }
            return shelf.store == store;
        });
        return paths;
    }

    /** The rules that are shown of a subscription are those on disk. */
    void requireShown(String subscription, Collection<Rule> rules) {
        Map<String, String> shown = new TreeMap<>();
        for (Rule rule : rules) {
            shown.put(
                    rule.description().name().toLowerCase(Locale.ROOT),
                    RuleBytes.filter(rule.description().filter()));
        }
        Map<String, String> there = new TreeMap<>();
        for (Shelf shelf : ledger.shelves().of(subscription)) {
            History history = histories.get(shelf.entityId);
            if (history != null && !shelf.gone) {
                history.now.forEach((name, rule) -> there.put(name, rule.filter));
            }
        }
        ledger.check(
                Objects.equals(there, shown),
                () -> "Expected the rules " + there + " to be shown, but they are " + shown,
                subscription);
    }
}
