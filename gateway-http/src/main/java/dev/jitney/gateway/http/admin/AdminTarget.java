package dev.jitney.gateway.http.admin;

import dev.jitney.gateway.http.exchange.RequestTarget;
import dev.jitney.model.EntityAddress;
import dev.jitney.model.SubscriptionDescription;
import java.util.Locale;

/**
 * The resource that the path of a request names (HTTP reference 2.1).
 *
 * <p>Fixed words are compared without case. The words of subscriptions and rules are searched from the end of the path,
 * so that a subscription or rule may have the same name as one of them.
 *
 * @param kind the kind of the resource
 * @param path the queue or topic, or a prefix of names; empty for the root
 * @param subscription name of the subscription, empty if none is named
 * @param rule name of the rule of the subscription or of the namespace, empty if none is named
 */
record AdminTarget(Kind kind, String path, String subscription, String rule) {

    /** The kinds of resources. */
    enum Kind {
        /** The root, above all entities. */
        ROOT,
        /** A queue or topic. */
        ENTITY,
        /** A sub-queue or node of an entity, which cannot be administered. */
        PART_OF_ENTITY,
        SUBSCRIPTION,
        RULE,
        QUEUES,
        TOPICS,
        SUBSCRIPTIONS,
        RULES,
        NAMESPACE_INFO,
        NAMESPACE_RULES,
        NAMESPACE_RULE,
        /** The meter of the namespace, an entity or a subscription. */
        METERING,
        /** An unknown word with a dollar sign. */
        UNKNOWN
    }

    static AdminTarget of(RequestTarget target) {
        int size = target.size();
        String first = size == 0 ? "" : word(target.segments().get(0));
        if (first.startsWith("$")) {
            return reserved(target, first);
        }
        if (size == 0) {
            return new AdminTarget(Kind.ROOT, "", "", "");
        }
        if (size >= 5 && isRules(target.fromEnd(1)) && isSubscriptions(target.fromEnd(3))) {
            return new AdminTarget(Kind.RULE, target.head(size - 4), target.fromEnd(2), target.fromEnd(0));
        }
        if (size >= 3 && isSubscriptions(target.fromEnd(1))) {
            return new AdminTarget(Kind.SUBSCRIPTION, target.head(size - 2), target.fromEnd(0), "");
        }
        if (size >= 4 && isRules(target.fromEnd(0)) && isSubscriptions(target.fromEnd(2))) {
            return new AdminTarget(Kind.RULES, target.head(size - 3), target.fromEnd(1), "");
        }
        if (size >= 2 && isSubscriptions(target.fromEnd(0))) {
            return new AdminTarget(Kind.SUBSCRIPTIONS, target.head(size - 1), "", "");
        }
        if (isMetering(target.fromEnd(0))) {
            return size >= 4 && isSubscriptions(target.fromEnd(2))
                    ? new AdminTarget(Kind.METERING, target.head(size - 3), target.fromEnd(1), "")
                    : new AdminTarget(Kind.METERING, target.head(size - 1), "", "");
        }
        String path = target.path();
        boolean part = word(target.fromEnd(0)).startsWith("$");
        return new AdminTarget(part ? Kind.PART_OF_ENTITY : Kind.ENTITY, path, "", "");
    }

    private static AdminTarget reserved(RequestTarget target, String first) {
        int size = target.size();
        String second = size < 2 ? "" : word(target.segments().get(1));
        Kind kind = Kind.UNKNOWN;
        String rule = "";
        if (first.equals("$resources") && size == 2) {
            kind = second.equals("queues") ? Kind.QUEUES : second.equals("topics") ? Kind.TOPICS : Kind.UNKNOWN;
        } else if (first.equals("$namespaceinfo") && size == 1) {
            kind = Kind.NAMESPACE_INFO;
        } else if (isMetering(first) && size == 1) {
            kind = Kind.METERING;
        } else if (first.equals("$namespaceinfo") && second.equals("authorizationrules")) {
            kind = size == 2 ? Kind.NAMESPACE_RULES : Kind.NAMESPACE_RULE;
            rule = String.join("/", target.segments().subList(2, size)); // names of rules may contain slashes
        }
        return new AdminTarget(kind, "", "", rule);
    }

    /** Returns the address that a token has to cover: a rule belongs to its subscription, a list to its parent. */
    EntityAddress address() {
        return EntityAddress.ofPath(subscription.isEmpty() ? path : subscriptionPath());
    }

    /** Returns whether the resource is a queue or a topic, existing or not. */
    boolean isTopLevel() {
        return kind == Kind.ENTITY;
    }

    /** Returns the path of the queue, topic or subscription. */
    String entityPath() {
        return subscription.isEmpty() ? path : subscriptionPath();
    }

    private String subscriptionPath() {
        return SubscriptionDescription.pathOf(path, subscription);
    }

    private static boolean isSubscriptions(String segment) {
        return segment.equalsIgnoreCase("subscriptions");
    }

    /** Returns whether a segment is the meter. No name of an entity contains a dollar sign. */
    private static boolean isMetering(String segment) {
        return segment.equalsIgnoreCase("$metering");
    }

    private static boolean isRules(String segment) {
        return segment.equalsIgnoreCase("rules");
    }

    private static String word(String segment) {
        return segment.toLowerCase(Locale.ROOT);
    }
}
