package dev.jitney.gateway.http.operator.job;

import dev.jitney.core.Command;
import dev.jitney.core.Reply;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.ReplyListener;
import java.util.function.BooleanSupplier;

/**
 * The first part of a job that deletes all messages of a queue: it deletes the active ones in batches, which costs much less than one
 * command for each, and no more of them than the job has counted. Messages that came after the order stay, and so do all messages if the
 * entity refuses batches, as partitioned ones and topics do. For the event loop of the jobs.
 */
final class Purge {
    private static final int BATCH_MAX = 256;

    /** The number of batches in progress. While a store commits some of them, the shard decides on others. */
    private static final int IN_PROGRESS_MAX = 4;

    private static final long RETRY_MS = 1_000;

    private final Job job;
    private final JobOrder order;
    private final Entity entity;
    private final JobHost host;
    private final Rate rate;
    private final BooleanSupplier stopping;
    private final Runnable then;
    private final int batch;
    private int inProgress;

    /** The sizes of the batches in progress. */
    private long asked;

    private boolean pausing;
    private boolean over;

    /**
     * @param stopping returns whether no more batches may start
     * @param then runs when no message is left that a batch could delete, or when no more batches may start
     */
    Purge(Job job, Entity entity, JobHost host, Rate rate, BooleanSupplier stopping, Runnable then) {
        this.job = job;
        this.order = job.order;
        this.entity = entity;
        this.host = host;
        this.rate = rate;
        this.stopping = stopping;
        this.then = then;
        this.batch = (int) (order.perSecond() == 0 ? BATCH_MAX : Math.min(BATCH_MAX, order.perSecond()));
    }

    /** Starts as many batches as possible. */
    void turn() {
        boolean last = over || stopping.getAsBoolean();
        while (!last && !pausing && inProgress < IN_PROGRESS_MAX && left() > 0) {
            int size = (int) Math.min(batch, left());
            long delayMs = rate.take(size, System.nanoTime());
            if (delayMs > 0) {
                pause(delayMs);
            } else {
                inProgress++;
                asked += size;
                entity.submit(
                        new Command.BatchDeleteMessages(order.address().subQueue(), size, job.createdAtMs),
                        host.executor(),
                        new Outcome(size));
            }
        }
        if ((last || left() == 0) && !pausing && inProgress == 0) {
            then.run();
        }
    }

    /** Returns the number of messages that further batches may delete. */
    private long left() {
        return Math.max(0, job.progress.total - job.progress.handled() - asked);
    }

    private void pause(long ms) {
        pausing = true;
        host.after(ms, () -> {
            pausing = false;
            turn();
        });
    }

    /** The receiver of the result of one batch. */
    private final class Outcome implements ReplyListener {
        private final int size;

        Outcome(int size) {
            this.size = size;
        }

        @Override
        public void onReply(Reply reply) {
            int deleted = ((Reply.Deleted) reply).count();
            job.progress.done += deleted;
            over |= deleted == 0;
            inProgress--;
            asked -= size;
            turn();
        }

        @Override
        public void onRejected(Rejection rejection) {
            inProgress--;
            asked -= size;
            if (!rejection.code().retryable()) {
                over = true;
            } else if (!pausing) {
                job.setReason(rejection.description());
                pause(RETRY_MS);
            }
            turn();
        }
    }
}
