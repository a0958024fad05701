package dev.jitney.runtime.shard;

import dev.jitney.core.Command;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.ReplyListener;
import dev.jitney.runtime.shard.turn.Mailbox;
import dev.jitney.runtime.shard.turn.ShardTask;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The task that sets the credit of one receiver. It waits in the mailbox at most once, regardless of the number of
 * changes, so that a client that changes its credit often does not fill the mailbox (QUOTA-8). Meanwhile only the newest
 * change is kept.
 *
 * <p>A change never takes effect before tasks that were put earlier: it follows behind them. Any thread may change the
 * credit.
 */
public final class CreditTask implements ShardTask, Consumer<Command.SetCredit> {
    private final ShardCommands shard;
    private final Mailbox mailbox;
    private final long entityId;

    /** The credit to set; null while the task does not wait in the mailbox. */
    private Command.@Nullable SetCredit waiting;

    /** The newest change since then, or null. */
    private Command.@Nullable SetCredit newest;

    public CreditTask(ShardCommands shard, Mailbox mailbox, long entityId) {
        this.shard = shard;
        this.mailbox = mailbox;
        this.entityId = entityId;
    }

    /** Changes the credit. */
    @Override
    public void accept(Command.SetCredit credit) {
        synchronized (this) {
            if (waiting != null) {
                newest = credit;
                return;
            }
            waiting = credit;
        }
        mailbox.put(this);
    }

    @Override
    public void run() {
        Command.SetCredit credit;
        boolean again;
        synchronized (this) {
            credit = waiting;
            waiting = newest;
            newest = null;
            again = waiting != null;
        }
        if (again) {
            mailbox.put(this);
        }
        if (credit != null) {
            shard.execute(entityId, credit, Runnable::run, ReplyListener.IGNORE);
        }
    }

    @Override
    public synchronized void refuse(Rejection reason) {
        waiting = null; // nothing is attached to a shard that refuses
        newest = null;
    }
}
