package dev.jitney.gateway.amqp.management;

import dev.jitney.codec.MessageFormatException;
import dev.jitney.codec.Symbol;
import dev.jitney.gateway.amqp.message.ErrorText;
import dev.jitney.model.AccessRight;
import dev.jitney.model.ClientText;
import dev.jitney.model.EntityAddress;
import dev.jitney.model.EntityKind;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.LogKeys;
import dev.jitney.runtime.Namespace;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The management node of a queue, topic, subscription or dead-letter queue, for one client's pair of links (wire
 * reference chapter 6).
 *
 * <p>Every request is answered exactly once, even if it cannot be decoded. The node keeps nothing between requests, so
 * equal message ids on different links cannot conflict. Requests are handled on the calling thread. Answers leave on
 * the executor, or on the calling thread if the request is refused without a command.
 */
public final class ManagementNode {
    private static final Rejection NO_MEMORY = new Rejection(
            ErrorCode.SERVER_BUSY,
            "Other clients hold the memory that the answer needs. Please wait 10 seconds and try again, or request less at"
                    + " a time.");

    private static final Logger LOG = LoggerFactory.getLogger(ManagementNode.class);
    private static final String TRACKING_ID = "com.microsoft:tracking-id";

    private final Entity entity;
    private final ManagementAccess access;
    private final NamedLinks transfers;
    private final Executor executor;
    private final ErrorText errors;
    private final AuditTrail audit;
    private final Map<String, Operation> operations = new HashMap<>();

    /**
     * Creates the node.
     *
     * @param namespace namespace of the entity; rules are changed through it
     * @param address address of the sub-queue that the requests concern
     * @param access checks every request again, since tokens expire while links are open
     * @param sessions sessions of the entity that the client's connection holds
     * @param transfers links of the client's connection that send via the entity
     * @param executor executor that turns the broker's replies into responses
     * @param errors creates the descriptions of errors
     * @param answerBytesMax limit for the bytes of messages in one answer
     */
    public ManagementNode(
            Namespace namespace,
            Entity entity,
            EntityAddress address,
            ManagementAccess access,
            HeldSessions sessions,
            NamedLinks transfers,
            Executor executor,
            ErrorText errors,
            long answerBytesMax) {
        this.entity = entity;
        this.access = access;
        this.transfers = transfers;
        this.executor = executor;
        this.errors = errors;
        audit = new AuditTrail(
                access, namespace, entity.path() + address.subQueue().suffix());
        SessionScope scope = new SessionScope(entity, address.subQueue(), sessions);
        operations.putAll(new MessageOperations(
                        entity,
                        address.subQueue(),
                        scope,
                        transfers,
                        namespace.limits().maxPeekSizeBytes(),
                        answerBytesMax,
                        audit)
                .byName());
        operations.putAll(new SessionOperations(entity, scope, answerBytesMax).byName());
        operations.putAll(new RuleOperations(namespace, entity, address.subQueue(), audit).byName());
    }

    /** The access check for a client's operations. */
    @FunctionalInterface
    public interface ManagementAccess {
        /** Returns null if one of the rights is granted now, otherwise the refusal to send. */
        @Nullable
        Rejection check(Set<AccessRight> rights);

        /** Returns the name of an authorization rule that grants one of the rights now; empty if it is not known. */
        default String keyName(Set<AccessRight> rights) {
            return "";
        }

        /** Returns the address and port of the client's socket; empty if it is not known. */
        default String client() {
            return "";
        }
    }

    /** The destination of responses: the link on which the client receives them. */
    @FunctionalInterface
    public interface ResponseSink {
        /**
         * Sends a response. Called once per request.
         *
         * @param correlationId message id of the request, in its type
         * @param replyTo reply-to of the request
         * @param encodedResponse complete message, in its own buffer
         */
        void respond(@Nullable Object correlationId, @Nullable String replyTo, ProtonBuffer encodedResponse);

        /**
         * Runs work whose answer may be large, now or when there is memory for the answer.
         *
         * @param answerBytes upper bound for the memory that creating the answer takes
         * @param late runs instead of the work if there is no memory for long; it responds
         * @return false if there can never be memory for the answer; then nothing runs
         */
        default boolean whenRoom(@Nullable String replyTo, long answerBytes, Runnable work, Runnable late) {
            work.run();
            return true;
        }
    }

    /**
     * Answers one request with a refusal, without a node. Never throws.
     *
     * @param path entity for the error text
     */
    public static void refuse(
            ProtonBuffer request, Rejection refusal, String path, ErrorText errors, ResponseSink sink) {
        new Exchange(RequestMessage.decode(request), path, errors, sink).refuse(refusal);
    }

    /**
     * Answers one request. Never throws.
     *
     * @param request encoded message; nothing of it is kept
     */
    public void handle(ProtonBuffer request, ResponseSink sink) {
        handle(request, CommandTarget.ENTITY, sink);
    }

    /**
     * Answers one request, which may belong to a transaction. Never throws.
     *
     * @param request encoded message; nothing of it is kept
     */
    public void handle(ProtonBuffer request, CommandTarget target, ResponseSink sink) {
        RequestMessage message = RequestMessage.decode(request);
        Exchange exchange = new Exchange(message, entity.path(), errors, sink);
        try {
            start(message, target, exchange);
        } catch (MessageFormatException refused) {
            target.refused(refused.rejection());
            audit.refused(message.textProperty("operation"), refused.rejection());
            exchange.refuse(refused.rejection());
        } catch (RuntimeException bug) {
            exchange.fail(bug);
        }
    }

    private void start(RequestMessage message, CommandTarget target, Exchange exchange) throws MessageFormatException {
        Rejection problem = message.problem();
        if (problem != null) {
            throw new MessageFormatException(problem);
        }
        String name = message.textProperty("operation");
        if (name == null) {
            throw MessageFormatException.argument("Expected application property 'operation', but it is missing.");
        }
        Operation operation = operations.get(name);
        if (operation == null) {
            throw new MessageFormatException(new Rejection(
                    ErrorCode.NOT_IMPLEMENTED,
                    "The operation '" + ClientText.abbreviate(name) + "' is not supported."));
        }
        Rejection denied = access.check(operation.rights());
        if (denied != null) {
            throw new MessageFormatException(denied);
        }
        if (!operation.kinds().contains(entity.kind())) {
            throw new MessageFormatException(new Rejection(
                    ErrorCode.INVALID_OPERATION,
                    "Expected a " + words(operation.kinds()) + " for the operation '" + name + "', but '"
                            + entity.path() + "' is a " + word(entity.kind()) + "."));
        }
        Arguments arguments = Arguments.of(message);
        String linkName = arguments.associatedLinkName();
        if (linkName != null) {
            transfers.use(linkName);
        }
        Call call = operation.preparation().prepare(arguments);
        if (call.answerBytes() == 0) {
            call.start(target, executor, exchange);
        } else {
            Runnable work = () -> {
                try {
                    call.start(target, executor, exchange);
                } catch (RuntimeException bug) {
                    exchange.fail(bug);
                }
            };
            Runnable late = () -> {
                target.refused(NO_MEMORY);
                exchange.refuse(NO_MEMORY);
            };
            boolean fits = exchange.sink.whenRoom(message.replyTo(), call.answerBytes(), work, late);
            if (!fits) {
                throw Arguments.outOfRange(
                        "Expected an answer that fits into the memory of the server, but it may take "
                                + call.answerBytes() + " bytes. Request less at a time.");
            }
        }
    }

    private static String words(Set<EntityKind> kinds) {
        return kinds.stream().map(ManagementNode::word).collect(Collectors.joining(" or "));
    }

    private static String word(EntityKind kind) {
        return kind.word().toLowerCase(Locale.ROOT);
    }

    /** The exchange of one request and its single answer. */
    private static final class Exchange implements Call.Answer {
        private final RequestMessage request;
        private final String path;
        private final ErrorText errors;
        private final ResponseSink sink;
        private final AtomicBoolean answered = new AtomicBoolean();

        Exchange(RequestMessage request, String path, ErrorText errors, ResponseSink sink) {
            this.request = request;
            this.path = path;
            this.errors = errors;
            this.sink = sink;
        }

        @Override
        public void succeed(Result result) {
            try {
                respond(result.status(), result.description(), null, result.body());
            } catch (RuntimeException bug) {
                fail(bug);
            }
        }

        @Override
        public void refuse(Rejection rejection) {
            ErrorCode code = rejection.code();
            respond(code.httpStatus(), errors.describe(rejection, path), code.amqpCondition(), Map.of());
        }

        @Override
        public void fail(Throwable bug) {
            LOG.atError()
                    .addKeyValue(LogKeys.ENTITY, path)
                    .setCause(bug)
                    .log("A management request failed with an internal error");
            refuse(Rejection.of(ErrorCode.INTERNAL));
        }

        private void respond(int status, String description, @Nullable String condition, Map<String, ?> body) {
            Map<String, Object> properties = new LinkedHashMap<>();
            properties.put("statusCode", status);
            properties.put("statusDescription", description);
            if (condition != null) {
                properties.put("errorCondition", new Symbol(condition));
            }
            String trackingId = request.textProperty(TRACKING_ID);
            if (trackingId != null) {
                properties.put(TRACKING_ID, trackingId);
            }
            ProtonBuffer encoded = ResponseMessage.encode(request.messageId(), request.replyTo(), properties, body);
            if (answered.compareAndSet(false, true)) {
                try {
                    sink.respond(request.messageId(), request.replyTo(), encoded);
                } catch (RuntimeException gone) {
                    LOG.atError()
                            .addKeyValue(LogKeys.ENTITY, path)
                            .setCause(gone)
                            .log("The response to a management request could not be sent and was dropped");
                }
            }
        }
    }
}
