package dev.jitney.gateway.http.operator.job;

import dev.jitney.core.Command;
import dev.jitney.core.Reply;
import dev.jitney.gateway.http.exchange.HttpError;
import dev.jitney.gateway.http.exchange.RefusedException;
import dev.jitney.gateway.http.operator.job.JobProgress.Canary;
import dev.jitney.gateway.http.operator.message.MessageAction;
import dev.jitney.gateway.http.operator.message.MessageActions;
import dev.jitney.model.MessageView;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.ReplyListener;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One run of a job, from its start or its resumption to its next pause or its end. It reads messages in slices and changes a limited
 * number at a time. A refusal by a busy broker is repeated; other refusals are counted, and the message stays. For the event loop of the
 * jobs.
 */
final class JobRun {
    /**
     * The number of changes in progress. While a store commits some of them, the shard decides on others. More of them make turns longer,
     * in which the messages of other entities wait.
     */
    private static final int IN_PROGRESS_MAX = 64;

    private static final int SLICE_MAX = 256;

    /** The number of refusals in a row after which the job pauses. */
    private static final int REFUSALS_MAX = 100;

    private static final int NOT_FOUND = 404;
    private static final long RETRY_MS = 1_000;
    private static final long SAVE_MS = 1_000;

    private final Job job;
    private final JobOrder order;
    private final JobProgress progress;
    private final Entity entity;
    private final JobHost host;
    private final Rate rate;

    /** Messages that were read and wait for their change. */
    private final Deque<MessageView> waiting = new ArrayDeque<>();

    /** The numbers of messages that wait or whose change is in progress. */
    private final TreeSet<Long> open = new TreeSet<>();

    private JobSelection selection;
    private @Nullable MessageAction action;
    private @Nullable CanarySending canary;
    private long scanFrom;
    private int inProgress;

    /** The refusals in a row, by the numbers of their messages, with the reasons under which the progress counts them. */
    private final Map<Long, String> streak = new HashMap<>();

    /** True once the run pauses because of the refusals in a row. Later refusals stay open too. */
    private boolean givenUp;

    private boolean scanning;
    /** True while the rate permits no change, and before a change that a busy broker has refused is repeated. */
    private boolean pausing;

    /** True while the result of the canary is awaited. */
    private boolean awaiting;

    private boolean stopping;
    private boolean over;
    private boolean turning;
    private boolean savedSlice;

    /** True after the batches of a job that deletes all messages. The walk then deletes the others. */
    private boolean purged;

    JobRun(Job job, Entity entity, JobHost host) {
        this.job = job;
        this.order = job.order;
        this.progress = job.progress;
        this.entity = entity;
        this.host = host;
        this.selection = new JobSelection(job);
        this.rate = new Rate(order.perSecond(), System.nanoTime());
    }

    Job job() {
        return job;
    }

    /** Begins with the count, or continues with the changes. */
    void start() {
        saveRegularly();
        if (progress.total < 0) {
            job.state = JobState.COUNTING;
            job.interrupted = false; // it has changed nothing before
            progress.scanned = 0;
            progress.failed = 0;
            progress.bounds = JobBounds.ofCount();
            count(0, 0);
            return;
        }
        scanFrom = progress.bounds.within(progress.next);
        if (progress.numberParts >= 0) {
            readNumbers();
        } else {
            change();
        }
    }

    private void readNumbers() {
        scanning = true;
        host.readNumbers(job).whenComplete((parts, failure) -> {
            scanning = false;
            if (failure != null) {
                scanning = true;
                host.after(RETRY_MS, this::readNumbersAgain);
                return;
            }
            if (parts.size() == progress.numberParts) {
                progress.bounds.setNumbers(CountedNumbers.of(parts));
            }
            change();
        });
    }

    private void readNumbersAgain() {
        scanning = false;
        if (stopping) {
            turn();
        } else {
            readNumbers();
        }
    }

    /** Ends the run as soon as no change is in progress. The caller has set the state of the job. */
    void stop() {
        stopping = true;
        turn();
    }

    private void stop(JobState state, String reason) {
        if (!stopping) {
            job.state = state;
            job.setReason(reason);
            job.endedAtMs = state.isEnd() ? host.nowMs() : 0;
        }
        stop();
    }

    // --- the count ---

    private void count(long from, long found) {
        search(from, slice -> {
            long sum = found;
            for (MessageView message : slice.messages()) {
                if (order.takes(message)) {
                    progress.bounds.include(message.sequenceNumber());
                    sum++;
                }
            }
            progress.scanned += slice.scanned();
            progress.failed += slice.failed();
            if (stopping) {
                turn();
            } else if (slice.next() == Reply.Found.END) {
                counted(sum);
            } else {
                count(slice.next(), sum);
            }
        });
    }

    private void counted(long total) {
        progress.total = total;
        progress.next = 0;
        progress.scanned = 0;
        CountedNumbers numbers = progress.bounds.seal();
        List<byte[]> parts = numbers == null ? List.of() : numbers.parts();
        scanning = true;
        host.saveNumbers(job, parts).whenComplete((durable, failure) -> {
            scanning = false;
            boolean kept = numbers != null && failure == null;
            progress.numberParts = kept ? parts.size() : JobProgress.UNKNOWN;
            if (order.dryRun()) {
                stop(JobState.READY, "");
            } else {
                host.save(job).whenComplete((saved, unsaved) -> change());
            }
        });
    }

    /** Reads the next slice, and again after a while if the broker is busy. */
    private void search(long from, Consumer<Reply.Found> then) {
        scanning = true;
        entity.submit(
                new Command.SearchMessages(order.address().subQueue(), from, order.states(), order.filter(), SLICE_MAX),
                host.executor(),
                new ReplyListener() {
                    @Override
                    public void onReply(Reply reply) {
                        scanning = false;
                        then.accept((Reply.Found) reply);
                    }

                    @Override
                    public void onRejected(Rejection rejection) {
                        scanning = false;
                        if (stopping) {
                            turn();
                        } else if (rejection.code().retryable()) {
                            scanning = true;
                            job.setReason(rejection.description());
                            host.after(RETRY_MS, () -> search(from, then));
                        } else {
                            stop(JobState.FAILED, rejection.description());
                        }
                    }
                });
    }

    // --- the changes ---

    private void change() {
        if (stopping) {
            turn();
            return;
        }
        job.state = JobState.RUNNING;
        job.setReason("");
        if (!mayContinue()) {
            return;
        }
        scanFrom = progress.bounds.within(progress.next);
        selection = new JobSelection(job);
        if (order.deletesAll() && !purged && !selection.needsResumption()) {
            purge();
            return;
        }
        Canary sent = progress.canary;
        if (order.canaryMessages() > 0 && sent == null) {
            canary = new CanarySending(order.canaryMessages());
        }
        if (sent != null && sent.verdict() == Canary.Verdict.OPEN) {
            await(sent);
        } else {
            turn();
        }
    }

    /** Makes the action again, which checks the rights that its author has now. Fails the job if one is missing. */
    private boolean mayContinue() {
        try {
            action =
                    new MessageActions(host.authorOf(job), entity, order.address()).of(order.operation(), order.body());
            return true;
        } catch (RefusedException refused) {
            stop(JobState.FAILED, refused.error().sentence());
            return false;
        }
    }

    /** Starts as many changes as possible, and ends the run if there is nothing to wait for. */
    private void turn() {
        if (turning || over) {
            return;
        }
        turning = true;
        while (startOne()) {
            // continue with the next message
        }
        turning = false;
        boolean idle = inProgress == 0 && !scanning;
        if (stopping) {
            if (idle) {
                end();
            }
        } else if (isCanaryFull()) {
            if (idle) {
                await(sentCanary());
            }
        } else if (!pausing && !awaiting && waiting.isEmpty()) {
            if (scanFrom != Reply.Found.END && mayScan()) {
                scan();
            } else if (scanFrom == Reply.Found.END && idle && selection.hasMore()) {
                stop(JobState.PAUSED, selection.pause());
            } else if (scanFrom == Reply.Found.END && idle) {
                stop(JobState.DONE, "");
            }
        }
    }

    /** Returns whether the next slice may be read. It is read while the last changes are in progress, unless the messages stay. */
    private boolean mayScan() {
        return !scanning && (inProgress == 0 || !order.keepsMessages());
    }

    private boolean startOne() {
        MessageView message = waiting.peek();
        MessageAction act = action;
        boolean blocked = stopping || pausing || awaiting || isCanaryFull();
        if (message == null || act == null || blocked || inProgress >= IN_PROGRESS_MAX) {
            return false;
        }
        long delayMs = rate.take(1, System.nanoTime());
        if (delayMs > 0) {
            pause(delayMs);
            return false;
        }
        waiting.remove();
        inProgress++;
        if (canary != null) {
            canary.starting();
        }
        act.perform(message, new Outcome(message));
        return true;
    }

    private void pause(long ms) {
        pausing = true;
        host.after(ms, () -> {
            pausing = false;
            turn();
        });
    }

    private void scan() {
        if (order.keepsMessages() && !savedSlice) {
            // A copied message stays, so a restart must not begin before this slice.
            scanning = true;
            progress.next = position();
            host.save(job).whenComplete((saved, failure) -> {
                scanning = false;
                savedSlice = failure == null;
                if (failure == null) {
                    turn();
                } else {
                    pause(RETRY_MS);
                }
            });
            return;
        }
        savedSlice = false;
        search(scanFrom, slice -> {
            progress.scanned += slice.scanned();
            for (MessageView message : slice.messages()) {
                if (selection.takes(message, open.size())) {
                    waiting.add(message);
                    open.add(message.sequenceNumber());
                }
            }
            scanFrom = progress.bounds.within(slice.next());
            turn();
        });
    }

    /** The receiver of the result for one message. */
    private final class Outcome implements MessageAction.Outcome {
        private final MessageView message;

        Outcome(MessageView message) {
            this.message = message;
        }

        @Override
        public void onReply(Reply reply) {
            progress.done++;
            streak.clear();
            if (!stopping) {
                job.setReason("");
            }
            if (canary != null) {
                canary.sent(message, reply instanceof Reply.Sent sent ? sent.sequenceNumbers()[0] : 0);
            }
            open.remove(message.sequenceNumber());
            inProgress--;
            turn();
        }

        @Override
        public void onRejected(Rejection rejection) {
            if (rejection.code().retryable()) {
                repeat(rejection.description());
            } else {
                refused(HttpError.of(rejection));
            }
        }

        @Override
        public void refused(HttpError error) {
            if (canary != null) {
                canary.refused();
            }
            inProgress--;
            if (givenUp && error.status() != NOT_FOUND) {
                turn(); // the message stays open, so the resumed job changes it again
                return;
            }
            open.remove(message.sequenceNumber());
            String reason = progress.refused(message.sequenceNumber(), error.sentence());
            if (error.status() != NOT_FOUND) {
                streak.put(message.sequenceNumber(), reason);
            }
            if (streak.size() >= REFUSALS_MAX && !stopping) {
                giveUp(error.sentence());
            } else {
                turn();
            }
        }

        private void repeat(String reason) {
            if (canary != null) {
                canary.refused();
            }
            inProgress--;
            waiting.addFirst(message);
            if (!stopping) {
                job.setReason(reason);
            }
            if (!pausing) {
                pause(RETRY_MS);
            }
            turn();
        }
    }

    /**
     * Pauses because of the refusals in a row, and opens their messages again. Who sees the pause sees none of these refusals, although
     * other changes may still be in progress.
     */
    private void giveUp(String refusal) {
        givenUp = true;
        streak.forEach((number, reason) -> {
            progress.takeBack(reason);
            open.add(number);
        });
        streak.clear();
        stop(
                JobState.PAUSED,
                "The last " + REFUSALS_MAX + " messages were refused: " + refusal
                        + " Remove the cause, and resume the job.");
    }

    // --- the canary ---

    private boolean isCanaryFull() {
        return canary != null && canary.isFull();
    }

    private Canary sentCanary() {
        CanarySending sending = canary;
        if (sending == null) {
            throw new IllegalStateException("Expected a canary.");
        }
        canary = null;
        Canary sent = sending.complete(host.nowMs());
        progress.canary = sent;
        return sent;
    }

    private void await(Canary sent) {
        job.state = JobState.CANARY;
        awaiting = true;
        progress.next = position();
        host.save(job).whenComplete((saved, failure) -> {
            long waitMs = sent.sentAtMs() + order.canarySeconds() * 1_000 - host.nowMs();
            host.after(Math.max(1, waitMs), () -> checkCanary(sent));
        });
    }

    private void checkCanary(Canary sent) {
        if (over) {
            return;
        }
        new CanaryCheck(entity, order, progress.bounds, sent, host.executor()).start(failure -> {
            awaiting = false;
            if (over) {
                return;
            }
            if (failure.isEmpty()) {
                progress.canary = sent.with(Canary.Verdict.PASSED);
                if (!stopping) {
                    job.state = JobState.RUNNING;
                }
                turn();
            } else {
                progress.canary = sent.with(Canary.Verdict.FAILED);
                stop(JobState.PAUSED, failure + " Resume the job to continue in spite of that.");
            }
        });
    }

    // --- the purge ---

    private void purge() {
        scanning = true;
        new Purge(job, entity, host, rate, () -> stopping, () -> {
                    scanning = false;
                    purged = true;
                    turn();
                })
                .turn();
    }

    // --- the store ---

    /** Returns the number of the first message whose change is not complete. */
    private long position() {
        if (!open.isEmpty()) {
            return open.first();
        }
        return selection.hasMore() ? selection.firstMore() : scanFrom;
    }

    private void saveRegularly() {
        host.after(SAVE_MS, () -> {
            if (!over && !stopping && action != null) {
                mayContinue();
            }
            if (!over) {
                if (progress.total >= 0 && !order.keepsMessages()) {
                    progress.next = position();
                }
                host.save(job).whenComplete((saved, failure) -> saveRegularly());
            }
        });
    }

    private void end() {
        over = true;
        if (progress.total >= 0 && action != null) {
            progress.next = position();
        }
        host.save(job).whenComplete((saved, failure) -> host.ended(this));
    }
}
