package dev.jitney.runtime.shard;

import dev.jitney.core.Command;
import dev.jitney.core.Output;
import dev.jitney.core.Record;
import dev.jitney.core.Reply;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.Meter;
import dev.jitney.runtime.ReceiverListener;
import dev.jitney.runtime.shard.entity.EntityInShard;
import dev.jitney.runtime.shard.turn.Effects;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;

/**
 * Whom to tell what the core decides for receivers: those that are attached, and those that wait for a session. For the
 * shard's thread.
 */
final class ShardReceivers {
    private final Effects effects;
    private final Map<Long, AttachedReceiver> attached = new LinkedHashMap<>();

    /** Those of the attached that have not been told so, because that waits for the commit. */
    private final Set<Long> untold = new HashSet<>();

    /** Those that were ended since the last commit; what they are told of it waits for the next one. */
    private final Map<Long, AttachedReceiver> ended = new LinkedHashMap<>();

    /** Receivers that wait for a session, by their numbers. */
    private final Map<Long, PendingAccept> accepts = new LinkedHashMap<>();

    /** Receivers that get something in what is told now. */
    private final List<Map.Entry<Long, AttachedReceiver>> delivering = new ArrayList<>();

    private boolean careful;

    // Deliveries of one entity that are to be counted.
    private int messages;
    private long operations;
    private long bytes;

    ShardReceivers(Effects effects) {
        this.effects = effects;
    }

    void attach(long receiverId, Executor executor, ReceiverListener listener) {
        attached.put(receiverId, new AttachedReceiver(executor, listener));
        untold.add(receiverId);
    }

    /** The commit has succeeded: who is attached knows it, and so does who is not any more. */
    void settle() {
        untold.clear();
        ended.clear();
    }

    /** One asks for a session; it is told when it has one. */
    void await(long receiverId, PendingAccept pending) {
        accepts.put(receiverId, pending);
    }

    /** One need not be told any more: it was answered at once. */
    void stopWaiting(long receiverId) {
        accepts.remove(receiverId);
    }

    /** A receiver goes by itself and is told nothing more. */
    void forget(long receiverId) {
        attached.remove(receiverId);
        ended.remove(receiverId);
        accepts.remove(receiverId);
    }

    void credit(Command.SetCredit credit) {
        AttachedReceiver receiver = attached.get(credit.receiverId());
        if (receiver != null) {
            receiver.credit(credit.deliveryLimit());
        }
    }

    /** Ends one, waiting or attached, and says why. */
    void close(long receiverId, Rejection reason) {
        AttachedReceiver receiver = attached.remove(receiverId);
        if (receiver != null) {
            effects.closed(receiver.executor(), receiver.listener(), reason);
            ended.put(receiverId, receiver);
        }
        PendingAccept pending = accepts.remove(receiverId);
        if (pending != null) {
            effects.reject(pending.executor(), pending.reply(), reason);
        }
    }

    /** Tells the holder of a session that it gets nothing for now (SUSP-5). */
    void suspend(long receiverId, Rejection reason) {
        AttachedReceiver receiver = attached.get(receiverId);
        if (receiver != null) {
            receiver.credit(0);
            effects.suspended(receiver.executor(), receiver.listener(), reason);
        }
    }

    /**
     * Ends all of them, because the commit has failed.
     *
     * @param closed what attached ones hear, and those that would have heard of their end after the commit; those that were
     *     attached since the last commit have heard that they were not
     * @param refused what those hear that wait
     */
    void closeAll(Rejection closed, Rejection refused) {
        attached.putAll(ended);
        ended.clear();
        attached.keySet().removeAll(untold);
        untold.clear();
        attached.values().forEach(r -> effects.closed(r.executor(), r.listener(), closed));
        accepts.values().forEach(pending -> effects.reject(pending.executor(), pending.reply(), refused));
        attached.clear();
        accepts.clear();
    }

    /** Tells receivers of an entity what was decided for them; returns those that are to get no more for now. */
    List<Record> tell(EntityInShard inShard, List<Output> outputs) {
        outputs.forEach(output -> tell(inShard, output));
        List<Record> paused = List.of();
        for (Map.Entry<Long, AttachedReceiver> one : delivering) {
            if (!one.getValue().announce()) {
                paused = paused.isEmpty() ? new ArrayList<>() : paused;
                paused.add(new Record.ReceiverPaused(one.getKey()));
            }
        }
        delivering.clear();
        if (messages > 0) {
            inShard.entity().countDeliveries(messages, operations, bytes);
            messages = 0;
            operations = 0;
            bytes = 0;
        }
        return paused;
    }

    /** Whether receivers are to be asked before they get something, because one was told to wait. */
    boolean isCareful() {
        return careful;
    }

    /** One was told to wait. */
    void beCareful() {
        careful = true;
    }

    /** All are about to be asked. */
    void relax() {
        careful = false;
    }

    /** Those of an entity's receivers that are to get nothing for now. */
    List<Record> fullOnes(List<Long> receiverIds) {
        List<Record> full = new ArrayList<>();
        for (long id : receiverIds) {
            AttachedReceiver receiver = attached.get(id);
            if (receiver != null && !receiver.listener().onDelivering(0)) {
                full.add(new Record.ReceiverPaused(id));
            }
        }
        return full;
    }

    private void tell(EntityInShard inShard, Output output) {
        if (output instanceof Output.Delivered delivered) {
            deliver(inShard, delivered);
        } else if (output instanceof Output.Drained drained) {
            drain(inShard, drained);
        } else if (output instanceof Output.SessionGranted granted) {
            accept(inShard, granted);
        } else if (output instanceof Output.AcceptTimedOut late) {
            PendingAccept pending = accepts.get(late.receiverId());
            if (pending != null) {
                inShard.entity().countEmptyReceive();
                close(late.receiverId(), pending.timedOut());
            }
        } else if (output instanceof Output.SessionLost lost) {
            close(lost.receiverId(), Rejection.of(ErrorCode.SESSION_LOCK_LOST));
        }
    }

    private void deliver(EntityInShard inShard, Output.Delivered delivered) {
        AttachedReceiver receiver = attached.get(delivered.receiverId());
        if (receiver != null) { // else its locks run out by themselves
            int size = delivered.message().content().sizeBytes();
            if (receiver.delivered(size)) {
                delivering.add(Map.entry(delivered.receiverId(), receiver));
            }
            if (receiver.listener().countsHere()) {
                messages++;
                operations += Meter.units(size);
                bytes += size;
            }
            inShard.counters().delivered(delivered.message());
            effects.deliver(receiver.executor(), receiver.listener(), delivered.message());
        }
    }

    private void drain(EntityInShard inShard, Output.Drained drained) {
        AttachedReceiver receiver = attached.get(drained.receiverId());
        if (receiver != null) {
            if (receiver.drained(drained.deliveryLimit()) && receiver.listener().countsHere()) {
                inShard.entity().countEmptyReceive();
            }
            effects.drained(receiver.executor(), receiver.listener(), drained.deliveryLimit());
        }
    }

    private void accept(EntityInShard inShard, Output.SessionGranted granted) {
        PendingAccept pending = accepts.remove(granted.receiverId());
        if (pending != null) {
            inShard.entity().countCall();
            attach(granted.receiverId(), pending.executor(), pending.listener());
            effects.reply(
                    pending.executor(),
                    pending.reply(),
                    new Reply.SessionAccepted(granted.sessionId(), granted.lockedUntilMs()),
                    false);
        }
    }
}
