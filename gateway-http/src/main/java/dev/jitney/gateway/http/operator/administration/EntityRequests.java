package dev.jitney.gateway.http.operator.administration;

import dev.jitney.gateway.http.admin.ChangesUnderWay;
import dev.jitney.gateway.http.exchange.Exchange;
import dev.jitney.gateway.http.exchange.HttpError;
import dev.jitney.gateway.http.exchange.RefusedException;
import dev.jitney.gateway.http.operator.figure.FigureDocuments;
import dev.jitney.gateway.http.operator.request.FieldErrors;
import dev.jitney.gateway.http.operator.request.JsonAnswer;
import dev.jitney.gateway.http.operator.request.OperatorRequest;
import dev.jitney.gateway.http.operator.rule.RuleDocument;
import dev.jitney.model.AccessRight;
import dev.jitney.model.EntityAddress;
import dev.jitney.model.EntityDescription;
import dev.jitney.model.EntityKind;
import dev.jitney.model.EntityNames;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.MessageCounts;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.Rejection;
import dev.jitney.model.SubQueue;
import dev.jitney.model.SubscriptionDescription;
import dev.jitney.model.TopicDescription;
import dev.jitney.model.rule.RuleDescription;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.Namespace;
import dev.jitney.runtime.audit.Changes;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The requests for entities: show, create, change and delete them. For event loops; no method blocks. */
final class EntityRequests {
    private static final String PATH = "path";
    private static final String KIND = "kind";
    private static final String RULE = "rule";
    private static final String FORWARD_TO = "forwardTo";
    private static final String FORWARD_DEAD_LETTERS_TO = "forwardDeadLetteredMessagesTo";

    private final ChangesUnderWay changes;

    EntityRequests(ChangesUnderWay changes) {
        this.changes = changes;
    }

    /** Answers with the settings of an entity, and with the description of each, so that a form needs one request. */
    void show(Exchange exchange, EntityAddress address) throws RefusedException {
        Entity entity = Change.entity(exchange, address);
        Namespace namespace = exchange.namespace();
        JsonAnswer.send(
                exchange,
                document(entity, namespace)
                        .put("fields", SettingsOfKinds.ofKind(defaults(entity.description()), namespace))
                        .toBuffer());
    }

    private static EntityDescription defaults(EntityDescription description) {
        if (description instanceof SubscriptionDescription subscription) {
            return SubscriptionDescription.of(subscription.topicPath(), subscription.name())
                    .build();
        }
        return description.kind() == EntityKind.QUEUE
                ? QueueDescription.named(description.path()).build()
                : TopicDescription.named(description.path()).build();
    }

    private static JsonObject document(Entity entity, Namespace namespace) {
        EntityDescription description = entity.description();
        return new JsonObject()
                .put(PATH, entity.path())
                .put(KIND, FigureDocuments.word(entity.kind()))
                .put("settings", EntitySettings.of(description, namespace).document(description))
                .put("createdAt", Instant.ofEpochMilli(entity.createdAtMs()).toString())
                .put("updatedAt", Instant.ofEpochMilli(entity.updatedAtMs()).toString());
    }

    // --- create ---

    /** Creates the entity of the path. */
    void create(Change change, OperatorRequest request, Map<String, @Nullable Object> members) throws RefusedException {
        FieldErrors errors = new FieldErrors();
        EntityDescription named = named(request.variable("entity"), change.address(), members.get(KIND), errors);
        if (named == null) {
            errors.refuse();
            return;
        }
        EntityDescription description = read(change.namespace(), named, null, members, Set.of(KIND, RULE), errors);
        RuleDescription rule = firstRule(description, members, errors);
        errors.refuse();
        requireDestinations(change.exchange(), members);
        Namespace namespace = change.namespace();
        CompletionStage<Entity> created;
        if (description instanceof QueueDescription queue) {
            created = namespace.createQueue(queue);
        } else if (description instanceof TopicDescription topic) {
            created = namespace.createTopic(topic);
        } else {
            created = namespace.createSubscription((SubscriptionDescription) description, rule);
        }
        change.finish(
                created,
                "create " + FigureDocuments.word(description.kind()),
                "",
                Changes.ofNew(description),
                EntityRequests::refusal,
                entity -> document(entity, namespace).put("created", true));
    }

    /** Returns a description with its name only, or null after an error. */
    private static @Nullable EntityDescription named(
            String path, EntityAddress address, @Nullable Object kind, FieldErrors errors) {
        String topic = address.topic();
        String subscription = address.subscription();
        boolean whole = !address.management() && address.subQueue() == SubQueue.MAIN;
        if ("subscription".equals(kind)) {
            if (topic == null || subscription == null || !whole) {
                errors.add(PATH, "Expected the path of a subscription, such as topic/Subscriptions/name.");
                return null;
            }
            add(errors, PATH, EntityNames.refuseChildName(subscription, false));
            return SubscriptionDescription.of(topic, subscription).build();
        }
        add(errors, PATH, EntityNames.refusePath(path)); // as sent, because an address leaves slashes out
        if ("queue".equals(kind)) {
            return QueueDescription.named(path).build();
        }
        if ("topic".equals(kind)) {
            return TopicDescription.named(path).build();
        }
        errors.expected(KIND, "queue, topic or subscription", kind);
        return null;
    }

    private static @Nullable RuleDescription firstRule(
            EntityDescription description, Map<String, @Nullable Object> members, FieldErrors errors) {
        if (!members.containsKey(RULE)) {
            return RuleDescription.takeEverything();
        }
        if (description.kind() != EntityKind.SUBSCRIPTION) {
            errors.add(RULE, "Expected a first rule only for a subscription. Other entities have no rules.");
            return null;
        }
        Object given = members.get(RULE);
        if (given == null) {
            return null;
        }
        Map<String, @Nullable Object> rule = new LinkedHashMap<>();
        if (given instanceof Map<?, ?> object) {
            object.forEach((name, value) -> rule.put(String.valueOf(name), value));
        }
        if (!(rule.remove(RULE) instanceof String name)) {
            errors.add(RULE, "Expected null or an object with 'rule', the name, and 'filter' in 'rule'.");
            return null;
        }
        add(errors, RULE, EntityNames.refuseChildName(name, true));
        try {
            return RuleDocument.read(name, rule);
        } catch (RefusedException refused) {
            errors.add(RULE, refused.error().sentence());
            return null;
        }
    }

    // --- change ---

    /** Changes the settings that the members name. */
    void change(Change change, Map<String, @Nullable Object> members) throws RefusedException {
        Namespace namespace = change.namespace();
        List<String> audited = new ArrayList<>();
        String word = FigureDocuments.word(change.entity().kind());
        CompletionStage<Entity> changed =
                changes.alone(namespace, change.address().path(), change::inProgress, () -> {
                    EntityDescription stored = change.entity().description();
                    FieldErrors errors = new FieldErrors();
                    EntityDescription description = read(namespace, stored, stored, members, Set.of(), errors);
                    errors.refuse();
                    requireDestinations(change.exchange(), members);
                    audited.add(Changes.between(stored, description));
                    return update(namespace, description);
                });
        change.finish(
                changed,
                "update " + word,
                "",
                String.join("", audited),
                EntityRequests::refusal,
                entity -> document(entity, namespace));
    }

    /** Changes an entity to another description. */
    static CompletionStage<Entity> update(Namespace namespace, EntityDescription description) {
        if (description instanceof QueueDescription queue) {
            return namespace.updateQueue(queue);
        }
        return description instanceof TopicDescription topic
                ? namespace.updateTopic(topic)
                : namespace.updateSubscription((SubscriptionDescription) description);
    }

    private static <D extends EntityDescription> D read(
            Namespace namespace,
            D base,
            @Nullable D stored,
            Map<String, @Nullable Object> members,
            Set<String> others,
            FieldErrors errors) {
        return EntitySettings.of(base, namespace).read(base, stored, members, others, errors);
    }

    /** Forwarding needs Manage for the destination too, because it sends messages there without end (FWD-3). */
    private static void requireDestinations(Exchange exchange, Map<String, @Nullable Object> members)
            throws RefusedException {
        for (String name : List.of(FORWARD_TO, FORWARD_DEAD_LETTERS_TO)) {
            if (members.get(name) instanceof String destination) {
                exchange.authorize(EntityAddress.parse("/" + destination), AccessRight.MANAGE);
            }
        }
    }

    /** Returns the error for a refusal of the broker, with the field that it concerns. */
    private static HttpError refusal(Rejection rejection) {
        HttpError error = HttpError.of(rejection);
        String sentence = rejection.description();
        String field = null;
        if (rejection.code() == ErrorCode.ENTITY_EXISTS) {
            field = PATH;
        } else if (sentence.contains("ForwardDeadLetteredMessagesTo")) {
            field = FORWARD_DEAD_LETTERS_TO;
        } else if (sentence.contains("ForwardTo")) {
            field = FORWARD_TO;
        }
        return field == null ? error : error.inField(field);
    }

    // --- delete ---

    /**
     * Deletes the entity.
     *
     * @param dryRun true to answer only with the things that would be deleted
     */
    void delete(Change change, boolean dryRun) throws RefusedException {
        Entity entity = change.entity();
        JsonObject goes = deleted(entity);
        if (dryRun) {
            JsonAnswer.send(change.exchange(), goes.put("deleted", false).toBuffer());
            return;
        }
        Namespace namespace = change.namespace();
        CompletionStage<Void> deleted = changes.alone(
                namespace, change.address().path(), change::inProgress, () -> namespace.deleteEntity(entity.path()));
        change.finish(
                deleted,
                "delete " + FigureDocuments.word(entity.kind()),
                "",
                goes.getLong("messages") + " messages, " + goes.getInteger("subscriptions") + " subscriptions",
                HttpError::of,
                done -> goes.put("deleted", true));
    }

    /** Counts the things that are deleted with an entity. */
    private static JsonObject deleted(Entity entity) {
        MessageCounts counts = entity.counts();
        int rules = entity.rules().size();
        List<Entity> subscriptions = entity.subscriptions();
        for (Entity subscription : subscriptions) {
            counts = counts.plus(subscription.counts());
            rules += subscription.rules().size();
        }
        return new JsonObject()
                .put(PATH, entity.path())
                .put(KIND, FigureDocuments.word(entity.kind()))
                .put("messages", counts.total())
                .put("deadLetters", counts.deadLetter() + counts.transferDeadLetter())
                .put("sizeInBytes", counts.sizeBytes())
                .put("subscriptions", subscriptions.size())
                .put("rules", rules)
                .put("accessRules", entity.description().accessRules().size());
    }

    private static void add(FieldErrors errors, String field, @Nullable Rejection refusal) {
        if (refusal != null) {
            errors.add(field, refusal.description());
        }
    }
}
