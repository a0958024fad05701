package dev.jitney.gateway.http.operator;

import dev.jitney.gateway.http.admin.ChangesUnderWay;
import dev.jitney.gateway.http.exchange.AmqpPorts;
import dev.jitney.gateway.http.exchange.BrowserSessions;
import dev.jitney.gateway.http.exchange.Exchange;
import dev.jitney.gateway.http.exchange.HttpEdge;
import dev.jitney.gateway.http.exchange.HttpError;
import dev.jitney.gateway.http.exchange.RefusedException;
import dev.jitney.gateway.http.exchange.RequestTarget;
import dev.jitney.gateway.http.operator.administration.Administration;
import dev.jitney.gateway.http.operator.audit.AuditPage;
import dev.jitney.gateway.http.operator.backup.BackupRequests;
import dev.jitney.gateway.http.operator.backup.BackupService;
import dev.jitney.gateway.http.operator.explain.Explanation;
import dev.jitney.gateway.http.operator.figure.FigureOperations;
import dev.jitney.gateway.http.operator.figure.SharedPasses;
import dev.jitney.gateway.http.operator.job.JobRequests;
import dev.jitney.gateway.http.operator.job.Jobs;
import dev.jitney.gateway.http.operator.message.Author;
import dev.jitney.gateway.http.operator.message.MessageActions;
import dev.jitney.gateway.http.operator.message.MessageActs;
import dev.jitney.gateway.http.operator.message.MessageEdit;
import dev.jitney.gateway.http.operator.message.MessageGroups;
import dev.jitney.gateway.http.operator.message.MessageSearch;
import dev.jitney.gateway.http.operator.message.NewMessages;
import dev.jitney.gateway.http.operator.message.SingleMessage;
import dev.jitney.gateway.http.operator.note.NoteRequests;
import dev.jitney.gateway.http.operator.privacy.BodyAccess;
import dev.jitney.gateway.http.operator.privacy.BodyPrivacy;
import dev.jitney.gateway.http.operator.request.JsonAnswer;
import dev.jitney.gateway.http.operator.request.OpenApiDocument;
import dev.jitney.gateway.http.operator.request.OperatorBody;
import dev.jitney.gateway.http.operator.request.OperatorOperation;
import dev.jitney.gateway.http.operator.request.OperatorRequest;
import dev.jitney.gateway.http.operator.rule.RuleRequests;
import dev.jitney.gateway.http.operator.session.SessionOperations;
import dev.jitney.model.AccessRight;
import dev.jitney.model.ClientText;
import dev.jitney.model.EntityAddress;
import dev.jitney.model.EntityKind;
import dev.jitney.model.SubQueue;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.audit.AuditedAction;
import dev.jitney.runtime.client.ConnectedClients;
import dev.jitney.runtime.security.Grant;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The handler of the operator API. Reading needs the right to Listen, for the namespace or for the entity; {@link MessageActions} checks
 * the rights for changes. A user of an identity provider may have the {@linkplain OperatorOperation#role role} of the operation instead.
 * Errors are JSON. For event loops; no method blocks.
 */
public final class OperatorHandler implements Handler<RoutingContext> {
    private static final String NAME = "$operator";
    private static final String VERSION = "v1";
    private static final int BODY_BYTES_MAX = 64 << 10;
    private static final int EDIT_BYTES_MAX = 4 << 20;
    private static final EntityAddress WHOLE_NAMESPACE = EntityAddress.parse("");

    private final String version;
    private final FigureOperations figures;
    private final SharedPasses<EntityTable> tables;
    private final JobRequests jobs;
    private final BackupRequests backups;
    private final Administration administration;
    private final BrowserSessions sessions;
    private final BodyPrivacy privacy;
    private volatile @Nullable Buffer description;

    /**
     * Creates a handler, starts to sample the figures of entities, and continues the jobs in the store.
     *
     * @param clients the clients of AMQP
     * @param version the version of the program
     * @param sessions the sessions that may use this API
     * @param changes the changes in progress of all APIs
     * @param privacy the values of bodies that it hides
     * @param ports the ports for AMQP
     * @param backups makes backups
     */
    public OperatorHandler(
            HttpEdge edge,
            ConnectedClients clients,
            String version,
            BrowserSessions sessions,
            ChangesUnderWay changes,
            BodyPrivacy privacy,
            AmqpPorts ports,
            BackupService backups) {
        this.privacy = privacy;
        this.backups = new BackupRequests(edge, backups);
        figures = new FigureOperations(edge, clients);
        tables = new SharedPasses<>(edge.vertx());
        jobs = new JobRequests(new Jobs(edge), privacy);
        administration = new Administration(version, changes, ports);
        this.sessions = sessions;
        this.version = version;
    }

    /** Returns the description. It is written when it is first requested, because that takes a tenth of the time of a start. */
    private Buffer description() {
        Buffer written = description;
        if (written == null) {
            written = Buffer.buffer(OpenApiDocument.of(version).encode());
            description = written;
        }
        return written;
    }

    @Override
    public void handle(RoutingContext context) {
        Exchange exchange = Exchange.of(context);
        exchange.guarded(() -> {
            RequestTarget target = exchange.target();
            if (target.size() > 0 && target.segments().get(0).equalsIgnoreCase(NAME)) {
                exchange.refuseInJson();
                exchange.acceptSessionsOf(sessions);
                sessions.whenReady(exchange, () -> exchange.guarded(() -> serve(exchange, target)));
            } else {
                context.next();
            }
        });
    }

    private void serve(Exchange exchange, RequestTarget target) throws RefusedException {
        if (target.size() < 2 || !target.segments().get(1).equals(VERSION)) {
            throw new RefusedException(HttpError.notFound(
                    "Expected a path below " + OperatorRequest.PREFIX + ", such as " + OperatorRequest.PREFIX
                            + "/entities. " + OperatorRequest.PREFIX + "/openapi.json describes all paths."));
        }
        HttpMethod method = exchange.request().method();
        String path = belowVersion(exchange);
        Set<String> methods = OperatorRequest.methods(path);
        if (!methods.isEmpty() && !methods.contains(method.name())) {
            exchange.response().putHeader(HttpHeaders.ALLOW, String.join(", ", methods));
            throw new RefusedException(HttpError.methodNotAllowed(method.name()));
        }
        OperatorRequest request = OperatorRequest.of(method, path, target);
        exchange.acceptRole(request.operation().role());
        switch (request.operation()) {
            case DESCRIPTION -> {
                exchange.authorize(WHOLE_NAMESPACE, AccessRight.LISTEN, AccessRight.SEND);
                JsonAnswer.send(exchange, description());
            }
            case ENTITIES -> {
                exchange.authorize(WHOLE_NAMESPACE, AccessRight.LISTEN);
                EntityTableQuery.start(exchange, tables, figures.history(), request);
            }
            case ENTITY -> {
                EntityAddress address = EntityAddress.ofPath(request.variable("entity"));
                JsonAnswer.send(
                        exchange,
                        EntityTableQuery.document(found(exchange, address), figures.history())
                                .toBuffer());
            }
            case HISTORY ->
                figures.history(exchange, found(exchange, EntityAddress.ofPath(request.variable("entity"))), request);
            case CLIENTS -> {
                EntityAddress address = EntityAddress.ofPath(request.variable("entity"));
                exchange.authorize(address, AccessRight.MANAGE); // the addresses of clients are sensitive
                figures.clients(exchange, existing(exchange, address), address, request);
            }
            case EVENTS -> figures.events(exchange, exchange.authorize(WHOLE_NAMESPACE, AccessRight.LISTEN));
            case OVERVIEW -> {
                exchange.authorize(WHOLE_NAMESPACE, AccessRight.LISTEN);
                figures.overview(exchange, request);
            }
            case MESSAGES -> {
                EntityAddress address = EntityAddress.ofPath(request.variable("entity"));
                BodyAccess access = bodies(exchange, address);
                MessageSearch.start(
                        exchange, withMessages(address, existing(exchange, address)), address, request, access);
            }
            case GROUPS -> {
                EntityAddress address = EntityAddress.ofPath(request.variable("entity"));
                BodyAccess access = bodies(exchange, address);
                MessageGroups.start(
                        exchange, withMessages(address, existing(exchange, address)), address, request, access);
            }
            case NOTE, DELETE_NOTE -> {
                EntityAddress address = EntityAddress.ofPath(request.variable("entity"));
                Grant grant = exchange.authorize(address, AccessRight.SEND);
                withMessages(address, existing(exchange, address));
                NoteRequests.start(exchange, grant, address, request);
            }
            case MESSAGE -> {
                EntityAddress address = EntityAddress.ofPath(request.variable("entity"));
                BodyAccess access = bodies(exchange, address);
                SingleMessage.start(
                        exchange, withMessages(address, existing(exchange, address)), address, request, access);
            }
            case AUDIT -> {
                exchange.authorize(WHOLE_NAMESPACE, AccessRight.MANAGE);
                AuditPage.start(exchange, request);
            }
            case DELETE, DEAD_LETTER, RESUBMIT, MOVE, COPY, DELIVER_NOW, RESCHEDULE, UNLOCK, EDIT ->
                change(exchange, request);
            case NEW_JOB -> {
                EntityAddress address = EntityAddress.ofPath(request.variable("entity"));
                Grant grant = exchange.authorize(address, AccessRight.LISTEN, AccessRight.MANAGE);
                jobs.create(exchange, withMessages(address, existing(exchange, address)), address, grant);
            }
            case BACKUPS, NEW_BACKUP, BACKUP -> backups.start(exchange, request);
            case JOBS -> jobs.list(exchange);
            case JOB -> jobs.show(exchange, request);
            case PAUSE_JOB, RESUME_JOB, CANCEL_JOB -> jobs.control(exchange, request);
            case SESSIONS, SESSION, SESSION_STATE, CLEAR_STATE, UNLOCK_SESSION, RESUBMIT_SESSION -> {
                EntityAddress address = EntityAddress.ofPath(request.variable("entity"));
                Grant grant = exchange.authorize(address, AccessRight.LISTEN, AccessRight.MANAGE);
                SessionOperations.start(exchange, grant, existing(exchange, address), address, request);
            }
            case RULES -> {
                EntityAddress address = EntityAddress.ofPath(request.variable("entity"));
                RuleRequests.of(exchange, found(exchange, address), address).list(request);
            }
            case PUT_RULE -> {
                EntityAddress address = EntityAddress.ofPath(request.variable("entity"));
                Grant grant = exchange.authorize(address, AccessRight.MANAGE);
                RuleRequests.of(exchange, existing(exchange, address), address).put(request, grant);
            }
            case DELETE_RULE -> {
                EntityAddress address = EntityAddress.ofPath(request.variable("entity"));
                Grant grant = exchange.authorize(address, AccessRight.MANAGE);
                RuleRequests.of(exchange, existing(exchange, address), address).delete(request, grant);
            }
            case EXPLAIN -> {
                EntityAddress address = EntityAddress.ofPath(request.variable("entity"));
                Explanation.start(exchange, found(exchange, address), address, request);
            }
            case SEND -> {
                EntityAddress address = EntityAddress.ofPath(request.variable("entity"));
                Grant grant = exchange.authorize(address, AccessRight.SEND);
                NewMessages.start(exchange, grant, existing(exchange, address), address);
            }
            case NAMESPACE,
                    SETTINGS_OF_KINDS,
                    SETTINGS,
                    NEW_ENTITY,
                    CHANGE_SETTINGS,
                    DELETE_ENTITY,
                    NAMESPACE_ACCESS_RULES,
                    NAMESPACE_ACCESS_KEYS,
                    PUT_NAMESPACE_ACCESS_RULE,
                    RENEW_NAMESPACE_ACCESS_KEY,
                    SWAP_NAMESPACE_ACCESS_KEYS,
                    DELETE_NAMESPACE_ACCESS_RULE,
                    ACCESS_RULES,
                    ACCESS_KEYS,
                    PUT_ACCESS_RULE,
                    RENEW_ACCESS_KEY,
                    SWAP_ACCESS_KEYS,
                    DELETE_ACCESS_RULE -> administration.start(exchange, request);
        }
    }

    private void change(Exchange exchange, OperatorRequest request) throws RefusedException {
        EntityAddress address = EntityAddress.ofPath(request.variable("entity"));
        Grant grant = exchange.authorize(address, AccessRight.LISTEN, AccessRight.MANAGE); // the operation needs more
        Entity entity = withMessages(address, existing(exchange, address));
        OperatorOperation operation = request.operation();
        AuditedAction action = new AuditedAction(
                operation.name().toLowerCase(Locale.ROOT).replace('_', '-') + " messages",
                grant.holder(),
                exchange.client(),
                exchange.namespace(),
                address.path(),
                "");
        MessageActions actions = new MessageActions(Author.of(exchange), entity, address);
        exchange.body(operation == OperatorOperation.EDIT ? EDIT_BYTES_MAX : BODY_BYTES_MAX)
                .onFailure(exchange::fail)
                .onSuccess(body -> exchange.guarded(() -> {
                    if (operation == OperatorOperation.EDIT) {
                        MessageEdit edit = MessageEdit.parse(body.getBytes());
                        privacy.of(exchange, grant, address).checkNewBody(edit.bodyText());
                        boolean keepsOriginal = "true".equals(request.text("keepOriginal"));
                        MessageActs.start(
                                exchange,
                                action,
                                actions.edited(edit, request.text("to"), keepsOriginal),
                                List.of(SingleMessage.number(request)));
                    } else {
                        OperatorBody members = OperatorBody.of(body, operation.members());
                        MessageActs.start(exchange, action, actions.of(operation, members), members.sequenceNumbers());
                    }
                }));
    }

    /** Returns the path below the version as the client sent it, because an entity is one segment. */
    private static String belowVersion(Exchange exchange) {
        String path = exchange.path();
        int at = path.indexOf('/', 1);
        int end = at < 0 ? -1 : path.indexOf('/', at + 1);
        return end < 0 ? "/" : path.substring(end);
    }

    /** Returns the entity of an address, after the check of the right. */
    private static Entity found(Exchange exchange, EntityAddress address) throws RefusedException {
        exchange.authorize(address, AccessRight.LISTEN); // before any response about the entity
        return existing(exchange, address);
    }

    private static Entity existing(Exchange exchange, EntityAddress address) throws RefusedException {
        Entity entity = address.management() ? null : exchange.namespace().entity(address.path());
        if (entity == null) {
            throw new RefusedException(HttpError.notFound("The messaging entity '"
                    + exchange.namespace().name() + ":" + ClientText.abbreviate(address.path())
                    + "' could not be found."));
        }
        return entity;
    }

    /** Returns the access to the bodies of a queue, after the check of the right. */
    private BodyAccess bodies(Exchange exchange, EntityAddress address) throws RefusedException {
        return privacy.of(exchange, exchange.authorize(address, AccessRight.LISTEN), address);
    }

    private static Entity withMessages(EntityAddress address, Entity entity) throws RefusedException {
        if (entity.kind() == EntityKind.TOPIC && address.subQueue() == SubQueue.DEAD_LETTER) {
            throw new RefusedException(HttpError.badRequest("'" + address.path()
                    + "' is a topic. It has scheduled messages and a transfer dead-letter queue; its subscriptions"
                    + " have the other messages."));
        }
        return entity;
    }
}
