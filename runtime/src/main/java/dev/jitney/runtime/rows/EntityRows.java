package dev.jitney.runtime.rows;

import dev.jitney.core.RowWriter.EntityRow;
import dev.jitney.model.AccessRule;
import dev.jitney.model.EntityDescription;
import dev.jitney.model.EntityKind;
import dev.jitney.model.EntityStatus;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.SubscriptionDescription;
import dev.jitney.model.TopicDescription;
import dev.jitney.model.property.EntityProperty;
import dev.jitney.model.property.EntityTable;
import dev.jitney.model.property.PropertyType;
import dev.jitney.runtime.KeySeal;
import dev.jitney.runtime.store.StoreException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Values of ENTITIES ({@code docs/formats.md}): names, then the properties in the order of {@link EntityTable#inRow}.
 * Enumerations are written as permanent codes, not by their order.
 */
final class EntityRows {
    private static final int OLDEST_VERSION = 1;
    private static final int VERSION = EntityTable.rowVersion();
    private static final int KIND_QUEUE = 1;
    private static final int KIND_TOPIC = 2;
    private static final int KIND_SUBSCRIPTION = 3;

    private EntityRows() {}

    static byte[] write(EntityRow row, KeySeal seal) {
        EntityDescription description = row.description();
        RowOutput out = new RowOutput(256).u8(VERSION).u8(code(description.kind()));
        out.text(row.namespace()).i64(row.createdAtMs()).i64(row.updatedAtMs());
        if (description instanceof SubscriptionDescription subscription) {
            out.text(subscription.topicPath()).text(subscription.name());
        } else {
            out.text(description.path());
        }
        properties(out, description, seal);
        return out.toBytes();
    }

    static EntityRow read(long entityId, byte[] value, KeySeal seal) throws StoreException {
        RowInput in = new RowInput(value, OLDEST_VERSION, VERSION, "entity");
        int kind = in.u8();
        String namespace = in.text();
        long createdAtMs = in.i64();
        long updatedAtMs = in.i64();
        EntityDescription description = switch (kind) {
            case KIND_QUEUE -> properties(in, QueueDescription.named(in.text()).build(), seal);
            case KIND_TOPIC -> properties(in, TopicDescription.named(in.text()).build(), seal);
            case KIND_SUBSCRIPTION ->
                properties(in, SubscriptionDescription.of(in.text(), in.text()).build(), seal);
            default -> throw in.corrupt("an entity of unknown kind " + kind);
        };
        in.end();
        return new EntityRow(entityId, namespace, description, createdAtMs, updatedAtMs);
    }

    private static <D extends EntityDescription> void properties(RowOutput out, D description, KeySeal seal) {
        for (EntityProperty<D> property : EntityTable.of(description).inRow()) {
            write(out, property.spec().type(), property.get(description), seal);
        }
    }

    /**
     * Reads the properties. A property that is newer than the row keeps its default, which was the only possible value
     * then.
     */
    private static <D extends EntityDescription> D properties(RowInput in, D named, KeySeal seal)
            throws StoreException {
        EntityTable<D> table = EntityTable.of(named);
        EntityDescription.Builder<D> builder = table.toBuilder(named);
        for (EntityProperty<D> property : table.inRow()) {
            if (property.rowVersion() <= in.version()) {
                property.set(builder, read(in, property.spec().type(), seal));
            }
        }
        return builder.build();
    }

    @SuppressWarnings("unchecked") // the class of a value is that of its type
    private static void write(RowOutput out, PropertyType type, @Nullable Object value, KeySeal seal) {
        switch (type) {
            case FLAG -> out.bool((Boolean) present(value));
            case DURATION, TIME_TO_LIVE, MEGABYTES -> out.i64((Long) present(value));
            case COUNT -> out.i32((Integer) present(value));
            case KILOBYTES -> out.optional((Long) value);
            case TEXT, DESTINATION -> out.text((String) value);
            case STATUS -> out.u8(code((EntityStatus) present(value)));
            case ACCESS_RULES -> AccessRuleRows.write(out, (List<AccessRule>) present(value), seal);
        }
    }

    private static Object present(@Nullable Object value) {
        return Objects.requireNonNull(value, "a required value");
    }

    private static @Nullable Object read(RowInput in, PropertyType type, KeySeal seal) throws StoreException {
        return switch (type) {
            case FLAG -> in.bool();
            case DURATION, TIME_TO_LIVE, MEGABYTES -> in.i64();
            case COUNT -> in.i32();
            case KILOBYTES -> in.optional();
            case TEXT, DESTINATION -> in.textOrNull();
            case STATUS -> status(in);
            case ACCESS_RULES -> AccessRuleRows.read(in, seal);
        };
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
