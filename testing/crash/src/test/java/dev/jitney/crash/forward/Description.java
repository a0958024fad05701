package dev.jitney.crash.forward;

import org.jspecify.annotations.Nullable;

/**
 * The description of a queue, topic or subscription for the administration API.
 *
 * @param forwardTo a path, or null
 * @param forwardDeadLetteredMessagesTo a path, or null
 */
record Description(
        Kind kind, @Nullable String forwardTo, @Nullable String forwardDeadLetteredMessagesTo) {
    private static final String NAMESPACE = "http://schemas.microsoft.com/netservices/2010/10/servicebus/connect";
    private static final int MAX_DELIVERY_COUNT = 3;

    /** The kind of the entity. */
    enum Kind {
        QUEUE("QueueDescription"),
        TOPIC("TopicDescription"),
        SUBSCRIPTION("SubscriptionDescription");

        private final String element;

        Kind(String element) {
            this.element = element;
        }
    }

    static Description queue() {
        return new Description(Kind.QUEUE, null, null);
    }

    static Description queueTo(String destination) {
        return new Description(Kind.QUEUE, destination, null);
    }

    /** Returns the XML element (HTTP reference 2.7). The lock duration is as long as a round. */
    String element(String status) {
        StringBuilder element = new StringBuilder("<" + kind.element + " xmlns=\"" + NAMESPACE + "\">");
        if (kind != Kind.TOPIC) {
            add(element, "LockDuration", "PT5M");
            add(element, "MaxDeliveryCount", String.valueOf(MAX_DELIVERY_COUNT));
        }
        add(element, "Status", status);
        addUrl(element, "ForwardTo", forwardTo);
        addUrl(element, "ForwardDeadLetteredMessagesTo", forwardDeadLetteredMessagesTo);
        return element.append("</").append(kind.element).append('>').toString();
    }

    private static void addUrl(StringBuilder element, String name, @Nullable String path) {
        if (path != null) {
            add(element, name, "sb://localhost/" + path);
        }
    }

    private static void add(StringBuilder element, String name, String value) {
        element.append('<').append(name).append('>').append(value);
        element.append("</").append(name).append('>');
    }
}
