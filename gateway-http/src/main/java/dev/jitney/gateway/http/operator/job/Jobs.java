package dev.jitney.gateway.http.operator.job;

import dev.jitney.gateway.http.exchange.HttpEdge;
import dev.jitney.gateway.http.exchange.HttpError;
import dev.jitney.gateway.http.exchange.RefusedException;
import dev.jitney.gateway.http.operator.message.Author;
import dev.jitney.runtime.Broker;
import dev.jitney.runtime.Documents;
import dev.jitney.runtime.Documents.Document;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.Namespace;
import dev.jitney.runtime.audit.Audit;
import dev.jitney.runtime.audit.AuditedAction;
import dev.jitney.runtime.security.IdentityProvider;
import dev.jitney.runtime.security.LastingGrant;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The jobs of all namespaces. They are documents in the store, and those that have not ended continue after a restart. A limited number runs
 * at a time; the others wait. For the event loop of the HTTP gateway, which has one.
 */
public final class Jobs {
    private static final Logger LOG = LoggerFactory.getLogger(Jobs.class);

    /** The number of jobs that run at a time. */
    private static final int RUNNING_MAX = 4;

    /** The number of jobs that one namespace of several runs at a time, so that jobs of the others start. */
    private static final int RUNNING_OF_NAMESPACE_MAX = 2;

    private static final long LOAD_AGAIN_MS = 5_000;

    private final Vertx vertx;
    private final Broker broker;
    private final IdentityProvider identities;
    private final Context context;
    private final Map<String, NamespaceJobs> byNamespace = new HashMap<>();

    /** The namespaces whose jobs are being read. */
    private final Set<Namespace> loading = new HashSet<>();

    private int running;

    /** Creates the jobs. They are read from the store soon, and continue. */
    public Jobs(HttpEdge edge) {
        vertx = edge.vertx();
        broker = edge.broker();
        identities = edge.identities();
        context = vertx.getOrCreateContext();
        context.runOnContext(now -> broker.namespaces().forEach(this::load));
    }

    /** Returns the identity provider of the authors of jobs. */
    IdentityProvider identities() {
        return identities;
    }

    private Executor executor() {
        return task -> context.runOnContext(now -> task.run());
    }

    // --- the store ---

    private void load(Namespace namespace) {
        if (!loading.add(namespace)) {
            return;
        }
        NamespaceJobs jobs = new NamespaceJobs(namespace);
        read(jobs, 0)
                .whenCompleteAsync(
                        (complete, failure) -> {
                            loading.remove(namespace);
                            if (failure == null) {
                                byNamespace.put(namespace.name(), jobs);
                                jobs.all().stream()
                                        .filter(job -> job.state.isActive())
                                        .forEach(job -> {
                                            job.state = JobState.WAITING;
                                            job.interrupted = true;
                                        });
                                startWaiting();
                            } else if (!namespace.isGone()) {
                                vertx.setTimer(LOAD_AGAIN_MS, again -> load(namespace));
                            }
                        },
                        executor());
    }

    private CompletionStage<Void> read(NamespaceJobs jobs, long from) {
        return jobs.namespace()
                .documents()
                .read(Documents.Kind.JOB, from, Documents.READ_MAX)
                .thenComposeAsync(
                        documents -> {
                            documents.forEach(document -> add(jobs, document));
                            return documents.isEmpty()
                                    ? CompletableFuture.<Void>completedFuture(null)
                                    : read(
                                            jobs,
                                            documents.get(documents.size() - 1).id() + 1);
                        },
                        executor());
    }

    private static void add(NamespaceJobs jobs, Document document) {
        try {
            jobs.add(Job.of(document.id(), document.content()));
        } catch (RefusedException | RuntimeException unreadable) {
            LOG.warn(
                    "Job {} of the namespace {} cannot be read and does not continue: {}",
                    document.id(),
                    jobs.namespace().name(),
                    unreadable.getMessage());
        }
    }

    /** Returns the jobs of a namespace; a namespace that is new has none. */
    NamespaceJobs of(Namespace namespace) throws RefusedException {
        NamespaceJobs jobs = byNamespace.get(namespace.name());
        if (jobs == null || jobs.namespace().isGone()) {
            byNamespace.remove(namespace.name());
            load(namespace);
            throw new RefusedException(HttpError.busy("The jobs are being read. Please try again in a second."));
        }
        return jobs;
    }

    // --- changes ---

    /**
     * Adds a job.
     *
     * @param entity the entity of the order
     * @return completes on the event loop when the job is durable
     * @throws RefusedException if there are too many jobs
     */
    CompletionStage<Job> add(Namespace namespace, Entity entity, JobOrder order, LastingGrant grant, String client)
            throws RefusedException {
        NamespaceJobs jobs = of(namespace);
        if (jobs.isFull()) {
            throw new RefusedException(HttpError.conflict("Expected at most " + NamespaceJobs.OPEN_MAX
                    + " jobs that have not ended, but this would be one more. Wait, or cancel a job."));
        }
        Job job = new Job(jobs.nextId(), order, grant, client, broker.clock().nowMs(), entity.id());
        jobs.add(job);
        return namespace
                .documents()
                .put(Documents.Kind.JOB, job.id, job.toRow())
                .handleAsync(
                        (durable, failure) -> {
                            if (failure != null) {
                                jobs.remove(job);
                                return CompletableFuture.<Job>failedFuture(failure);
                            }
                            audit(namespace, job, "start job", job.words());
                            jobs.deleteOld();
                            startWaiting();
                            return CompletableFuture.completedFuture(job);
                        },
                        executor())
                .thenCompose(done -> done);
    }

    /** Lets a job that is paused or ready continue. Completes on the event loop when that is durable. */
    CompletionStage<Void> resume(Namespace namespace, Job job) throws RefusedException {
        if (job.state != JobState.PAUSED && job.state != JobState.READY) {
            throw refused(job, "paused or ready");
        }
        job.state = JobState.WAITING;
        job.setReason("");
        job.progress.resumed();
        CompletionStage<Void> saved = new Host(namespace).save(job);
        startWaiting();
        return saved;
    }

    /**
     * Pauses or cancels a job that has not ended. Changes in progress are completed. Completes on the event loop when the new state is
     * durable.
     */
    CompletionStage<Void> stop(Namespace namespace, Job job, JobState state) throws RefusedException {
        boolean stops = state == JobState.PAUSED ? job.state.isActive() : !job.state.isEnd();
        if (!stops) {
            throw refused(job, state == JobState.PAUSED ? "active" : "open");
        }
        job.state = state;
        job.setReason("");
        job.endedAtMs = state.isEnd() ? broker.clock().nowMs() : 0;
        CompletionStage<Void> saved = new Host(namespace).save(job);
        JobRun run = job.run;
        if (run != null) {
            run.stop();
        }
        return saved;
    }

    private static RefusedException refused(Job job, String expected) {
        return new RefusedException(HttpError.conflict(
                "Expected a job that is " + expected + ", but job " + job.id + " is " + job.state.word() + "."));
    }

    /** Starts as many waiting jobs as may run: first those of the namespaces with the fewest running ones, the oldest of them first. */
    private void startWaiting() {
        NamespaceJobs next = nextToStart();
        while (next != null) {
            start(next.namespace(), next.waiting());
            next = nextToStart();
        }
    }

    private @Nullable NamespaceJobs nextToStart() {
        return running >= RUNNING_MAX
                ? null
                : byNamespace.values().stream()
                        .filter(jobs -> jobs.running() < ofNamespaceMax() && jobs.waiting() != null)
                        .min(Comparator.comparingLong(NamespaceJobs::running)
                                .thenComparingLong(NamespaceJobs::waitingSinceMs))
                        .orElse(null);
    }

    private int ofNamespaceMax() {
        return byNamespace.size() > 1 ? RUNNING_OF_NAMESPACE_MAX : RUNNING_MAX;
    }

    private void start(Namespace namespace, @Nullable Job job) {
        if (job == null) {
            throw new IllegalStateException("Expected a waiting job.");
        }
        Host host = new Host(namespace);
        Entity entity = namespace.entity(job.order.address().path());
        if (entity == null || namespace.isGone()) {
            fail(host, job, "The entity '" + job.order.address().path() + "' does not exist.");
            return;
        }
        if (job.isForOtherThan(entity)) {
            fail(
                    host,
                    job,
                    "The entity '" + entity.path()
                            + "' was deleted and created again after the job was ordered. Order the job again.");
            return;
        }
        running++;
        JobRun run = new JobRun(job, entity, host);
        job.run = run;
        run.start();
    }

    private void fail(Host host, Job job, String reason) {
        job.state = JobState.FAILED;
        job.setReason(reason);
        job.endedAtMs = broker.clock().nowMs();
        host.save(job);
    }

    private static void audit(Namespace namespace, Job job, String action, String changed) {
        Audit.done(
                new AuditedAction(action, job.grant.holder(), job.client, namespace, job.order.path(), ""),
                "job " + job.id + ": " + changed);
    }

    /** The surroundings of the runs of a namespace. */
    private final class Host implements JobHost {
        private final Namespace namespace;

        Host(Namespace namespace) {
            this.namespace = namespace;
        }

        @Override
        public Executor executor() {
            return Jobs.this.executor();
        }

        @Override
        public long nowMs() {
            return broker.clock().nowMs();
        }

        @Override
        public void after(long ms, Runnable task) {
            vertx.setTimer(Math.max(1, ms), now -> task.run());
        }

        @Override
        public CompletionStage<Void> saveNumbers(Job job, List<byte[]> parts) {
            CompletionStage<Void> saved = CompletableFuture.completedFuture(null);
            for (int i = 0; i < parts.size(); i++) {
                CompletionStage<Void> part = namespace
                        .documents()
                        .put(Documents.Kind.JOB_NUMBERS, NamespaceJobs.firstPart(job.id) + i, parts.get(i));
                saved = saved.thenCombine(part, (before, also) -> also);
            }
            return saved.handleAsync(
                            (durable, failure) -> failure == null
                                    ? CompletableFuture.<Void>completedFuture(null)
                                    : CompletableFuture.<Void>failedFuture(failure),
                            executor())
                    .thenCompose(done -> done);
        }

        @Override
        public CompletionStage<List<byte[]>> readNumbers(Job job) {
            long from = NamespaceJobs.firstPart(job.id);
            return namespace
                    .documents()
                    .read(Documents.Kind.JOB_NUMBERS, from, job.progress.numberParts)
                    .handleAsync(
                            (parts, failure) -> failure == null
                                    ? CompletableFuture.completedFuture(parts.stream()
                                            .filter(part -> part.id() < from + job.progress.numberParts)
                                            .map(Document::content)
                                            .toList())
                                    : CompletableFuture.<List<byte[]>>failedFuture(failure),
                            executor())
                    .thenCompose(done -> done);
        }

        @Override
        public CompletionStage<Void> save(Job job) {
            if (job.state.isEnd() && job.progress.numberParts > 0) {
                NamespaceJobs.deleteNumbers(namespace, job);
            }
            return put(job).whenCompleteAsync(
                            (saved, failure) -> {
                                if (failure != null) {
                                    LOG.debug("The progress of job {} is not stored", job.id, failure);
                                }
                            },
                            executor());
        }

        /** Fails instead of throwing, so that a run ends even if its job does not fit into a document. */
        private CompletionStage<Void> put(Job job) {
            try {
                return namespace.documents().put(Documents.Kind.JOB, job.id, job.toRow());
            } catch (RuntimeException unwritable) {
                return CompletableFuture.failedFuture(unwritable);
            }
        }

        @Override
        public Author authorOf(Job job) {
            return new JobAuthor(namespace, executor(), job.grant, identities);
        }

        @Override
        public void ended(JobRun run) {
            Job job = run.job();
            job.run = null;
            job.interrupted = false;
            if (job.progress.numberParts != JobProgress.UNKNOWN) {
                job.progress.bounds.setNumbers(null); // the next run reads them again
            }
            running--;
            if (job.state.isEnd()) {
                audit(
                        namespace,
                        job,
                        "end job",
                        job.words() + " " + job.state.word() + ", " + job.progress.done + " of " + job.progress.total
                                + " messages done, " + job.progress.refused + " refused");
            }
            startWaiting();
        }
    }
}
