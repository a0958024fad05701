package dev.jitney.cli.entity;

import com.azure.core.exception.ResourceExistsException;
import com.azure.core.exception.ResourceNotFoundException;
import com.azure.messaging.servicebus.administration.ServiceBusAdministrationClient;
import com.azure.messaging.servicebus.administration.models.CreateRuleOptions;
import com.azure.messaging.servicebus.administration.models.CreateSubscriptionOptions;
import com.azure.messaging.servicebus.administration.models.RuleProperties;
import dev.jitney.cli.value.Durations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Creates entities from documents of {@link EntityReader}. It creates missing entities and can update different ones. */
public final class EntityWriter {
    private final ServiceBusAdministrationClient client;
    private final boolean update;
    private final Consumer<String> notes;

    /**
     * @param update whether to change existing entities that differ
     * @param notes receives a sentence for each difference that stays
     */
    public EntityWriter(ServiceBusAdministrationClient client, boolean update, Consumer<String> notes) {
        this.client = client;
        this.update = update;
        this.notes = notes;
    }

    /** The result for a document. */
    public enum Outcome {
        CREATED,
        UPDATED,
        UNCHANGED,
        DIFFERENT
    }

    /** Returns whether a kind is a kind of entity. */
    public static boolean knows(String kind) {
        return kind.equals("queue") || kind.equals("topic") || kind.equals("subscription");
    }

    /** Returns whether the document forwards to other entities, which must exist first. */
    public static boolean forwards(Map<String, @Nullable Object> document) {
        return document.get("forwardTo") != null || document.get("forwardDeadLetteredMessagesTo") != null;
    }

    /**
     * Creates or changes an entity.
     *
     * @throws IllegalArgumentException with a message for the user if the document is invalid
     */
    public Outcome write(Map<String, @Nullable Object> document) {
        String kind = String.valueOf(document.get("kind"));
        return switch (kind) {
            case "queue" -> write(new QueueType(), document);
            case "topic" -> write(new TopicType(), document);
            case "subscription" -> writeSubscription(document);
            default ->
                throw new IllegalArgumentException("Expected a queue, topic or subscription, but got '" + kind + "'.");
        };
    }

    private <C, P> Outcome write(EntityType<C, P> type, Map<String, @Nullable Object> document) {
        List<String> names = names(type, document);
        try {
            type.create(client, names, options(type, document), document.get(EntityType.PARTITIONING) != null);
            return Outcome.CREATED;
        } catch (ResourceExistsException e) {
            return compare(type, document, names);
        }
    }

    private Outcome writeSubscription(Map<String, @Nullable Object> document) {
        SubscriptionType type = new SubscriptionType();
        List<String> names = names(type, document);
        List<Map<?, ?>> rules = rules(document);
        try {
            CreateSubscriptionOptions options = options(type, document);
            if (rules.isEmpty()) {
                type.create(client, names, options, true);
            } else {
                // With its first rule instead of $Default, so that it never receives unwanted messages.
                Map<?, ?> first = rules.get(0);
                client.createSubscription(names.get(0), names.get(1), ruleName(first), options, ruleOptions(first));
                rules.stream().skip(1).forEach(rule -> createRule(names, rule));
            }
            return Outcome.CREATED;
        } catch (ResourceExistsException e) {
            Outcome outcome = compare(type, document, names);
            Outcome rulesOutcome = compareRules(names, rules);
            return rulesOutcome == Outcome.UNCHANGED ? outcome : rulesOutcome;
        }
    }

    private static List<String> names(EntityType<?, ?> type, Map<String, @Nullable Object> document) {
        List<String> names = new ArrayList<>();
        for (String key : type.keys()) {
            Object name = document.get(key);
            if (!(name instanceof String text) || text.isEmpty()) {
                throw new IllegalArgumentException("Expected " + key + ", the name of the " + type.word() + ".");
            }
            names.add(text);
        }
        return names;
    }

    private static <C, P> C options(EntityType<C, P> type, Map<String, @Nullable Object> document) {
        C options = type.defaults();
        for (Setting<C, P, ?> setting : type.settings()) {
            String text = text(setting, document);
            if (text != null) {
                try {
                    setting.create(options, text);
                } catch (IllegalArgumentException e) {
                    throw new IllegalArgumentException(setting.name() + ": " + e.getMessage());
                }
            }
        }
        return options;
    }

    private static @Nullable String text(Setting<?, ?, ?> setting, Map<String, @Nullable Object> document) {
        Object value = document.get(setting.name());
        return value == null ? null : value instanceof Duration duration ? Durations.iso(duration) : value.toString();
    }

    private <C, P> Outcome compare(EntityType<C, P> type, Map<String, @Nullable Object> document, List<String> names) {
        P existing = EntityCommand.on(type.called(names), type.word(), () -> type.find(client, names));
        List<String> changes = new ArrayList<>();
        List<String> fixed = new ArrayList<>();
        for (Setting<C, P, ?> setting : type.settings()) {
            String text = Objects.requireNonNullElse(text(setting, document), "");
            // An optional value counts even when absent; other values count only when present.
            boolean said = !text.isEmpty() || setting.optional();
            if (said && setting.differs(existing, text)) {
                if (!setting.mutable()) {
                    fixed.add(setting.name());
                } else {
                    changes.add(setting.name());
                    if (update) {
                        setting.update(existing, text);
                    }
                }
            }
        }
        if (!fixed.isEmpty()) {
            notes.accept("The " + type.called(names) + " exists with a different " + String.join(", ", fixed)
                    + ", which cannot be changed. To use the values of the file, delete the " + type.word()
                    + " first.");
        }
        if (!changes.isEmpty() && update) {
            type.update(client, existing);
            return Outcome.UPDATED;
        } else if (!changes.isEmpty()) {
            notes.accept("The " + type.called(names) + " exists with a different " + String.join(", ", changes)
                    + ". To change that, use --update.");
        }
        return changes.isEmpty() && fixed.isEmpty() ? Outcome.UNCHANGED : Outcome.DIFFERENT;
    }

    private Outcome compareRules(List<String> names, List<Map<?, ?>> rules) {
        Map<String, RuleProperties> existing = new LinkedHashMap<>();
        client.listRules(names.get(0), names.get(1)).forEach(rule -> existing.put(rule.getName(), rule));
        Outcome outcome = Outcome.UNCHANGED;
        for (Map<?, ?> rule : rules) {
            RuleProperties present = existing.remove(ruleName(rule));
            if (present != null && same(present, rule)) {
                continue;
            }
            if (!update) {
                notes.accept("Rule '" + ruleName(rule) + "' of '" + String.join("/", names) + "' is "
                        + (present == null ? "missing" : "different") + ". To change that, use --update.");
                outcome = Outcome.DIFFERENT;
                continue;
            }
            if (present == null) {
                createRule(names, rule);
            } else {
                CreateRuleOptions wanted = ruleOptions(rule);
                client.updateRule(
                        names.get(0),
                        names.get(1),
                        present.setFilter(wanted.getFilter()).setAction(wanted.getAction()));
            }
            outcome = outcome == Outcome.DIFFERENT ? outcome : Outcome.UPDATED;
        }
        if (!rules.isEmpty() && !existing.isEmpty()) {
            notes.accept("'" + String.join("/", names) + "' has more rules than the file: "
                    + String.join(", ", existing.keySet()) + ". The import keeps them. To delete them, use: jitney"
                    + " rule delete");
        }
        return outcome;
    }

    private static boolean same(RuleProperties present, Map<?, ?> rule) {
        Map<String, @Nullable Object> is = Rules.description(present);
        return Objects.equals(is.get("filter"), rule.get("filter"))
                && Objects.equals(is.get("action"), rule.get("action"));
    }

    private void createRule(List<String> names, Map<?, ?> rule) {
        try {
            client.createRule(names.get(0), ruleName(rule), names.get(1), ruleOptions(rule));
        } catch (ResourceExistsException | ResourceNotFoundException e) {
            throw new IllegalArgumentException("Rule '" + ruleName(rule) + "' of '" + String.join("/", names)
                    + "' changed during the import. Import again.");
        }
    }

    private static List<Map<?, ?>> rules(Map<String, @Nullable Object> document) {
        List<Map<?, ?>> rules = new ArrayList<>();
        if (document.get("rules") instanceof List<?> list) {
            for (Object rule : list) {
                if (!(rule instanceof Map<?, ?> map)) {
                    throw new IllegalArgumentException("Expected rules to be a list of objects.");
                }
                rules.add(map);
            }
        }
        return rules;
    }

    private static String ruleName(Map<?, ?> rule) {
        if (rule.get("name") instanceof String name && !name.isEmpty()) {
            return name;
        }
        throw new IllegalArgumentException("Expected every rule to have a name.");
    }

    private static CreateRuleOptions ruleOptions(Map<?, ?> rule) {
        if (!(rule.get("filter") instanceof Map<?, ?> filter)) {
            throw new IllegalArgumentException("Expected rule '" + ruleName(rule) + "' to have a filter.");
        }
        return new CreateRuleOptions(Rules.readFilter(filter)).setAction(Rules.readAction(rule.get("action")));
    }
}
