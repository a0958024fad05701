package dev.jitney.runtime.rows;

import dev.jitney.core.RowWriter.EntityRow;
import dev.jitney.model.EntityDescription;
import dev.jitney.model.EntityKind;
import dev.jitney.model.EntityStatus;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.SubscriptionDescription;
import dev.jitney.model.TopicDescription;
import dev.jitney.runtime.store.StoreException;

/** Values of ENTITIES ({@code docs/formats.md}). Enumerations are written by lasting codes, not by their order. */
final class EntityRows {
    private static final int OLDEST_VERSION = 1;
    private static final int VERSION = 2;
    private static final int KIND_QUEUE = 1;
    private static final int KIND_TOPIC = 2;
    private static final int KIND_SUBSCRIPTION = 3;

    private EntityRows() {}

    static byte[] write(EntityRow row) {
        EntityDescription description = row.description();
        RowOutput out = new RowOutput(256).u8(VERSION).u8(code(description.kind()));
        out.text(row.namespace()).i64(row.createdAtMs()).i64(row.updatedAtMs());
        if (description instanceof QueueDescription queue) {
            queue(out, queue);
        } else if (description instanceof TopicDescription topic) {
            topic(out, topic);
        } else if (description instanceof SubscriptionDescription subscription) {
            subscription(out, subscription);
        }
        return out.toBytes();
    }

    static EntityRow read(long entityId, byte[] value) throws StoreException {
        RowInput in = new RowInput(value, OLDEST_VERSION, VERSION, "entity");
        int kind = in.u8();
        String namespace = in.text();
        long createdAtMs = in.i64();
        long updatedAtMs = in.i64();
        EntityDescription description = switch (kind) {
            case KIND_QUEUE -> queue(in);
            case KIND_TOPIC -> topic(in);
            case KIND_SUBSCRIPTION -> subscription(in);
            default -> throw in.corrupt("an entity of unknown kind " + kind);
        };
        in.end();
        return new EntityRow(entityId, namespace, description, createdAtMs, updatedAtMs);
    }

    private static void queue(RowOutput out, QueueDescription q) {
        out.text(q.path()).i64(q.lockDurationMs()).i64(q.maxSizeInMegabytes());
        out.optional(q.maxMessageSizeInKilobytes());
        out.i64(q.defaultMessageTimeToLiveMs()).i64(q.autoDeleteOnIdleMs()).i32(q.maxDeliveryCount());
        out.bool(q.deadLetteringOnMessageExpiration()).bool(q.requiresDuplicateDetection());
        out.i64(q.duplicateDetectionHistoryTimeWindowMs());
        out.bool(q.requiresSession()).bool(q.enablePartitioning());
        out.text(q.forwardTo()).text(q.forwardDeadLetteredMessagesTo());
        out.bool(q.enableBatchedOperations()).u8(code(q.status())).text(q.userMetadata());
        AccessRuleRows.write(out, q.accessRules());
        out.bool(q.enableExpress()).bool(q.supportOrdering());
    }

    private static QueueDescription queue(RowInput in) throws StoreException {
        QueueDescription.Builder queue = QueueDescription.named(in.text())
                .lockDurationMs(in.i64())
                .maxSizeInMegabytes(in.i64())
                .maxMessageSizeInKilobytes(in.optional())
                .defaultMessageTimeToLiveMs(in.i64())
                .autoDeleteOnIdleMs(in.i64())
                .maxDeliveryCount(in.i32())
                .deadLetteringOnMessageExpiration(in.bool())
                .requiresDuplicateDetection(in.bool())
                .duplicateDetectionHistoryTimeWindowMs(in.i64())
                .requiresSession(in.bool())
                .enablePartitioning(in.bool())
                .forwardTo(in.textOrNull())
                .forwardDeadLetteredMessagesTo(in.textOrNull())
                .enableBatchedOperations(in.bool())
                .status(status(in))
                .userMetadata(in.textOrNull())
                .accessRules(AccessRuleRows.read(in));
        if (in.version() >= 2) { // before, nobody could ask for anything but the defaults
            queue.enableExpress(in.bool()).supportOrdering(in.bool());
        }
        return queue.build();
    }

    private static void topic(RowOutput out, TopicDescription t) {
        out.text(t.path()).i64(t.defaultMessageTimeToLiveMs()).i64(t.maxSizeInMegabytes());
        out.optional(t.maxMessageSizeInKilobytes());
        out.bool(t.requiresDuplicateDetection()).i64(t.duplicateDetectionHistoryTimeWindowMs());
        out.bool(t.enableBatchedOperations()).bool(t.enableFilteringMessagesBeforePublishing());
        out.u8(code(t.status())).text(t.userMetadata()).bool(t.supportOrdering());
        out.i64(t.autoDeleteOnIdleMs()).bool(t.enablePartitioning());
        out.bool(t.enableSubscriptionPartitioning()).bool(t.enableExpress());
        AccessRuleRows.write(out, t.accessRules());
    }

    private static TopicDescription topic(RowInput in) throws StoreException {
        return TopicDescription.named(in.text())
                .defaultMessageTimeToLiveMs(in.i64())
                .maxSizeInMegabytes(in.i64())
                .maxMessageSizeInKilobytes(in.optional())
                .requiresDuplicateDetection(in.bool())
                .duplicateDetectionHistoryTimeWindowMs(in.i64())
                .enableBatchedOperations(in.bool())
                .enableFilteringMessagesBeforePublishing(in.bool())
                .status(status(in))
                .userMetadata(in.textOrNull())
                .supportOrdering(in.bool())
                .autoDeleteOnIdleMs(in.i64())
                .enablePartitioning(in.bool())
                .enableSubscriptionPartitioning(in.bool())
                .enableExpress(in.bool())
                .accessRules(AccessRuleRows.read(in))
                .build();
    }

    private static void subscription(RowOutput out, SubscriptionDescription s) {
        out.text(s.topicPath()).text(s.name()).i64(s.lockDurationMs()).bool(s.requiresSession());
        out.i64(s.defaultMessageTimeToLiveMs()).bool(s.deadLetteringOnMessageExpiration());
        out.bool(s.deadLetteringOnFilterEvaluationExceptions()).i32(s.maxDeliveryCount());
        out.bool(s.enableBatchedOperations()).u8(code(s.status()));
        out.text(s.forwardTo()).text(s.userMetadata()).text(s.forwardDeadLetteredMessagesTo());
        out.i64(s.autoDeleteOnIdleMs()).bool(s.clientAffine());
    }

    private static SubscriptionDescription subscription(RowInput in) throws StoreException {
        return SubscriptionDescription.of(in.text(), in.text())
                .lockDurationMs(in.i64())
                .requiresSession(in.bool())
                .defaultMessageTimeToLiveMs(in.i64())
                .deadLetteringOnMessageExpiration(in.bool())
                .deadLetteringOnFilterEvaluationExceptions(in.bool())
                .maxDeliveryCount(in.i32())
                .enableBatchedOperations(in.bool())
                .status(status(in))
                .forwardTo(in.textOrNull())
                .userMetadata(in.textOrNull())
                .forwardDeadLetteredMessagesTo(in.textOrNull())
                .autoDeleteOnIdleMs(in.i64())
                .clientAffine(in.bool())
                .build();
    }

    private static int code(EntityKind kind) {
        return switch (kind) {
            case QUEUE -> KIND_QUEUE;
            case TOPIC -> KIND_TOPIC;
            case SUBSCRIPTION -> KIND_SUBSCRIPTION;
        };
    }

    private static int code(EntityStatus status) {
        return switch (status) {
            case ACTIVE -> 0;
            case DISABLED -> 1;
            case SEND_DISABLED -> 2;
            case RECEIVE_DISABLED -> 3;
        };
    }

    private static EntityStatus status(RowInput in) throws StoreException {
        int code = in.u8();
        return switch (code) {
            case 0 -> EntityStatus.ACTIVE;
            case 1 -> EntityStatus.DISABLED;
            case 2 -> EntityStatus.SEND_DISABLED;
            case 3 -> EntityStatus.RECEIVE_DISABLED;
            default -> throw in.corrupt("status code " + code);
        };
    }
}
