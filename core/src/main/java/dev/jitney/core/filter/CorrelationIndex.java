package dev.jitney.core.filter;

import dev.jitney.core.filter.property.MessageProperties;
import dev.jitney.core.filter.property.PropertyName;
import dev.jitney.core.filter.property.PropertyReference;
import dev.jitney.core.filter.value.Value;
import dev.jitney.core.filter.value.ValueTuple;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Correlation filters found by the values of a message, without looking at those that do not match (FILTER-28).
 *
 * <p>Filters about the same properties form a group, and a group is a map from their values to the filters: one look-up
 * however many there are. Most topics have a handful of groups. So that many groups do not cost much either, each that
 * has a user property hangs on one of them, the one with the fewest groups, and is looked at only if the message has
 * that property. What remains are groups of system properties alone, of which there are at most 255.
 */
final class CorrelationIndex<K> {
    /** More filters with the same values than this are in a set, because one of many is slow to remove from a list. */
    private static final int LISTED_MAX = 16;

    /** Steps that one property of a group takes. */
    private static final int STEPS_PER_PROPERTY = 32;

    private final Map<List<PropertyReference>, Group<K>> groups = new HashMap<>();
    private final Map<PropertyName, List<Group<K>>> anchored = new HashMap<>();
    private final List<Group<K>> free = new ArrayList<>();

    private static final class Group<K> {
        private final PropertyReference[] properties;
        private final @Nullable PropertyName anchor;
        private final Map<ValueTuple, Collection<K>> keys = new HashMap<>();

        private Group(List<PropertyReference> properties, @Nullable PropertyName anchor) {
            this.properties = properties.toArray(PropertyReference[]::new);
            this.anchor = anchor;
        }

        /** Reading a value and looking at it; the message reads it once only, so that the first time is not counted. */
        private boolean takeSteps(Value value, StepBudget steps) {
            return steps.take(STEPS_PER_PROPERTY + value.weight());
        }

        private void match(Evaluation evaluation, List<K> matched, List<K> notFound) {
            MessageProperties message = evaluation.message();
            if (evaluation.steps().isExceeded()) {
                keys.values().forEach(notFound::addAll);
                return;
            }
            Value[] values = new Value[properties.length];
            for (int i = 0; i < values.length; i++) {
                values[i] = properties[i].read(message);
                if (!takeSteps(values[i], evaluation.steps())) {
                    keys.values().forEach(notFound::addAll);
                    return;
                }
                if (values[i].isUnknown() || values[i].isNull()) {
                    return;
                }
            }
            Collection<K> found = keys.get(new ValueTuple(values));
            if (found != null) {
                matched.addAll(found);
            }
        }

        private void add(ValueTuple values, K key) {
            Collection<K> known = keys.computeIfAbsent(values, none -> new ArrayList<>(1));
            if (known.size() == LISTED_MAX && known instanceof List) {
                known = new LinkedHashSet<>(known);
                keys.put(values, known);
            }
            known.add(key);
        }
    }

    void add(K key, CorrelationFilter filter) {
        groups.computeIfAbsent(filter.properties(), this::newGroup).add(filter.values(), key);
    }

    private Group<K> newGroup(List<PropertyReference> properties) {
        PropertyName anchor = null;
        int fewest = Integer.MAX_VALUE;
        for (PropertyReference property : properties) {
            if (property instanceof PropertyReference.User user) {
                List<Group<K>> hanging = anchored.get(user.name());
                int count = hanging == null ? 0 : hanging.size();
                if (count < fewest) {
                    fewest = count;
                    anchor = user.name();
                }
            }
        }
        Group<K> group = new Group<>(properties, anchor);
        siblings(anchor).add(group);
        return group;
    }

    private List<Group<K>> siblings(@Nullable PropertyName anchor) {
        return anchor == null ? free : anchored.computeIfAbsent(anchor, none -> new ArrayList<>(1));
    }

    void remove(K key, CorrelationFilter filter) {
        Group<K> group = groups.get(filter.properties());
        Collection<K> keys = group == null ? null : group.keys.get(filter.values());
        if (group == null || keys == null) {
            return;
        }
        keys.remove(key);
        if (keys.isEmpty()) {
            group.keys.remove(filter.values());
        }
        if (group.keys.isEmpty()) {
            groups.remove(filter.properties());
            List<Group<K>> siblings = siblings(group.anchor);
            siblings.remove(group);
            if (siblings.isEmpty() && group.anchor != null) {
                anchored.remove(group.anchor);
            }
        }
    }

    /**
     * Adds the keys of all filters that match.
     *
     * @param notFound those for which there are too few steps to look
     */
    void match(Evaluation evaluation, List<K> matched, List<K> notFound) {
        MessageProperties message = evaluation.message();
        match(free, evaluation, matched, notFound);
        if (anchored.isEmpty()) {
            return;
        }
        if (anchored.size() <= message.userCount()) {
            for (Map.Entry<PropertyName, List<Group<K>>> entry : anchored.entrySet()) {
                if (!message.user(entry.getKey()).isUnknown()) {
                    match(entry.getValue(), evaluation, matched, notFound);
                }
            }
            return;
        }
        Set<PropertyName> names = new HashSet<>();
        message.forEachUserName(names::add);
        for (PropertyName name : names) {
            List<Group<K>> hanging = anchored.get(name);
            if (hanging != null) {
                match(hanging, evaluation, matched, notFound);
            }
        }
    }

    private void match(List<Group<K>> candidates, Evaluation evaluation, List<K> matched, List<K> notFound) {
        for (Group<K> group : candidates) {
            group.match(evaluation, matched, notFound);
        }
    }
}
