package dev.jitney.runtime.security;

import java.util.Locale;

/**
 * The roles of people in the operator API and in the web console, the weakest first. Each role includes the ones before it. Unlike a
 * right, a role gives no access to messages over AMQP and over the messaging API.
 */
public enum OperatorRole {
    /** Sees entities, counts, settings, and the headers of messages; no bodies and no values of application properties. */
    VIEWER,
    /** Also sees bodies, application properties and the states of sessions, and may search in them. */
    READER,
    /** Also changes messages and sessions: sends, resubmits, moves and deletes, orders jobs, and writes notes. */
    OPERATOR,
    /** Also changes entities, rules and access rules, sees keys and the audit trail, and makes backups. */
    ADMIN;

    /** Returns whether this role includes another one. */
    public boolean includes(OperatorRole other) {
        return compareTo(other) >= 0;
    }

    /** Returns the name in documents and messages, in lower case. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
