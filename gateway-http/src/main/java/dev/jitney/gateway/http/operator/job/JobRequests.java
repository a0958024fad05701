package dev.jitney.gateway.http.operator.job;

import dev.jitney.gateway.http.exchange.Exchange;
import dev.jitney.gateway.http.exchange.HttpError;
import dev.jitney.gateway.http.exchange.RefusedException;
import dev.jitney.gateway.http.operator.message.Author;
import dev.jitney.gateway.http.operator.message.MessageActions;
import dev.jitney.gateway.http.operator.privacy.BodyPrivacy;
import dev.jitney.gateway.http.operator.request.JsonAnswer;
import dev.jitney.gateway.http.operator.request.OperatorOperation;
import dev.jitney.gateway.http.operator.request.OperatorRequest;
import dev.jitney.model.AccessRight;
import dev.jitney.model.ClientText;
import dev.jitney.model.EntityAddress;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.Namespace;
import dev.jitney.runtime.audit.Audit;
import dev.jitney.runtime.audit.AuditedAction;
import dev.jitney.runtime.security.Grant;
import dev.jitney.runtime.security.LastingGrant;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Locale;
import java.util.concurrent.CompletionStage;

/** The requests about jobs. For the event loop of the HTTP gateway; no method blocks. */
public final class JobRequests {
    private static final int BODY_BYTES_MAX = 8 << 10;
    private static final EntityAddress WHOLE_NAMESPACE = EntityAddress.parse("");

    private final Jobs jobs;
    private final BodyPrivacy privacy;

    /** @param privacy the values of bodies on which jobs may not depend */
    public JobRequests(Jobs jobs, BodyPrivacy privacy) {
        this.jobs = jobs;
        this.privacy = privacy;
    }

    /**
     * Orders a job, after the check of the rights that each of its changes needs.
     *
     * @param grant the grant of the request
     */
    public void create(Exchange exchange, Entity entity, EntityAddress address, Grant grant) {
        exchange.body(BODY_BYTES_MAX)
                .onFailure(exchange::fail)
                .onSuccess(body -> exchange.guarded(() -> create(exchange, entity, address, grant, body)));
    }

    private void create(Exchange exchange, Entity entity, EntityAddress address, Grant grant, Buffer body)
            throws RefusedException {
        JobOrder order = JobOrder.of(address, body);
        privacy.of(exchange, grant, address).check(order.filter());
        LastingGrant lasting = LastingGrant.of(grant);
        Namespace namespace = exchange.namespace();
        check(Author.of(exchange), entity, order);
        check(new JobAuthor(namespace, exchange.executor(), lasting, jobs.identities()), entity, order);
        jobs.add(namespace, entity, order, lasting, exchange.client()).whenComplete((job, failure) -> {
            if (failure == null) {
                JsonAnswer.send(exchange, job.document().toBuffer());
            } else {
                exchange.fail(failure);
            }
        });
    }

    private static void check(Author author, Entity entity, JobOrder order) throws RefusedException {
        new MessageActions(author, entity, order.address()).of(order.operation(), order.body());
    }

    /** Answers with the jobs of the namespace that the client may see. */
    public void list(Exchange exchange) throws RefusedException {
        JobAccess access = JobAccess.of(exchange);
        JsonArray documents = new JsonArray();
        jobs.of(access.namespace()).newestFirst().forEach(job -> {
            if (access.grantFor(job) != null) {
                documents.add(job.document());
            }
        });
        if (documents.isEmpty()) {
            access.requireValid();
        }
        JsonAnswer.send(exchange, new JsonObject().put("jobs", documents).toBuffer());
    }

    /** Answers with one job. */
    public void show(Exchange exchange, OperatorRequest request) throws RefusedException {
        JsonAnswer.send(exchange, found(exchange, request).job().document().toBuffer());
    }

    /** Pauses, resumes or cancels a job, with the rights that ordering it needs. The answer follows the commit. */
    public void control(Exchange exchange, OperatorRequest request) throws RefusedException {
        Found found = found(exchange, request);
        Job job = found.job();
        Namespace namespace = found.namespace();
        Entity entity = namespace.entity(job.order.address().path());
        if (entity != null && request.operation() == OperatorOperation.RESUME_JOB) {
            check(Author.of(exchange), entity, job.order);
        } else if (entity != null) {
            // A job can be stopped although its destination does not exist any more.
            new MessageActions(Author.of(exchange), entity, job.order.address())
                    .authorize(job.order.operation(), job.order.body());
        } else {
            exchange.authorize(WHOLE_NAMESPACE, AccessRight.MANAGE);
        }
        CompletionStage<Void> durable = switch (request.operation()) {
            case PAUSE_JOB -> jobs.stop(namespace, job, JobState.PAUSED);
            case RESUME_JOB -> jobs.resume(namespace, job);
            case CANCEL_JOB -> jobs.stop(namespace, job, JobState.CANCELED);
            default -> throw new IllegalArgumentException("Expected a change of a job.");
        };
        AuditedAction action = new AuditedAction(
                request.operation().name().toLowerCase(Locale.ROOT).replace('_', ' '),
                found.grant().holder(),
                exchange.client(),
                namespace,
                job.order.path(),
                "");
        durable.whenComplete((saved, failure) -> {
            if (failure == null) {
                Audit.done(action, "job " + job.id + ": " + job.words());
                JsonAnswer.send(exchange, job.document().toBuffer());
            } else {
                exchange.fail(failure);
            }
        });
    }

    /** A job of a namespace, and the grant by which the client may see it. */
    private record Found(Namespace namespace, Job job, Grant grant) {}

    /** Returns the job in the path. One that the client may not see is answered like one that does not exist. */
    private Found found(Exchange exchange, OperatorRequest request) throws RefusedException {
        JobAccess access = JobAccess.of(exchange);
        String text = request.variable("job");
        Long id = OperatorRequest.number(text);
        Job job = id == null ? null : jobs.of(access.namespace()).find(id);
        Grant grant = job == null ? null : access.grantFor(job);
        if (job == null || grant == null) {
            access.requireValid();
            throw new RefusedException(HttpError.notFound("There is no job '" + ClientText.abbreviate(text)
                    + "'. The server keeps only the newest of the jobs that have ended."));
        }
        return new Found(access.namespace(), job, grant);
    }
}
