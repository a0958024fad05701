package dev.jitney.gateway.http.operator.explain;

import dev.jitney.core.SendExplanation;
import dev.jitney.core.SendExplanation.Change;
import dev.jitney.core.SendExplanation.Copy;
import dev.jitney.core.SendExplanation.Fate;
import dev.jitney.core.SendExplanation.Forward;
import dev.jitney.core.SendExplanation.ForwardFailure;
import dev.jitney.core.SendExplanation.OfRule;
import dev.jitney.core.SendExplanation.OfSubscription;
import dev.jitney.core.SendExplanation.Position;
import dev.jitney.core.SendExplanation.Result;
import dev.jitney.gateway.http.exchange.HttpError;
import dev.jitney.gateway.http.operator.rule.RuleDocument;
import dev.jitney.model.EncodedValue;
import dev.jitney.model.EntityKind;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.MessageView;
import dev.jitney.model.Rejection;
import dev.jitney.model.SubQueue;
import dev.jitney.model.TopicDescription;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.Namespace;
import dev.jitney.runtime.TransferFailure;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The part of an explanation for one entity, which grows with each answer of the entity. For the event loop of its exchange. */
final class ExplainedEntity {
    /** A longer filter or action is left out. Only correlation filters with many properties are longer. */
    private static final int RULE_BYTES_MAX = 4_096;

    private final Namespace namespace;
    private final Entity entity;
    private final IncomingMessage message;
    private final JsonObject document = new JsonObject();
    private final JsonArray subscriptions = new JsonArray();
    private final List<Passage> passages = new ArrayList<>();
    private final boolean fromTheFirst;
    private Position position;
    private @Nullable JsonObject latest;
    private long sharedSteps;
    private boolean wanted;
    private @Nullable String filterFailure;
    private int bytes;

    /**
     * A message on its way to another entity.
     *
     * @param source the entity that forwards it
     * @param destination the other entity
     * @param document the object of the answer to complete
     */
    record Passage(Entity source, Entity destination, IncomingMessage message, JsonObject document) {}

    /** @param from where the subscriptions of a topic begin */
    ExplainedEntity(Namespace namespace, Entity entity, IncomingMessage message, Position from) {
        this.namespace = namespace;
        this.entity = entity;
        this.message = message;
        this.position = from;
        this.fromTheFirst = from.equals(Position.START);
        document.put("entity", entity.path())
                .put("kind", entity.kind().name().toLowerCase(Locale.ROOT))
                .put("accepted", true)
                .put("messageId", message.messageId())
                .put("sizeInBytes", message.encodedSizeBytes())
                .put("maxMessageSizeInBytes", entity.maxMessageSizeBytes());
        if (entity.kind() == EntityKind.TOPIC) {
            document.put("subscriptions", subscriptions);
        }
    }

    Entity entity() {
        return entity;
    }

    IncomingMessage message() {
        return message;
    }

    JsonObject document() {
        return document;
    }

    /** Returns the place from which the next answer continues. */
    Position position() {
        return position;
    }

    /** Returns the number of subscriptions so far. */
    int subscriptionCount() {
        return subscriptions.size();
    }

    /** Returns the approximate size of the document. */
    int bytes() {
        return bytes;
    }

    /** Returns the messages that are forwarded. */
    List<Passage> passages() {
        return passages;
    }

    /** Notes that the entity would refuse the message. */
    void refuse(Rejection refusal) {
        HttpError error = HttpError.of(refusal);
        document.put("accepted", false)
                .put("refusal", new JsonObject().put("status", error.status()).put("message", error.sentence()));
    }

    /** Takes an answer; returns whether there is more. */
    boolean take(SendExplanation explained) {
        if (entity.description().enablePartitioning() && explained.fragment() >= 0) {
            document.put("partition", explained.fragment())
                    .put("partitionIsFixed", message.sessionId() != null || message.partitionKey() != null);
        }
        if (explained.refusal() != null) {
            refuse(explained.refusal());
            return false;
        }
        if (explained.duplicateOf() != 0) {
            document.put("duplicateOf", Long.toString(explained.duplicateOf()));
            return false;
        }
        ExplainedValues.putTime(document, "scheduledEnqueueTime", explained.scheduledUntilMs());
        if (entity.kind() != EntityKind.TOPIC) {
            document.put("copies", copies(entity, explained.copies()));
        }
        for (OfSubscription one : explained.subscriptions()) {
            add(one);
        }
        sharedSteps += explained.sharedSteps();
        Position next = explained.next();
        if (next != null) {
            position = next;
        }
        return next != null;
    }

    /**
     * Ends the document.
     *
     * @param complete whether the last answer was taken
     */
    void end(boolean complete) {
        if (entity.kind() == EntityKind.TOPIC) {
            document.put("complete", complete);
        }
        if (sharedSteps > SendExplanation.SHARED_STEPS_MAX) {
            document.put(
                    "warning",
                    "The rules need " + sharedSteps + " shared steps for this message, but a send allows "
                            + SendExplanation.SHARED_STEPS_MAX + ", so some of them fail.");
        }
        boolean all = complete && fromTheFirst && Boolean.TRUE.equals(document.getBoolean("accepted"));
        if (all
                && entity.description() instanceof TopicDescription topic
                && topic.enableFilteringMessagesBeforePublishing()
                && !document.containsKey("duplicateOf")
                && !document.containsKey("scheduledEnqueueTime")) {
            if (filterFailure != null) {
                refuse(new Rejection(ErrorCode.ARGUMENT, filterFailure));
            } else if (!wanted) {
                refuse(Rejection.of(ErrorCode.NO_MATCHING_SUBSCRIPTION));
            }
        }
        if (Boolean.FALSE.equals(document.getBoolean("accepted"))) {
            passages.clear();
            subscriptions.forEach(each -> ((JsonObject) each).put("copies", new JsonArray()));
        }
    }

    private void add(OfSubscription explained) {
        String path = entity.path() + "/Subscriptions/" + explained.name();
        JsonObject known = latest;
        boolean continued = known != null && path.equals(known.getString("subscription"));
        JsonObject one = continued && known != null ? known : subscription(path);
        latest = one;
        JsonArray rules = one.getJsonArray("rules");
        for (OfRule rule : explained.rules()) {
            JsonObject shown = rule(rule);
            bytes += shown.encode().length();
            rules.add(shown);
            wanted |= rule.result() == Result.MATCHED;
            if (rule.result() == Result.FAILED && filterFailure == null) {
                filterFailure =
                        "A rule of subscription '" + explained.name() + "' cannot be evaluated: " + rule.failure();
            }
        }
        one.put("rulesNotShown", one.getInteger("rulesNotShown") + explained.rulesNotShown());
        Entity subscription = namespace.entity(path);
        if (explained.dropped()) {
            one.put("copies", new JsonArray());
            passages.removeIf(passage -> passage.source() == subscription);
        } else if (subscription != null) {
            JsonArray copies = copies(subscription, explained.copies());
            bytes += copies.encode().length();
            one.getJsonArray("copies").addAll(copies);
        }
        if (!continued) {
            subscriptions.add(one);
        }
    }

    private JsonObject subscription(String path) {
        Entity subscription = namespace.entity(path);
        return new JsonObject()
                .put("subscription", path)
                .put(
                        "status",
                        subscription == null
                                ? null
                                : subscription.description().status().word())
                .put("rules", new JsonArray())
                .put("rulesNotShown", 0)
                .put("copies", new JsonArray());
    }

    private static JsonObject rule(OfRule explained) {
        JsonObject document = RuleDocument.of(explained.rule());
        if (document.encode().length() > RULE_BYTES_MAX) {
            document = new JsonObject().put("rule", explained.rule().name()).put("tooLongToShow", true);
        }
        document.put("result", word(explained.result()));
        if (explained.failure() != null) {
            document.put("failure", explained.failure());
        }
        if (!explained.properties().isEmpty()) {
            document.put("properties", ExplainedValues.of(explained.properties()));
        }
        if (!explained.changes().isEmpty()) {
            JsonArray changes = new JsonArray();
            for (Change change : explained.changes()) {
                Map<String, @Nullable EncodedValue> values = new LinkedHashMap<>();
                values.put("before", change.before());
                values.put("after", change.after());
                changes.add(new JsonObject().put("property", change.property()).mergeIn(ExplainedValues.of(values)));
            }
            document.put("changes", changes);
        }
        return document;
    }

    private static String word(Result result) {
        return switch (result) {
            case MATCHED -> "matched";
            case NOT_MATCHED -> "notMatched";
            case UNKNOWN -> "unknown";
            case FAILED -> "failed";
            case NOT_EVALUATED -> "notEvaluated";
        };
    }

    private JsonArray copies(Entity holder, List<Copy> copies) {
        JsonArray documents = new JsonArray();
        for (Copy copy : copies) {
            documents.add(copy(holder, copy));
        }
        return documents;
    }

    private JsonObject copy(Entity holder, Copy copy) {
        boolean dead = copy.fate() == Fate.DEAD_LETTERED;
        JsonObject document = new JsonObject();
        if (copy.rule() != null) {
            document.put("changedBy", copy.rule());
        }
        document.put("destination", holder.path() + (dead ? SubQueue.DEAD_LETTER.suffix() : ""))
                .put("timeToLive", copy.timeToLiveMs() == MessageView.NEVER ? null : copy.timeToLiveMs());
        ExplainedValues.putTime(document, "expiresAt", copy.expiresAtMs());
        if (dead) {
            document.put("deadLetterReason", copy.reason()).put("deadLetterErrorDescription", copy.description());
            String forwardsDead = holder.description().forwardDeadLetteredMessagesTo();
            if (forwardsDead != null) {
                document.put("forwardDeadLetteredMessagesTo", forwardsDead);
            }
        }
        Forward forward = copy.forward();
        if (forward != null) {
            document.put("forward", forward(holder, forward));
        }
        return document;
    }

    private JsonObject forward(Entity holder, Forward forward) {
        JsonObject document = new JsonObject().put("to", holder.description().forwardTo());
        if (!holder.description().status().allowsReceive()) {
            document.put("waits", "'" + holder.path() + "' is disabled for receiving, so it forwards no messages.");
        }
        ForwardFailure failure = forward.failure();
        Entity destination = holder.forwardDestination();
        if (failure != null) {
            SubQueue queue = failure.inDeadLetterQueue()
                    ? SubQueue.DEAD_LETTER
                    : holder.transferFailure(null).subQueue();
            fail(document, holder, new TransferFailure(false, queue, failure.reason(), failure.description()));
        } else if (destination == null) {
            fail(document, holder, holder.transferFailure(null));
        } else {
            passages.add(new Passage(holder, destination, forward.message(), document));
        }
        return document;
    }

    /** Adds the fate of a message that a destination refuses. */
    static void fail(JsonObject forward, Entity source, TransferFailure failure) {
        if (failure.retried()) {
            forward.put("waits", "'" + source.path() + "' keeps the message until the destination accepts it.");
            return;
        }
        forward.put(
                "failure",
                new JsonObject()
                        .put("destination", source.path() + failure.subQueue().suffix())
                        .put("deadLetterReason", failure.reason())
                        .put("deadLetterErrorDescription", failure.description()));
    }
}
