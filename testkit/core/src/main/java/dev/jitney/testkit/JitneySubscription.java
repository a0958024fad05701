package dev.jitney.testkit;

/** A subscription of a topic. It may be created later than this handle. Any thread may call the methods. */
public final class JitneySubscription extends ReceivableEntity {

    JitneySubscription(NamespaceAccess access, String topic, String name) {
        super(access, topic + "/Subscriptions/" + name, "subscription '" + name + "' of topic '" + topic + "'", topic);
    }
}
