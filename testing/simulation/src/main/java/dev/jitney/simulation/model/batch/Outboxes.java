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

/** Messages on their way between entities: each lands once, and leaves its outbox when it has landed or was refused. */
public final class Outboxes {
    private final ModelState model;
    private final Map<Road, NavigableMap<Long, OutboxMessage>> transfers = new HashMap<>();
    private final Map<Road, Long> marks = new HashMap<>();
    private final List<OutboxMessage> landedNow = new ArrayList<>();

    /** Those that have left the outbox in this batch without having landed. */
    private final List<OutboxMessage> left = new ArrayList<>();

    /** Source and destination. */
    private record Road(long sourceEntity, long destinationEntity) {}

    Outboxes(ModelState model) {
        this.model = model;
    }

    void begin() {
        landedNow.clear();
        left.clear();
    }

    /** A message enters an outbox. */
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
            throw new Violation("Expected a transfer to come after those that have landed, but " + transfer
                    + " comes after " + mark + ".");
        }
        road.put(number, transfer);
        source.outgoing++;
        return transfer;
    }

    private NavigableMap<Long, OutboxMessage> road(StoredEntity source, long destination) {
        Road road = new Road(source.key(), destination);
        return transfers.computeIfAbsent(road, r -> new TreeMap<>());
    }

    /** A destination has taken all transfers of a source up to a number; answers the last one. */
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
            throw new Violation("Expected transfer marks to grow, but " + number + " follows " + before + ".");
        }
        NavigableMap<Long, OutboxMessage> waiting = transfers.get(road);
        OutboxMessage transfer = waiting == null ? null : waiting.get(number);
        if (transfer == null || transfer.landed) {
            throw new Violation("Expected a transfer number " + number + " that has not landed yet.");
        }
        transfer.landed = true;
        landedNow.add(transfer);
        return transfer;
    }

    /** Whether a copy is what was on its way from its entity and comes back, because it was refused. */
    boolean isReturning(MessageCopy copy) {
        return left.stream().anyMatch(transfer -> transfer.uid == copy.uid && transfer.source == copy.entity);
    }

    /** A message leaves its outbox. */
    void leave(StoredEntity source, Write write) {
        long destination = RowBytes.int32(write.key(), 6) & 0xffff_ffffL;
        OutboxMessage transfer = road(source, destination).remove(RowBytes.int64(write.key(), 10));
        if (transfer == null) {
            throw new Violation("Expected a transfer that is there to leave " + source.path + ".");
        }
        source.outgoing--;
        StoredEntity to = model.entities().ofEntity(destination);
        if (!transfer.landed || to == null || to.gone) {
            left.add(transfer); // what a deleted entity has taken is not known to the source
        }
    }

    /** Whether a copy is what was refused on its way, and is among the dead-letters of its source now. */
    boolean isRefused(MessageCopy copy) {
        if (copy.lane != dev.jitney.core.Lane.DEAD_LETTER && copy.lane != dev.jitney.core.Lane.TRANSFER_DEAD_LETTER) {
            return false;
        }
        return left.removeIf(transfer ->
                transfer.uid == copy.uid && transfer.source == copy.entity && transfer.visible.equals(copy.visible));
    }

    /** The transfers that have brought a message in this batch: a topic may have sent it on several roads. */
    List<OutboxMessage> landed(long uid) {
        return landedNow.stream().filter(transfer -> transfer.uid == uid).toList();
    }

    void end() {
        left.removeIf(transfer -> transfer.landed);
        if (!left.isEmpty()) {
            throw new Violation(
                    "Expected what leaves an outbox to be at its destination, but it is nowhere: " + left.get(0));
        }
    }

    /** An entity was deleted with its outbox; what has been handed to the destination already may still land. */
    void drop(long entityId) {
        model.entities().all().forEach(entity -> {
            if (entity.entityId == entityId) {
                entity.outgoing = 0;
            }
        });
    }

    /** Nothing is on its way any more that could have arrived. */
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
                            "Expected everything to arrive in the end, but there is still " + transfer + ".");
                }
            }
        }
    }

    /** Bytes that wait in the outbox of an entity. */
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
