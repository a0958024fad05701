package dev.jitney.gateway.http.operator.backup;

import dev.jitney.gateway.http.exchange.Exchange;
import dev.jitney.gateway.http.exchange.HttpEdge;
import dev.jitney.gateway.http.exchange.HttpError;
import dev.jitney.gateway.http.exchange.RefusedException;
import dev.jitney.gateway.http.operator.request.JsonAnswer;
import dev.jitney.gateway.http.operator.request.OperatorBody;
import dev.jitney.gateway.http.operator.request.OperatorRequest;
import dev.jitney.model.AccessRight;
import dev.jitney.model.ClientText;
import dev.jitney.model.EntityAddress;
import dev.jitney.runtime.Broker;
import dev.jitney.runtime.audit.Audit;
import dev.jitney.runtime.audit.AuditedAction;
import dev.jitney.runtime.security.Grant;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Objects;
import java.util.concurrent.CompletionStage;

/** The requests for backups. They need the right to Manage the first namespace, because a backup has all namespaces. */
public final class BackupRequests {
    private static final EntityAddress WHOLE_NAMESPACE = EntityAddress.parse("");
    private static final int BODY_BYTES_MAX = 4 << 10;
    private static final long MEGABYTE = 1_000_000;

    /** The time after which a request is answered before the moment of its backup. */
    private static final long MOMENT_WITHIN_MS = 20_000;

    private final Vertx vertx;
    private final Broker broker;
    private final BackupService service;

    /** Creates the requests of the listeners of an edge. */
    public BackupRequests(HttpEdge edge, BackupService service) {
        this.vertx = edge.vertx();
        this.broker = edge.broker();
        this.service = service;
    }

    /** Serves one request. */
    public void start(Exchange exchange, OperatorRequest request) throws RefusedException {
        Grant grant = exchange.authorize(WHOLE_NAMESPACE, AccessRight.MANAGE); // before any response
        if (exchange.namespace() != broker.namespaces().get(0)) {
            throw new RefusedException(HttpError.unauthorized(
                    "Expected a request for the first namespace, because a backup has all namespaces. Use its host name and"
                            + " key."));
        }
        String refusal = service.refusal();
        if (refusal != null) {
            throw new RefusedException(HttpError.conflict(refusal));
        }
        switch (request.operation()) {
            case BACKUPS -> list(exchange);
            case BACKUP -> show(exchange, request.variable("run"));
            case NEW_BACKUP ->
                exchange.body(BODY_BYTES_MAX)
                        .onFailure(exchange::fail)
                        .onSuccess(body -> exchange.guarded(() -> create(exchange, grant, request, body)));
            default -> throw new IllegalArgumentException("Expected a request for backups.");
        }
    }

    private void list(Exchange exchange) {
        service.list()
                .whenCompleteAsync(
                        (backups, failure) -> {
                            if (failure == null) {
                                JsonArray all = new JsonArray();
                                backups.forEach(backup -> all.add(backup.document()));
                                send(
                                        exchange,
                                        new JsonObject()
                                                .put("directory", service.directory())
                                                .put("backups", all));
                            } else {
                                exchange.fail(failure);
                            }
                        },
                        exchange.executor());
    }

    private void show(Exchange exchange, String text) throws RefusedException {
        Long number = OperatorRequest.number(text);
        BackupView found = number == null ? null : service.run(number);
        if (found == null) {
            throw new RefusedException(HttpError.notFound("There is no order of a backup '"
                    + ClientText.abbreviate(text) + "'. The server keeps only the newest of them until it restarts."));
        }
        send(exchange, found.document());
    }

    private void create(Exchange exchange, Grant grant, OperatorRequest request, Buffer body) throws RefusedException {
        OperatorBody members = OperatorBody.of(
                body.length() == 0 ? Buffer.buffer("{}") : body,
                request.operation().members());
        AuditedAction action =
                new AuditedAction("create backup", grant.holder(), exchange.client(), exchange.namespace(), "", "");
        CompletionStage<BackupView> begun =
                service.create(members.number("megabytesPerSecond", 0) * MEGABYTE, (int) members.number("keep", 0));
        if (begun == null) {
            String reason = "Expected no other backup, but one is running. Wait until it has ended.";
            Audit.refused(action, reason);
            throw new RefusedException(HttpError.conflict(reason));
        }
        long timer = vertx.setTimer(MOMENT_WITHIN_MS, late -> {
            if (!exchange.isOver()) {
                exchange.fail(new RefusedException(HttpError.busy(
                        "The backup has begun, but its moment has not passed yet. See: jitney backup list")));
            }
        });
        exchange.whenEnded(() -> vertx.cancelTimer(timer));
        begun.whenCompleteAsync(
                (view, failure) -> {
                    String reason = failure == null ? view.reason() : String.valueOf(failure.getMessage());
                    if (reason.isEmpty()) {
                        Audit.done(action, "run " + Objects.requireNonNull(view).run());
                    } else {
                        Audit.refused(action, reason);
                    }
                    if (exchange.isOver()) {
                        return;
                    }
                    if (failure != null) {
                        exchange.fail(failure);
                    } else if (reason.isEmpty()) {
                        send(exchange, view.document());
                    } else {
                        exchange.fail(new RefusedException(HttpError.conflict(reason)));
                    }
                },
                exchange.executor());
    }

    private static void send(Exchange exchange, JsonObject document) {
        if (!exchange.isOver()) {
            JsonAnswer.send(exchange, document.toBuffer());
        }
    }
}
