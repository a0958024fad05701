package dev.jitney.runtime.audit;

import dev.jitney.runtime.AuditTrail;
import dev.jitney.runtime.Namespace;

/**
 * An administrative action and its author.
 *
 * @param name      a verb and its object, for example {@code create queue}
 * @param key       the name of the authorization rule whose key the client used; empty if no key was accepted
 * @param client    address and port of the client's socket
 * @param namespace the name of the namespace that the action concerns
 * @param trail     the audit trail that gets an entry: that of the namespace whose key the client used
 * @param entity    the path of the entity, empty for the namespace itself
 * @param rule      the name of the subscription rule or authorization rule; empty if the action concerns neither
 */
public record AuditedAction(
        String name, String key, String client, String namespace, AuditTrail trail, String entity, String rule) {

    /** An action in a namespace. */
    public AuditedAction(String name, String key, String client, Namespace namespace, String entity, String rule) {
        this(name, key, client, namespace.name(), namespace.auditTrail(), entity, rule);
    }
}
