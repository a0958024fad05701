package dev.jitney.runtime.audit;

/**
 * An administrative action and its author.
 *
 * @param name a verb and its object, for example {@code create queue}
 * @param key the name of the authorization rule whose key was shown; empty if none was accepted
 * @param client address and port of the client's socket
 * @param namespace the name of the namespace
 * @param entity the path of the entity, empty for the namespace itself
 * @param rule the name of the rule of a subscription, or of the authorization rule; empty if it is about neither
 */
public record AuditedAction(String name, String key, String client, String namespace, String entity, String rule) {}
