package dev.jitney.runtime.audit;

import dev.jitney.model.AccessRule;
import dev.jitney.model.EntityDescription;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.SubscriptionDescription;
import dev.jitney.model.TopicDescription;
import dev.jitney.model.rule.RuleDescription;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Formats the difference between two descriptions for the audit log:
 * {@code lockDurationMs: 60000 -> 30000; maxDeliveryCount: 10 -> 5}. A changed key is mentioned without its value.
 * Any thread may call it.
 */
public final class Changes {
    private static final String RULES = "accessRules";
    /** Properties that the log line shows in their own fields. */
    private static final Set<String> NAMES = Set.of("path", "topicPath", "name");

    private static final String METADATA = "userMetadata";

    private Changes() {}

    /** Returns the properties of a new entity that differ from the defaults; empty if none does. */
    public static String ofNew(EntityDescription created) {
        return between(defaults(created), created);
    }

    /** Returns the differences between two descriptions of the same kind; empty if there are none. */
    public static String between(EntityDescription old, EntityDescription changed) {
        List<String> words = new ArrayList<>();
        for (RecordComponent component : old.getClass().getRecordComponents()) {
            String name = component.getName();
            Object before = value(component, old);
            Object after = value(component, changed);
            if (NAMES.contains(name) || Objects.equals(before, after)) {
                continue;
            }
            switch (name) {
                case RULES -> words.add(betweenRules(old.accessRules(), changed.accessRules()));
                case METADATA -> words.add(METADATA + " changed"); // free text, which may be long or private
                default -> words.add(name + ": " + before + " -> " + after);
            }
        }
        return String.join("; ", words);
    }

    /** Returns the differences between two sets of authorization rules. */
    public static String betweenRules(List<AccessRule> old, List<AccessRule> changed) {
        List<String> words = new ArrayList<>();
        for (AccessRule rule : changed) {
            words.add(betweenRules(find(old, rule.name()), rule));
        }
        for (AccessRule rule : old) {
            if (find(changed, rule.name()) == null) {
                words.add(betweenRules(rule, null));
            }
        }
        words.removeIf(String::isEmpty);
        return String.join("; ", words);
    }

    /**
     * Returns the differences between two versions of an authorization rule.
     *
     * @param old     null if the rule is new
     * @param changed null if the rule was deleted
     */
    public static String betweenRules(@Nullable AccessRule old, @Nullable AccessRule changed) {
        if (changed == null) {
            return old == null ? "" : "authorization rule " + old.name() + " deleted";
        }
        String rule = "authorization rule " + changed.name();
        if (old == null) {
            return rule + " created with " + rights(changed);
        }
        List<String> words = new ArrayList<>();
        if (!old.rights().equals(changed.rights())) {
            words.add(rights(old) + " -> " + rights(changed));
        }
        if (!old.primaryKey().equals(changed.primaryKey())) {
            words.add("primary key changed");
        }
        if (!Objects.equals(old.secondaryKey(), changed.secondaryKey())) {
            words.add("secondary key changed");
        }
        return words.isEmpty() ? "" : rule + ": " + String.join(", ", words);
    }

    /** Returns the filter and action of a subscription's rule. */
    public static String of(RuleDescription rule) {
        String filter = "filter: " + rule.filter();
        return rule.action() == null ? filter : filter + "; action: " + rule.action();
    }

    private static String rights(AccessRule rule) {
        return rule.rights().stream().map(Enum::name).sorted().toList().toString();
    }

    private static @Nullable AccessRule find(List<AccessRule> rules, String name) {
        for (AccessRule rule : rules) {
            if (rule.name().equalsIgnoreCase(name)) {
                return rule;
            }
        }
        return null;
    }

    private static EntityDescription defaults(EntityDescription description) {
        if (description instanceof QueueDescription) {
            return QueueDescription.named(description.path()).build();
        }
        if (description instanceof TopicDescription) {
            return TopicDescription.named(description.path()).build();
        }
        SubscriptionDescription subscription = (SubscriptionDescription) description;
        return SubscriptionDescription.of(subscription.topicPath(), subscription.name())
                .build();
    }

    private static @Nullable Object value(RecordComponent component, EntityDescription of) {
        try {
            return component.getAccessor().invoke(of);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("Expected every component of a description to be public.", e);
        }
    }
}
