package dev.jitney.gateway.http.operator.rule;

import dev.jitney.gateway.http.exchange.Exchange;
import dev.jitney.gateway.http.exchange.HttpError;
import dev.jitney.gateway.http.exchange.RefusedException;
import dev.jitney.gateway.http.operator.audit.AuditedAnswer;
import dev.jitney.gateway.http.operator.request.JsonAnswer;
import dev.jitney.gateway.http.operator.request.OperatorRequest;
import dev.jitney.gateway.http.operator.request.StrictJson;
import dev.jitney.model.ClientText;
import dev.jitney.model.EntityAddress;
import dev.jitney.model.EntityKind;
import dev.jitney.model.SubQueue;
import dev.jitney.model.rule.Rule;
import dev.jitney.model.rule.RuleDescription;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.Namespace;
import dev.jitney.runtime.audit.AuditedAction;
import dev.jitney.runtime.audit.Changes;
import dev.jitney.runtime.security.Grant;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The requests for the rules of a subscription. They make the same changes as the administration API, and each is in the audit log. For
 * event loops; no method blocks.
 */
public final class RuleRequests {
    private static final int BODY_BYTES_MAX = 256 << 10;

    /** The size after which a page of rules ends. */
    private static final int PAGE_BYTES_MAX = 1 << 20;

    private static final long RULES_ON_PAGE = 100;

    private final Exchange exchange;
    private final Entity subscription;
    private final EntityAddress address;

    private RuleRequests(Exchange exchange, Entity subscription, EntityAddress address) {
        this.exchange = exchange;
        this.subscription = subscription;
        this.address = address;
    }

    /**
     * Returns the requests for a subscription, whose rights the caller has checked.
     *
     * @throws RefusedException with 400 if the entity is no subscription
     */
    public static RuleRequests of(Exchange exchange, Entity entity, EntityAddress address) throws RefusedException {
        if (entity.kind() != EntityKind.SUBSCRIPTION || address.subQueue() != SubQueue.MAIN) {
            throw new RefusedException(HttpError.badRequest("Expected a subscription, which has rules, but '"
                    + ClientText.abbreviate(address.path()) + address.subQueue().suffix() + "' is none."));
        }
        return new RuleRequests(exchange, entity, address);
    }

    /** Answers with the rules, page by page, ordered by name. */
    public void list(OperatorRequest request) {
        String after = request.text("after");
        String afterKey = after == null ? "" : EntityAddress.keyOf(after);
        long max = request.number("max", RULES_ON_PAGE);
        List<Rule> rules = subscription.rules();
        JsonArray page = new JsonArray();
        String next = null;
        int bytes = 0;
        for (Rule rule : rules) { // in the order of their keys
            String name = rule.description().name();
            if (EntityAddress.keyOf(name).compareTo(afterKey) <= 0) {
                continue;
            }
            if (page.size() >= max || bytes > PAGE_BYTES_MAX) {
                next = page.getJsonObject(page.size() - 1).getString("rule");
                break;
            }
            JsonObject document = document(rule);
            bytes += document.encode().length();
            page.add(document);
        }
        exchange.namespace().countCall(subscription);
        JsonAnswer.send(
                exchange,
                new JsonObject()
                        .put("rules", page)
                        .put("total", rules.size())
                        .put("next", next)
                        .toBuffer());
    }

    private static JsonObject document(Rule rule) {
        return RuleDocument.of(rule.description())
                .put("createdAt", Instant.ofEpochMilli(rule.createdAtMs()).toString());
    }

    /** Creates or changes a rule. */
    public void put(OperatorRequest request, Grant grant) {
        String name = request.variable("rule");
        exchange.body(BODY_BYTES_MAX)
                .onFailure(exchange::fail)
                .onSuccess(body -> exchange.guarded(() -> put(name, body, grant)));
    }

    private void put(String name, Buffer body, Grant grant) throws RefusedException {
        RuleDescription rule = RuleDocument.read(name, StrictJson.object(body.getBytes()));
        Namespace namespace = exchange.namespace();
        boolean created = find(subscription, name) == null;
        finish(
                created
                        ? namespace.createRule(subscription.path(), rule)
                        : namespace.updateRule(subscription.path(), rule),
                action(created ? "create rule" : "update rule", name, grant),
                Changes.of(rule),
                changed -> {
                    Rule now = find(changed, name);
                    JsonObject document =
                            now == null ? RuleDocument.of(rule) : document(now); // it may be deleted again by now
                    return document.put("created", created);
                });
    }

    /** Deletes a rule. */
    public void delete(OperatorRequest request, Grant grant) {
        String name = request.variable("rule");
        finish(
                exchange.namespace().deleteRule(subscription.path(), name),
                action("delete rule", name, grant),
                "",
                done -> new JsonObject().put("rule", name).put("deleted", true));
    }

    private static @Nullable Rule find(Entity subscription, String name) {
        String key = EntityAddress.keyOf(name);
        return subscription.rules().stream()
                .filter(rule -> EntityAddress.keyOf(rule.description().name()).equals(key))
                .findFirst()
                .orElse(null);
    }

    private AuditedAction action(String what, String rule, Grant grant) {
        return new AuditedAction(what, grant.holder(), exchange.client(), exchange.namespace(), address.path(), rule);
    }

    /** Answers when the broker has made a change or refused it, and writes to the audit log. */
    private <T> void finish(
            CompletionStage<T> change, AuditedAction action, String changes, Function<T, JsonObject> document) {
        AuditedAnswer.to(exchange, change, action, changes, HttpError::of, document);
    }
}
