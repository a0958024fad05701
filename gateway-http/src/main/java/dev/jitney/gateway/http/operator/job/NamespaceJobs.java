package dev.jitney.gateway.http.operator.job;

import dev.jitney.runtime.Documents;
import dev.jitney.runtime.Namespace;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The jobs of one namespace. For the event loop of the jobs. */
final class NamespaceJobs {
    /** The number of jobs that have not ended. */
    static final int OPEN_MAX = 20;

    /** The number of jobs that are kept. */
    private static final int KEPT_MAX = 100;

    private final Namespace namespace;
    private final TreeMap<Long, Job> jobs = new TreeMap<>();

    NamespaceJobs(Namespace namespace) {
        this.namespace = namespace;
    }

    Namespace namespace() {
        return namespace;
    }

    Collection<Job> all() {
        return jobs.values();
    }

    /** Returns the jobs, the newest first. */
    List<Job> newestFirst() {
        return new ArrayList<>(jobs.descendingMap().values());
    }

    @Nullable
    Job find(long id) {
        return jobs.get(id);
    }

    void add(Job job) {
        jobs.put(job.id, job);
    }

    void remove(Job job) {
        jobs.remove(job.id);
    }

    long nextId() {
        return jobs.isEmpty() ? 1 : jobs.lastKey() + 1;
    }

    /** Returns the number of jobs that run now. */
    long running() {
        return jobs.values().stream().filter(job -> job.run != null).count();
    }

    /** Returns the oldest job that waits for a place, or null. */
    @Nullable
    Job waiting() {
        return jobs.values().stream()
                .filter(job -> job.state == JobState.WAITING && job.run == null)
                .findFirst()
                .orElse(null);
    }

    /** Returns the time of the order of the oldest waiting job, milliseconds since the epoch. */
    long waitingSinceMs() {
        Job job = waiting();
        return job == null ? Long.MAX_VALUE : job.createdAtMs;
    }

    boolean isFull() {
        return jobs.values().stream().filter(job -> !job.state.isEnd()).count() >= OPEN_MAX;
    }

    /** Returns the id of the document with the first part of the counted numbers of a job. */
    static long firstPart(long jobId) {
        return jobId * CountedNumbers.PARTS_MAX;
    }

    /** Deletes the counted numbers of a job. */
    static void deleteNumbers(Namespace namespace, Job job) {
        namespace.documents().delete(Documents.Kind.JOB_NUMBERS, firstPart(job.id), firstPart(job.id + 1));
    }

    /** Deletes the oldest ended jobs beyond the number that is kept. */
    void deleteOld() {
        List<Job> ended = jobs.values().stream()
                .filter(job -> job.state.isEnd())
                .sorted(Comparator.comparingLong(job -> job.id))
                .toList();
        for (Job job : ended.subList(0, Math.max(0, Math.min(ended.size(), jobs.size() - KEPT_MAX)))) {
            jobs.remove(job.id);
            namespace.documents().delete(Documents.Kind.JOB, job.id, job.id + 1);
            deleteNumbers(namespace, job);
        }
    }
}
