package dev.jitney.gateway.http.operator.job;

import dev.jitney.gateway.http.operator.message.Author;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/** The surroundings of a run. For the event loop of the jobs. */
interface JobHost {
    /** Returns the executor of the event loop. */
    Executor executor();

    /** Returns the broker's time, milliseconds since the epoch. */
    long nowMs();

    /** Runs a task on the event loop after some time. */
    void after(long ms, Runnable task);

    /** Writes a job to the store. Completes on the event loop; a failure is logged, and the next call writes again. */
    CompletionStage<Void> save(Job job);

    /** Writes the counted numbers of a job to the store, in parts. Completes on the event loop. */
    CompletionStage<Void> saveNumbers(Job job, List<byte[]> parts);

    /** Returns the parts of the counted numbers of a job, as many as are there. Completes on the event loop. */
    CompletionStage<List<byte[]>> readNumbers(Job job);

    /** Returns the author of a job. */
    Author authorOf(Job job);

    /** Notes that a run has ended: none of its changes is in progress, and the job is saved. */
    void ended(JobRun run);
}
