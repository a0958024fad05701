package dev.jitney.runtime.rows;

import dev.jitney.core.RowWriter.QueueRow;
import dev.jitney.model.AccessRight;
import dev.jitney.model.AccessRule;
import dev.jitney.model.EntityStatus;
import dev.jitney.model.QueueDescription;
import dev.jitney.runtime.store.StoreException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Values of ENTITIES ({@code docs/formats.md}). Enumerations are written by lasting codes, not by their order. */
final class QueueRows {
    private static final int VERSION = 1;
    private static final int KIND_QUEUE = 1;

    private QueueRows() {}

    static byte[] queue(QueueRow row) {
        QueueDescription q = row.description();
        RowOutput out = new RowOutput(256).u8(VERSION).u8(KIND_QUEUE);
        out.text(row.namespace()).i64(row.createdAtMs()).i64(row.updatedAtMs());
        out.text(q.path()).i64(q.lockDurationMs()).i64(q.maxSizeInMegabytes());
        Long messageSize = q.maxMessageSizeInKilobytes();
        out.i64(messageSize == null ? -1 : messageSize);
        out.i64(q.defaultMessageTimeToLiveMs()).i64(q.autoDeleteOnIdleMs()).i32(q.maxDeliveryCount());
        out.bool(q.deadLetteringOnMessageExpiration()).bool(q.requiresDuplicateDetection());
        out.i64(q.duplicateDetectionHistoryTimeWindowMs());
        out.bool(q.requiresSession()).bool(q.enablePartitioning());
        out.text(q.forwardTo()).text(q.forwardDeadLetteredMessagesTo());
        out.bool(q.enableBatchedOperations()).u8(code(q.status())).text(q.userMetadata());
        out.i32(q.accessRules().size());
        for (AccessRule rule : q.accessRules()) {
            out.text(rule.name())
                    .u8(code(rule.rights()))
                    .text(rule.primaryKey())
                    .text(rule.secondaryKey());
        }
        return out.toBytes();
    }

    static QueueRow queue(long entityId, byte[] value) throws StoreException {
        RowInput in = new RowInput(value, VERSION, "entity");
        int kind = in.u8();
        if (kind != KIND_QUEUE) {
            throw in.corrupt("an entity of unknown kind " + kind);
        }
        String namespace = in.text();
        long createdAtMs = in.i64();
        long updatedAtMs = in.i64();
        QueueDescription.Builder queue =
                QueueDescription.named(in.text()).lockDurationMs(in.i64()).maxSizeInMegabytes(in.i64());
        long messageSize = in.i64();
        queue.maxMessageSizeInKilobytes(messageSize < 0 ? null : messageSize)
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
                .userMetadata(in.textOrNull());
        int ruleCount = in.i32();
        List<AccessRule> rules = new ArrayList<>();
        for (int i = 0; i < ruleCount; i++) {
            rules.add(rule(in));
        }
        return new QueueRow(entityId, namespace, queue.accessRules(rules).build(), createdAtMs, updatedAtMs);
    }

    private static AccessRule rule(RowInput in) throws StoreException {
        try {
            return new AccessRule(in.text(), rights(in.u8()), in.text(), in.textOrNull());
        } catch (IllegalArgumentException e) {
            throw in.corrupt("an authorization rule that cannot be: " + e.getMessage());
        }
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

    private static int code(Set<AccessRight> rights) {
        return (rights.contains(AccessRight.MANAGE) ? 1 : 0)
                | (rights.contains(AccessRight.SEND) ? 2 : 0)
                | (rights.contains(AccessRight.LISTEN) ? 4 : 0);
    }

    private static Set<AccessRight> rights(int code) {
        EnumSet<AccessRight> rights = EnumSet.noneOf(AccessRight.class);
        if ((code & 1) != 0) {
            rights.add(AccessRight.MANAGE);
        }
        if ((code & 2) != 0) {
            rights.add(AccessRight.SEND);
        }
        if ((code & 4) != 0) {
            rights.add(AccessRight.LISTEN);
        }
        return rights;
    }
}
