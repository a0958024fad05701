package dev.jitney.cli.operator;

import dev.jitney.cli.output.Console;
import dev.jitney.cli.output.Failure;
import dev.jitney.cli.output.OutputFormat;
import dev.jitney.cli.output.Progress;
import dev.jitney.cli.output.Report;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Follows a job until it rests. Ctrl-C ends only the following; the job continues. */
final class JobWatch {
    private static final long PAUSE_MS = 250;

    private final JobApi api;
    private final Console console;
    private final OutputFormat format;

    JobWatch(JobApi api, Console console, OutputFormat format) {
        this.api = api;
        this.console = console;
        this.format = format;
    }

    /** Shows the progress of a job, and then its result. Throws a {@link Failure} if it has failed, has paused or has refusals. */
    void follow(Job begun) {
        Job job = begun;
        if (!job.isResting()) {
            while (job.document().get("total") == null && !job.isResting() && goesOn()) {
                job = new Job(api.find(job.id())); // it counts
            }
            try (Progress progress = new Progress(console, "messages of job " + job.id(), job.number("total"))) {
                long shown = 0;
                while (!job.isResting() && goesOn()) {
                    job = new Job(api.find(job.id()));
                    progress.await(job.awaitsCanary() ? "the canary is being checked" : null);
                    long now = job.number("done") + job.number("refused");
                    progress.add(Math.max(0, now - shown));
                    shown = Math.max(shown, now);
                }
            }
        }
        show(job);
        boolean fine = job.isComplete() || job.state().equals("ready") || !job.isResting();
        List<String> sentences = job.sentences();
        if (!fine) {
            sentences.subList(0, sentences.size() - 1).forEach(console::note);
            throw new Failure(Failure.FAULT, sentences.get(sentences.size() - 1));
        }
        sentences.forEach(console::note);
        if (!job.isResting()) {
            console.note("The job continues. To see it: jitney job show " + job.id() + ", to stop it: jitney job pause "
                    + job.id());
        }
    }

    /** Prints the document for programs. */
    private void show(Job job) {
        if (format == OutputFormat.JSON) {
            Report.single(console.out(), format, job.document());
        }
    }

    /** Waits for a moment, and returns false after Ctrl-C. */
    private boolean goesOn() {
        CountDownLatch pause = new CountDownLatch(1);
        console.interruption().waitIn(() -> {
            try {
                pause.await(PAUSE_MS, TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        return !console.interruption().requested();
    }
}
