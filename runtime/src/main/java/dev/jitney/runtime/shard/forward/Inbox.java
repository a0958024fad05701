package dev.jitney.runtime.shard.forward;

import dev.jitney.core.Command;
import dev.jitney.core.FragmentId;
import dev.jitney.core.Reply;
import dev.jitney.core.Transfer;
import dev.jitney.core.queue.ForwardedMessage;
import dev.jitney.core.topic.FanOut;
import dev.jitney.core.transaction.decide.TransactionDecider;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.ReplyListener;
import dev.jitney.runtime.rows.StoreRowReader;
import dev.jitney.runtime.rows.StoreRowWriter;
import dev.jitney.runtime.shard.entity.EntityInShard;
import dev.jitney.runtime.shard.entity.HostedEntity;
import dev.jitney.runtime.shard.entity.RecordApplier;
import dev.jitney.runtime.shard.entity.ShardContext;
import dev.jitney.runtime.shard.entity.TopicInShard;
import dev.jitney.runtime.shard.turn.Effects;
import dev.jitney.runtime.shard.turn.Mailbox;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Accepts transfers into this shard's entities. Each is checked like a sent message and stored in one batch with its
 * number at the source. A transfer whose number is not larger than the stored one is a duplicate (design, section 4).
 * For the shard's thread.
 */
final class Inbox {
    /** The limit of marks kept in memory between commits; the others are in the store. */
    private static final int REMEMBERED_MAX = 16_384;

    private final ShardContext context;
    private final RecordApplier applier;
    private final Effects effects;
    private final StoreRowReader reader;
    private final StoreRowWriter writer;
    private final Map<Route, Long> marks = new LinkedHashMap<>(64, 0.75f, true);

    private record Route(FragmentId destination, FragmentId source) {}

    Inbox(ShardContext context, RecordApplier applier, Effects effects, StoreRowReader reader, StoreRowWriter writer) {
        this.context = context;
        this.applier = applier;
        this.effects = effects;
        this.reader = reader;
        this.writer = writer;
    }

    /** Returns the mailbox of its shard. Any thread may call it. */
    Mailbox mailbox() {
        return context.mailbox();
    }

    /** Returns whether rules are evaluated for messages to an entity, which may take many steps. */
    boolean judgesByRules(long destinationId) {
        return context.find(destinationId) instanceof TopicInShard;
    }

    /**
     * Stores the new transfers of a batch, up to the first one that is refused or exceeds the steps of the turn. The
     * answer waits for the commit.
     */
    void take(TransferBatch batch) {
        int done = 0;
        Rejection failure = null;
        try {
            for (Transfer transfer : batch.transfers()) {
                if (done > 0 && context.steps().isSpent()) {
                    break; // the rules were expensive: the rest comes with the next batch
                }
                failure = take(batch.key().source(), transfer);
                if (failure != null) {
                    break;
                }
                done++;
            }
        } catch (RuntimeException e) {
            // The source waits for an answer. The failed commit answers that it may retry.
            answerAfterCommit(batch, 0, Rejection.of(ErrorCode.SERVER_BUSY));
            throw e;
        }
        answerAfterCommit(batch, done, failure);
    }

    private void answerAfterCommit(TransferBatch batch, int stored, @Nullable Rejection refused) {
        effects.reply(
                Runnable::run,
                new ReplyListener() {
                    @Override
                    public void onReply(Reply reply) {
                        batch.acknowledge(stored, refused);
                    }

                    @Override
                    public void onRejected(Rejection uncertain) {
                        batch.acknowledge(0, Rejection.of(ErrorCode.SERVER_BUSY));
                    }
                },
                Reply.Done.INSTANCE,
                false);
    }

    private @Nullable Rejection take(FragmentId source, Transfer transfer) {
        EntityInShard inShard = context.find(transfer.destinationId());
        if (inShard == null) {
            return context.missing(transfer.destinationId());
        }
        Route route = new Route(inShard.state().id(), source);
        if (transfer.number() <= mark(route)) {
            return null;
        }
        Rejection unserved = inShard.entity().unservedSends();
        if (unserved != null) {
            return unserved;
        }
        if (!context.acceptsGrowth()) {
            return Rejection.of(ErrorCode.SERVER_BUSY); // retryable: there will be room again
        }
        List<IncomingMessage> messages = List.of(transfer.message());
        FanOut publication = inShard.send(new Command.SendMessages(messages), context.situation());
        if (publication.rejection() != null) {
            return publication.rejection();
        }
        applier.use(TransactionDecider.Step.sending(inShard, messages, publication));
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

    /**
     * Checks which dead-letters an entity would accept now. Nothing is stored.
     *
     * @param welcome receives the numbers of dead-letters that it would accept
     * @param unwelcome receives the numbers of dead-letters that it would refuse because of the message itself
     */
    void judge(
            HostedEntity destination,
            List<ForwardedMessage> forwardedMessages,
            Set<Long> welcome,
            Set<Long> unwelcome) {
        EntityInShard inShard = context.find(destination.id());
        if (inShard == null || inShard.entity().unservedSends() != null || !context.acceptsGrowth()) {
            return;
        }
        for (ForwardedMessage forwarded : forwardedMessages) {
            Command.SendMessages send = new Command.SendMessages(List.of(forwarded.message()));
            Rejection refused = inShard.send(send, context.situation()).rejection();
            if (refused != null && ForwardingRules.stops(destination, refused.code())) {
                return;
            }
            (refused == null ? welcome : unwelcome).add(forwarded.origin().sequenceNumber());
        }
    }

    /** Frees memory after a commit. Before the commit, only the marks in memory are up to date. */
    void settle() {
        Iterator<Route> eldest = marks.keySet().iterator();
        while (marks.size() > REMEMBERED_MAX && eldest.hasNext()) {
            eldest.next();
            eldest.remove();
        }
    }

    /** Drops all marks, because the state in memory is lost. */
    void lose() {
        marks.clear();
    }
}
