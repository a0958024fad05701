package dev.jitney.simulation.model.batch;

import dev.jitney.simulation.Violation;
import dev.jitney.simulation.disk.Write;
import dev.jitney.simulation.model.row.PropertyBytes;
import dev.jitney.simulation.model.row.RowBytes;
import dev.jitney.simulation.model.row.VisibleProperties;
import dev.jitney.simulation.model.state.MessageCopy;
import dev.jitney.simulation.model.state.ModelState;
import dev.jitney.simulation.model.state.OutboxMessage;
import dev.jitney.simulation.model.state.StoredEntity;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The messages on their way between entities. Each arrives once, and leaves its outbox when it has arrived or was
 * rejected.
 */
public final class Outboxes {
    private final ModelState model;
    private final Map<Road, NavigableMap<Long, OutboxMessage>> transfers = new HashMap<>();
    private final Map<Road, Long> marks = new HashMap<>();
    private final List<OutboxMessage> landedNow = new ArrayList<>();

    /** The messages that have left an outbox in this batch before they have arrived. */
    private final List<OutboxMessage> left = new ArrayList<>();

    /** The pair of a source and a destination. */
    private record Road(long sourceEntity, long destinationEntity) {}

    Outboxes(ModelState model) {
        this.model = model;
    }

    void begin() {
        landedNow.clear();
        left.clear();
    }

    /** Adds a message to an outbox. */
    OutboxMessage depart(StoredEntity source, Write write) {
        long destination = RowBytes.int32(write.key(), 6) & 0xffff_ffffL;
        long number = RowBytes.int64(write.key(), 10);
        byte[] value = write.argument();
        int size = RowBytes.transferSize(value);
        VisibleProperties visible = PropertyBytes.visible(PropertyBytes.content(value, value.length - size), Map.of());
        OutboxMessage transfer = new OutboxMessage(RowBytes.uid(value), source, destination, number, size, visible);
        NavigableMap<Long, OutboxMessage> road = road(source, destination);
        Long mark = marks.get(new Road(source.key(), destination));
        if (road.containsKey(number) || (mark != null && mark >= number)) {
            throw new Violation("Expected a transfer to have a higher number than those that have arrived, but "
                    + transfer + " follows number " + mark + ".");
        }
        road.put(number, transfer);
        source.outgoing++;
        return transfer;
    }

    private NavigableMap<Long, OutboxMessage> road(StoredEntity source, long destination) {
        Road road = new Road(source.key(), destination);
        return transfers.computeIfAbsent(road, r -> new TreeMap<>());
    }

    /** Applies a mark: the destination has stored all transfers of a source up to a number. Returns the last one. */
    @Nullable
    OutboxMessage mark(Write write) {
        if (write.kind() != Write.Kind.PUT) {
            return null;
        }
        long source = (RowBytes.int32(write.key(), 6) & 0xffff_ffffL) << 16
                | (write.key()[10] & 0xff) << 8
                | write.key()[11] & 0xff;
        Road road = new Road(source, RowBytes.entity(write.key()));
        long number = RowBytes.int64(write.argument(), 1);
        Long before = marks.put(road, number);
        if (before != null && before > number) {
            throw new Violation("Expected transfer marks to increase, but " + number + " follows " + before + ".");
        }
        NavigableMap<Long, OutboxMessage> waiting = transfers.get(road);
        OutboxMessage transfer = waiting == null ? null : waiting.get(number);
        if (transfer == null || transfer.landed) {
            throw new Violation(
                    "Expected a transfer with number " + number + " that has not arrived yet, but there is none.");
        }
        transfer.landed = true;
        landedNow.add(transfer);
        return transfer;
    }

    /** Returns whether a copy was rejected by its destination and returns to its entity. */
    boolean isReturning(MessageCopy copy) {
        return left.stream().anyMatch(transfer -> transfer.uid == copy.uid && transfer.source == copy.entity);
    }

    /** Removes a message from its outbox. */
    void leave(StoredEntity source, Write write) {
        long destination = RowBytes.int32(write.key(), 6) & 0xffff_ffffL;
        OutboxMessage transfer = road(source, destination).remove(RowBytes.int64(write.key(), 10));
        if (transfer == null) {
            throw new Violation("Expected the transfer that leaves " + source.path + " to exist, but it does not.");
        }
        source.outgoing--;
        StoredEntity to = model.entities().ofEntity(destination);
        if (!transfer.landed || to == null || to.gone) {
            left.add(transfer); // the source does not know what a deleted entity has stored
        }
    }

    /** Returns whether a copy was rejected by its destination and is now in a dead-letter queue of its source. */
    boolean isRefused(MessageCopy copy) {
        if (copy.lane != dev.jitney.core.Lane.DEAD_LETTER && copy.lane != dev.jitney.core.Lane.TRANSFER_DEAD_LETTER) {
            return false;
        }
        return left.removeIf(transfer ->
                transfer.uid == copy.uid && transfer.source == copy.entity && transfer.visible.equals(copy.visible));
    }

    /**
     * Returns the transfers of a message that have arrived in this batch. A topic may have forwarded it to several
     * destinations.
     */
    List<OutboxMessage> landed(long uid) {
        return landedNow.stream().filter(transfer -> transfer.uid == uid).toList();
    }

    void end() {
        left.removeIf(transfer -> transfer.landed);
        if (!left.isEmpty()) {
            throw new Violation("Expected a message that leaves an outbox to be stored elsewhere, but it is lost: "
                    + left.get(0) + ".");
        }
    }

    /** Drops the outbox of a deleted entity. Messages already sent to a destination may still arrive. */
    void drop(long entityId) {
        model.entities().all().forEach(entity -> {
            if (entity.entityId == entityId) {
                entity.outgoing = 0;
            }
        });
    }

    /** Checks that no message remains in an outbox that could have arrived. */
    public void requireAtRest() {
        for (NavigableMap<Long, OutboxMessage> road : transfers.values()) {
            for (OutboxMessage transfer : road.values()) {
                StoredEntity destination = model.entities().ofEntity(transfer.destinationId);
                boolean stays = transfer.source.gone
                        || (destination != null
                                && !destination.gone
                                && !destination.settings.status().allowsSend());
                if (!stays) {
                    throw new Violation(
                            "Expected all forwarded messages to arrive, but there is still " + transfer + ".");
                }
            }
        }
    }

    /** Returns the size of the messages in the outbox of an entity in bytes. */
    long sizeBytes(StoredEntity source) {
        if (source.outgoing == 0) {
            return 0;
        }
        long key = source.key();
        long size = 0;
        for (Map.Entry<Road, NavigableMap<Long, OutboxMessage>> road : transfers.entrySet()) {
            if (road.getKey().sourceEntity == key) {
                for (OutboxMessage transfer : road.getValue().values()) {
                    size += transfer.sizeBytes;
                }
            }
        }
        return size;
    }
}
