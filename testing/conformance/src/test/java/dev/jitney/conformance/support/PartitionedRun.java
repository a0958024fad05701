package dev.jitney.conformance.support;

import com.azure.messaging.servicebus.ServiceBusMessage;

/**
 * A run of the suite in which every queue and topic is partitioned whose test does not say otherwise (PART-4, PART-14):
 * {@code -Djitney.conformance.partitioned=true}.
 */
public final class PartitionedRun {
    /** Whether this is one. */
    public static final boolean ASKED = Boolean.getBoolean("jitney.conformance.partitioned");

    /** Of a server that a test does not give a number of its own. */
    static final int STORES = 3;

    private PartitionedRun() {}

    /** Gives a message the key of all others that go through here, so that they keep their order (SEQ-7). */
    static ServiceBusMessage inOrder(ServiceBusMessage message) {
        return ASKED ? message.setPartitionKey("in order") : message;
    }
}
