package dev.jitney.gateway.http.admin;

import dev.jitney.gateway.http.atom.AccessRuleXml;
import dev.jitney.gateway.http.atom.EntryReader;
import dev.jitney.gateway.http.exchange.Exchange;
import dev.jitney.gateway.http.exchange.ExchangeHandler;
import dev.jitney.gateway.http.exchange.HttpError;
import dev.jitney.gateway.http.exchange.RefusedException;
import dev.jitney.model.AccessRight;
import dev.jitney.model.EntityAddress;
import dev.jitney.model.EntityKind;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.audit.Audit;
import dev.jitney.runtime.audit.AuditedAction;
import dev.jitney.runtime.security.Grant;
import io.vertx.core.http.HttpHeaders;

/**
 * The handler of the administration API. It determines the resource of a request, and checks whether the token permits
 * it. For event loops; it must come after all routes with fixed paths.
 */
public final class AdminHandler implements ExchangeHandler {
    private static final AccessRight[] MANAGE = {AccessRight.MANAGE};
    private static final AccessRight[] MANAGE_OR_LISTEN = {AccessRight.MANAGE, AccessRight.LISTEN};
    private static final AccessRight[] ANY = AccessRight.values();

    private final EntityOperations entities;
    private final RuleOperations rules;
    private final NamespaceOperations namespace;
    private final Listings listings = new Listings();

    /** The operations on a resource. */
    private enum Verb {
        GET,
        PUT,
        DELETE
    }

    /**
     * Creates a handler for all namespaces of a broker.
     *
     * @param changes the changes in progress of all APIs
     */
    public AdminHandler(ChangesUnderWay changes) {
        EntryReader reader = new EntryReader();
        AccessRuleXml.Keys keys = new NewKeys();
        entities = new EntityOperations(reader, changes, listings, keys);
        rules = new RuleOperations(reader, changes);
        namespace = new NamespaceOperations(reader, changes, keys);
    }

    @Override
    public void handle(Exchange exchange) throws RefusedException {
        AdminTarget target = AdminTarget.of(exchange.target());
        Verb verb = verb(exchange, target);
        Grant grant = authorize(exchange, target, verb);
        AdminRequest request = new AdminRequest(exchange, target, grant, verb == Verb.GET);
        request.guarded(() -> serve(verb, request));
    }

    /** Checks the rights of the token. A refused change is written to the audit log. */
    private static Grant authorize(Exchange exchange, AdminTarget target, Verb verb) throws RefusedException {
        try {
            return exchange.authorize(audience(target), rights(target));
        } catch (RefusedException refused) {
            if (verb != Verb.GET) {
                String action = verb == Verb.PUT ? "put" : "delete";
                Audit.refused(
                        new AuditedAction(
                                action,
                                "",
                                exchange.client(),
                                exchange.namespace(),
                                target.entityPath(),
                                target.rule()),
                        String.valueOf(refused.getMessage()));
            }
            throw refused;
        }
    }

    private void serve(Verb verb, AdminRequest request) throws RefusedException {
        AdminTarget target = request.target();
        Exchange exchange = request.exchange();
        Entity entity = request.namespace().entity(target.path());
        if (entity != null) {
            request.requireVersionFor(entity.description()); // of the topic, for its subscriptions and rules
        }
        switch (target.kind()) {
            case ENTITY, SUBSCRIPTION -> onEntity(verb, request);
            case RULE -> onRule(verb, request);
            case NAMESPACE_RULE -> onNamespaceRule(verb, request);
            case QUEUES -> listings.entities(request, EntityKind.QUEUE);
            case TOPICS -> listings.entities(request, EntityKind.TOPIC);
            case SUBSCRIPTIONS -> listings.subscriptions(request);
            case RULES -> listings.rules(request);
            case NAMESPACE_INFO -> namespace.info(request);
            case NAMESPACE_RULES -> namespace.list(request);
            case METERING -> onMetering(verb, request);
            case ROOT -> listings.discovery(request);
            case PART_OF_ENTITY ->
                exchange.refuse(AdminErrors.verb(exchange.request().method().name()));
            case UNKNOWN ->
                exchange.refuse(
                        verb == Verb.PUT
                                ? AdminErrors.noName(exchange.target().path())
                                : AdminErrors.noService(target));
        }
    }

    private void onEntity(Verb verb, AdminRequest request) throws RefusedException {
        switch (verb) {
            case GET -> entities.get(request);
            case PUT -> entities.put(request);
            case DELETE -> entities.delete(request);
        }
    }

    private void onRule(Verb verb, AdminRequest request) throws RefusedException {
        switch (verb) {
            case GET -> rules.get(request);
            case PUT -> rules.put(request);
            case DELETE -> rules.delete(request);
        }
    }

    private void onNamespaceRule(Verb verb, AdminRequest request) throws RefusedException {
        switch (verb) {
            case GET -> namespace.get(request);
            case PUT -> namespace.put(request);
            case DELETE -> namespace.delete(request);
        }
    }

    private static void onMetering(Verb verb, AdminRequest request) throws RefusedException {
        if (verb == Verb.GET) {
            Metering.get(request);
        } else {
            Metering.reset(request);
        }
    }

    private static Verb verb(Exchange exchange, AdminTarget target) throws RefusedException {
        String method = exchange.request().method().name();
        boolean writable = switch (target.kind()) {
            case ENTITY, PART_OF_ENTITY, SUBSCRIPTION, RULE, NAMESPACE_RULE, UNKNOWN -> true;
            case ROOT, QUEUES, TOPICS, SUBSCRIPTIONS, RULES, NAMESPACE_INFO, NAMESPACE_RULES, METERING -> false;
        };
        boolean deletable = writable || target.kind() == AdminTarget.Kind.METERING;
        if (method.equals("GET") || method.equals("HEAD")) {
            return Verb.GET;
        }
        if (writable && method.equals("PUT")) {
            return Verb.PUT;
        }
        if (deletable && method.equals("DELETE")) {
            return Verb.DELETE;
        }
        exchange.response()
                .putHeader(
                        HttpHeaders.ALLOW,
                        writable ? "GET, HEAD, PUT, DELETE" : deletable ? "GET, HEAD, DELETE" : "GET, HEAD");
        throw new RefusedException(HttpError.methodNotAllowed(method));
    }

    /**
     * Returns the address that a token has to cover. Lists of entities have an address of their own; all other
     * resources belong to an entity or to the namespace.
     */
    private static EntityAddress audience(AdminTarget target) {
        return switch (target.kind()) {
            case QUEUES -> EntityAddress.ofPath("$Resources/Queues");
            case TOPICS -> EntityAddress.ofPath("$Resources/Topics");
            default -> target.address();
        };
    }

    /** Returns the rights for an operation (HTTP reference 1.6). */
    private static AccessRight[] rights(AdminTarget target) {
        return switch (target.kind()) {
            case NAMESPACE_INFO -> ANY;
            case RULES -> MANAGE_OR_LISTEN;
            default -> MANAGE;
        };
    }
}
