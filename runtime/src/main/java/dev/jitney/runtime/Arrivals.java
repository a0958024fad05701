package dev.jitney.runtime;

import dev.jitney.core.Command;
import dev.jitney.core.FragmentId;
import dev.jitney.core.Reply;
import dev.jitney.core.Transfer;
import dev.jitney.core.topic.FanOut;
import dev.jitney.core.transaction.decide.TransactionDecider;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.rows.StoreRowReader;
import dev.jitney.runtime.rows.StoreRowWriter;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Takes transfers into this shard's entities. Each is judged like a message that is sent, and stored in one batch with the
 * number it has at its source; what comes with a number that is not larger was stored before (design, section 4). For the
 * shard's thread.
 */
final class Arrivals {
    /** Marks kept in memory between commits; the others are in the store. */
    private static final int REMEMBERED_MAX = 16_384;

    private final ShardWork shard;
    private final Effects effects;
    private final StoreRowReader reader;
    private final StoreRowWriter writer;
    private final Map<Route, Long> marks = new LinkedHashMap<>(64, 0.75f, true);

    private record Route(FragmentId destination, FragmentId source) {}

    Arrivals(ShardWork shard, Effects effects, StoreRowReader reader, StoreRowWriter writer) {
        this.shard = shard;
        this.effects = effects;
        this.reader = reader;
        this.writer = writer;
    }

    /**
     * Stores what is new of a flight, up to the first transfer that is refused or for which the turn has no steps; the answer
     * waits for the commit.
     */
    void take(Outbox.Flight flight) {
        int done = 0;
        Rejection failure = null;
        try {
            for (Transfer transfer : flight.transfers()) {
                if (done > 0 && shard.steps().isSpent()) {
                    break; // rules have cost much: the others come with the next flight
                }
                failure = take(flight.lane().source(), transfer);
                if (failure != null) {
                    break;
                }
                done++;
            }
        } catch (RuntimeException e) {
            // The source waits for an answer, and hears with the failed batch that it may try again.
            answerAfterCommit(flight, 0, Rejection.of(ErrorCode.SERVER_BUSY));
            throw e;
        }
        answerAfterCommit(flight, done, failure);
    }

    private void answerAfterCommit(Outbox.Flight flight, int stored, @Nullable Rejection refused) {
        effects.reply(
                Runnable::run,
                new ReplyListener() {
                    @Override
                    public void onReply(Reply reply) {
                        flight.answer(stored, refused);
                    }

                    @Override
                    public void onRejected(Rejection uncertain) {
                        flight.answer(0, Rejection.of(ErrorCode.SERVER_BUSY));
                    }
                },
                Reply.Done.INSTANCE,
                false);
    }

    private @Nullable Rejection take(FragmentId source, Transfer transfer) {
        EntitySlot slot = shard.participant(transfer.destinationId());
        if (slot == null) {
            return shard.missing(transfer.destinationId());
        }
        Route route = new Route(slot.state.id(), source);
        if (transfer.number() <= mark(route)) {
            return null;
        }
        Rejection unserved = slot.entity.unservedSends();
        if (unserved != null) {
            return unserved;
        }
        if (!shard.situation().storeAcceptsGrowth()) {
            return Rejection.of(ErrorCode.SERVER_BUSY); // there will be room again
        }
        List<IncomingMessage> messages = List.of(transfer.message());
        FanOut publication = slot.send(new Command.SendMessages(messages), shard.situation());
        if (publication.rejection() != null) {
            return publication.rejection();
        }
        shard.use(TransactionDecider.Step.sending(slot, messages, publication));
        marks.put(route, transfer.number());
        writer.putTransferMark(route.destination(), route.source(), transfer.number());
        return null;
    }

    private long mark(Route route) {
        Long known = marks.get(route);
        if (known == null) {
            known = reader.transferMark(route.destination(), route.source());
            marks.put(route, known);
        }
        return known;
    }

    /** Gives back memory after a commit; before one, the marks here are the only ones that are right. */
    void settle() {
        Iterator<Route> eldest = marks.keySet().iterator();
        while (marks.size() > REMEMBERED_MAX && eldest.hasNext()) {
            eldest.next();
            eldest.remove();
        }
    }

    /** The shard's memory is lost. */
    void lose() {
        marks.clear();
    }
}
