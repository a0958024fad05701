package dev.jitney.runtime.shard;

import dev.jitney.core.Command;
import dev.jitney.core.Output;
import dev.jitney.core.Record;
import dev.jitney.core.Reply;
import dev.jitney.core.SessionSummary;
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
 * The receivers of a shard: the attached ones, and those that wait for a session. Passes the outputs of the core to
 * their listeners. For the shard's thread.
 */
final class ShardReceivers {
    private final Effects effects;
    private final Map<Long, AttachedReceiver> attached = new LinkedHashMap<>();

    /** Attached receivers whose attach reply waits for the commit. */
    private final Set<Long> untold = new HashSet<>();

    /** Receivers closed since the last commit. The notification of their listeners waits for the next commit. */
    private final Map<Long, AttachedReceiver> ended = new LinkedHashMap<>();

    /** Receivers that wait for a session, by their numbers. */
    private final Map<Long, PendingAccept> accepts = new LinkedHashMap<>();

    /** Receivers with deliveries in the current outputs. */
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

    /** Notes that the commit has succeeded: attach replies and close notifications are released. */
    void settle() {
        untold.clear();
        ended.clear();
    }

    /** Registers a receiver that waits for a session. */
    void await(long receiverId, PendingAccept pending) {
        accepts.put(receiverId, pending);
    }

    /** Removes a receiver that no longer waits for a session, because it already has its reply. */
    void stopWaiting(long receiverId) {
        accepts.remove(receiverId);
    }

    /** Removes a receiver that detaches by itself. Its listener gets no further call. */
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

    /** Closes a receiver, waiting or attached, with a reason. */
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

    /** Returns an answer about sessions with words about their holders, and every other answer as it is. */
    Reply named(Reply reply) {
        if (reply instanceof Reply.SessionPage page) {
            List<SessionSummary> sessions =
                    page.sessions().stream().map(this::named).toList();
            return new Reply.SessionPage(sessions, page.scanned(), page.next(), page.unavailable());
        }
        if (reply instanceof Reply.SessionFound found && found.session() != null) {
            return new Reply.SessionFound(named(found.session()), found.state());
        }
        return reply;
    }

    private SessionSummary named(SessionSummary session) {
        AttachedReceiver receiver = session.isHeld() ? attached.get(session.receiverId()) : null;
        return receiver == null ? session : session.heldBy(receiver.listener().holder());
    }

    /** Notifies the holder of a session that deliveries are suspended (SUSP-5). */
    void suspend(long receiverId, Rejection reason) {
        AttachedReceiver receiver = attached.get(receiverId);
        if (receiver != null) {
            receiver.credit(0);
            effects.suspended(receiver.executor(), receiver.listener(), reason);
        }
    }

    /**
     * Closes all receivers, because the commit has failed.
     *
     * @param closed reason for attached receivers, and for those whose close notification waited for the commit;
     *     receivers attached since the last commit got a refusal instead
     * @param refused reason for receivers that wait for a session
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

    /**
     * Passes outputs to the receivers of an entity. Returns a record for each receiver that must get no more for now.
     */
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

    /** Returns whether receivers must be checked for room before a delivery, because one was paused. */
    boolean isCareful() {
        return careful;
    }

    /** Notes that a receiver was paused. */
    void beCareful() {
        careful = true;
    }

    /** Clears the note that a receiver was paused, before all receivers are checked. */
    void relax() {
        careful = false;
    }

    /** Returns a record for each of an entity's receivers that must get nothing for now. */
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
        if (receiver != null) { // else its locks expire
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
