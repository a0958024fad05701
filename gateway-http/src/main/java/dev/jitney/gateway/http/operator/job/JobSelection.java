package dev.jitney.gateway.http.operator.job;

import dev.jitney.model.MessageView;

/**
 * Selects the messages that one run may change: those that its job has counted. If the counted numbers are not known, these are as many
 * messages as the job has counted. The others are counted for the reason of the pause. For one thread.
 */
final class JobSelection {
    private final JobOrder order;
    private final JobProgress progress;

    /** True if the job must change no more messages than it has counted, because it may meet others. */
    private final boolean limited;

    /**
     * True if the job must change nothing before an operator resumes it, because the process has ended during the changes and their number
     * is not known. A job that deletes all messages of a queue needs no resumption: they are older than its order.
     */
    private final boolean needsResumption;

    private long more;
    private long firstMore;

    JobSelection(Job job) {
        order = job.order;
        progress = job.progress;
        limited = !progress.bounds.isExact() || order.deletesAll();
        needsResumption = job.interrupted && !progress.bounds.isExact() && !order.deletesAll();
    }

    /**
     * Returns whether the job may change a message that the search has found.
     *
     * @param open the messages that were taken and are not changed yet
     */
    boolean takes(MessageView message, int open) {
        if (!progress.bounds.contains(message.sequenceNumber()) || !order.takes(message)) {
            return false;
        }
        if (more == 0 && !needsResumption && (!limited || progress.handled() + open < progress.total)) {
            return true;
        }
        if (more == 0) {
            firstMore = message.sequenceNumber();
        }
        more++;
        return false;
    }

    /** Returns whether no message may be changed before the operator has resumed the job. */
    boolean needsResumption() {
        return needsResumption;
    }

    /** Returns whether there are messages that the job must not change yet. */
    boolean hasMore() {
        return more > 0;
    }

    /** Returns the number of the first message that the job must not change yet. */
    long firstMore() {
        return firstMore;
    }

    /** Lets a resumption change the messages that the job must not change yet. Returns the reason of the pause. */
    String pause() {
        progress.totalIfResumed = progress.handled() + more;
        String messages = more == 1 ? "1 more message matches" : more + " more messages match";
        return needsResumption
                ? "The server has stopped while the job ran, and " + messages + " now. Resume the job to change them."
                : messages + " now than the job counted. Resume it to change them too.";
    }
}
