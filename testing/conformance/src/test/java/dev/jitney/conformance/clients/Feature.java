package dev.jitney.conformance.clients;

import java.util.List;
import java.util.regex.Pattern;

/** A feature of the broker, with the requirement ids in the names of its tests. */
enum Feature {
    SENDING("Send single messages and batches", "MSG|QUOTA"),
    RECEIVING("Receive and settle, receive-and-delete", "RECV|STATE"),
    LOCKS("Lock and renew", "LOCK"),
    DEFERRAL("Defer, receive by number", "DEFER"),
    DEAD_LETTERING("Dead-letter, read dead letters", "DLQ"),
    PEEKING("Peek", "PEEK"),
    SCHEDULING("Schedule and cancel", "SCHED"),
    EXPIRATION("Time to live", "TTL"),
    SESSIONS("Sessions and their state", "SESS"),
    RULES("Topics, rules and filters", "RULE|FILTER"),
    DUPLICATES("Duplicate detection", "DUP"),
    TRANSACTIONS("Transactions", "TX"),
    FORWARDING("Forwarding", "FWD"),
    PARTITIONING("Partitioned entities", "PART"),
    TEMPORARY("Temporary entities", "IDLE"),
    PURGING("Batch delete", "PURGE"),
    JMS("JMS messages and sessions", "JMS"),
    ADMINISTRATION("Administration", "ENT|HTTP|CNT"),
    WEB_SOCKET("AMQP over WebSocket", "WebSocket", true),
    PLAIN("SASL PLAIN", "Wire 3\\b(?!\\.)", true),
    CONNECTION_LOSS("Connection loss and restart of the server", "Wire 88\\b", true),
    FAILOVER("Failover of a cluster", "CL-23", true);

    private final String title;
    private final Pattern cited;

    Feature(String title, String families) {
        this(title, "\\b(" + families + ")(-\\d| checklist \\d| \\d)", true);
    }

    Feature(String title, String text, boolean asItIs) {
        this.title = title;
        this.cited = Pattern.compile(text);
    }

    /** Returns the features whose requirement ids are in the name of a test. */
    static List<Feature> citedBy(String name) {
        return List.of(values()).stream()
                .filter(feature -> feature.cited.matcher(name).find())
                .toList();
    }

    String title() {
        return title;
    }
}
