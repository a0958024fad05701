package dev.jitney.gateway.http.operator.administration;

import dev.jitney.gateway.http.admin.ChangesUnderWay;
import dev.jitney.gateway.http.exchange.AmqpPorts;
import dev.jitney.gateway.http.exchange.Exchange;
import dev.jitney.gateway.http.exchange.HttpError;
import dev.jitney.gateway.http.exchange.RefusedException;
import dev.jitney.gateway.http.operator.request.JsonAnswer;
import dev.jitney.gateway.http.operator.request.OperatorRequest;
import dev.jitney.model.AccessRight;
import dev.jitney.model.EntityAddress;
import dev.jitney.model.IsoDurations;
import dev.jitney.model.Limits;
import dev.jitney.runtime.Namespace;
import dev.jitney.runtime.security.Grant;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.Locale;

/**
 * The operations on settings of entities and on access rules. They make the same changes as the administration API with the same checks, and
 * each change is in the audit log. Listen reads settings; access rules and all changes need Manage. For event loops; no method blocks.
 */
public final class Administration {
    private static final HttpError HAS_BODY =
            HttpError.badRequest("Expected a request without a body. Its parameters are in the query of the URL.");
    private static final EntityAddress WHOLE_NAMESPACE = EntityAddress.ofPath("");

    private final String version;
    private final EntityRequests entities;
    private final AccessRuleRequests accessRules;

    /**
     * Creates the operations.
     *
     * @param version the version of the program
     * @param changes the changes in progress of all APIs, so that each change begins with the result of the one before
     * @param ports the ports for AMQP
     */
    public Administration(String version, ChangesUnderWay changes, AmqpPorts ports) {
        this.version = version;
        entities = new EntityRequests(changes);
        accessRules = new AccessRuleRequests(changes, ports);
    }

    /**
     * Starts an operation.
     *
     * @throws RefusedException if a right is missing, or if a parameter is wrong
     */
    public void start(Exchange exchange, OperatorRequest request) throws RefusedException {
        EntityAddress address = EntityAddress.ofPath(request.variable("entity")); // of the namespace without a variable
        switch (request.operation()) {
            case NAMESPACE -> {
                exchange.authorize(WHOLE_NAMESPACE, AccessRight.LISTEN);
                JsonAnswer.send(exchange, namespace(exchange.namespace()).toBuffer());
            }
            case SETTINGS_OF_KINDS -> {
                exchange.authorize(WHOLE_NAMESPACE, AccessRight.values());
                JsonAnswer.send(exchange, SettingsOfKinds.document(exchange.namespace()));
            }
            case SETTINGS -> {
                exchange.authorize(address, AccessRight.LISTEN);
                entities.show(exchange, address);
            }
            default -> manage(exchange, request, address, exchange.authorize(address, AccessRight.MANAGE));
        }
    }

    private void manage(Exchange exchange, OperatorRequest request, EntityAddress address, Grant grant)
            throws RefusedException {
        Change change = new Change(exchange, grant, address);
        switch (request.operation()) {
            case NEW_ENTITY -> change.withBody(members -> entities.create(change, request, members));
            case CHANGE_SETTINGS -> change.withBody(members -> entities.change(change, members));
            case DELETE_ENTITY ->
                withoutBody(exchange, () -> entities.delete(change, "true".equals(request.text("dryRun"))));
            case NAMESPACE_ACCESS_RULES, ACCESS_RULES -> accessRules.list(change);
            case NAMESPACE_ACCESS_KEYS, ACCESS_KEYS ->
                withoutBody(exchange, () -> accessRules.showKeys(change, request.variable("accessRule")));
            case PUT_NAMESPACE_ACCESS_RULE, PUT_ACCESS_RULE ->
                change.withBody(members -> accessRules.put(change, request.variable("accessRule"), members));
            case RENEW_NAMESPACE_ACCESS_KEY, RENEW_ACCESS_KEY -> {
                boolean primary = "primary".equals(request.text("key"));
                withoutBody(exchange, () -> accessRules.renew(change, request.variable("accessRule"), primary));
            }
            case SWAP_NAMESPACE_ACCESS_KEYS, SWAP_ACCESS_KEYS ->
                withoutBody(exchange, () -> accessRules.swap(change, request.variable("accessRule")));
            case DELETE_NAMESPACE_ACCESS_RULE, DELETE_ACCESS_RULE ->
                withoutBody(exchange, () -> accessRules.delete(change, request.variable("accessRule")));
            default ->
                throw new IllegalArgumentException(
                        "Expected an operation of the administration, but got " + request.operation() + ".");
        }
    }

    /** Runs a step after the end of the request, which must have no body, because members in it would have no effect. */
    private static void withoutBody(Exchange exchange, Exchange.Step step) {
        exchange.body(0, HAS_BODY).onFailure(exchange::fail).onSuccess((Buffer empty) -> exchange.guarded(step));
    }

    private JsonObject namespace(Namespace namespace) {
        Limits limits = namespace.limits();
        return new JsonObject()
                .put("namespace", namespace.name())
                .put("version", version)
                .put("tier", limits.tier().name().toLowerCase(Locale.ROOT))
                .put("configured", namespace.isConfigured())
                .put("partitionsByDefault", namespace.partitioning().enabled(null, limits.tier()))
                .put("createdAt", Instant.ofEpochMilli(namespace.createdAtMs()).toString())
                .put(
                        "accessRulesChangedAt",
                        Instant.ofEpochMilli(namespace.modifiedAtMs()).toString())
                .put(
                        "limits",
                        new JsonObject()
                                .put("messageSizeInBytes", limits.maxMessageSizeBytes())
                                .put("entitySizeInMegabytes", limits.maxQueueSizeInMegabytes())
                                .put("timeToLive", IsoDurations.format(limits.maxTimeToLiveMs()))
                                .put("entities", limits.maxEntities())
                                .put("subscriptionsOfTopic", limits.maxSubscriptions())
                                .put("connections", limits.maxConnections())
                                .put("receiversOfEntity", limits.maxReceivers()));
    }
}
