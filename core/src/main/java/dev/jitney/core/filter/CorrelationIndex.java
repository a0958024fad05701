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
 * An index that finds matching correlation filters by the values of a message, without evaluating the others (FILTER-28).
 *
 * <p>Filters on the same properties form a group, and each group is a map from their values to the filters, so that one
 * lookup finds all matches. Most topics have only a few groups. To keep many groups cheap too, each group with a user
 * property is anchored to one of its user properties, the one with the fewest groups, and is searched only if the message
 * has that property. Only groups of system properties remain, of which there are at most 255.
 */
final class CorrelationIndex<K> {
    /**
     * The maximum number of filters with the same values in a list; more are kept in a set, because removal from a long
     * list is slow.
     */
    private static final int LISTED_MAX = 16;

    /** The steps for one property of a group. */
    static final int STEPS_PER_PROPERTY = 32;

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

        /**
         * Takes the steps for reading and hashing a value. The message reads each value only once, and that read is not
         * counted.
         */
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
     * Adds the keys of all matching filters.
     *
     * @param notFound gets the filters for whose lookup there are too few steps
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
