package dev.jitney.conformance.support;

import com.azure.messaging.servicebus.ServiceBusMessage;
import dev.jitney.model.TierProfile;
import dev.jitney.server.JitneyServerBuilder;
import dev.jitney.server.ServerOptions;
import dev.jitney.server.config.PartitioningDefault;
import dev.jitney.testing.amqp.Code;
import dev.jitney.testing.amqp.RawMessage;
import dev.jitney.testing.amqp.Wire;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;

/**
 * A run of the suite in which queues and topics are partitioned unless their test says otherwise (PART-4, PART-14):
 * {@code -Djitney.conformance.partitioned=true}, or {@code =premium} for the smaller number of partitions in that tier
 * (PART-20).
 */
public final class PartitionedRun {
    private static final String PROPERTY = System.getProperty("jitney.conformance.partitioned", "false");

    /** True if this is a run in PREMIUM, where all entities are partitioned (PART-7). */
    public static final boolean PREMIUM = PROPERTY.equals("premium");

    /** True if this is a partitioned run. */
    public static final boolean ASKED = PREMIUM || Boolean.parseBoolean(PROPERTY);

    /** The factor between the requested and the reported size of an entity (PART-18, PART-20). */
    public static final int SIZE_FACTOR = ASKED && !PREMIUM ? 16 : 1;

    /** The partition key of messages that keep their order. */
    public static final String KEY = "in order";

    /** The number of stores, unless a test has its own number. */
    static final int STORES = 3;

    private static final long COUNTER_BITS = 0xffff_ffff_ffffL;

    private PartitionedRun() {}

    /** Skips a test that needs an ordinary entity if there are none (PART-7). */
    static void assumeOrdinaryEntities() {
        Assumptions.assumeFalse(PREMIUM, "PART-7: in PREMIUM all entities are partitioned.");
    }

    /**
     * Configures a server so that entities are partitioned by default over several stores, without a limit of their
     * number (PART-63).
     */
    static void prepare(JitneyServerBuilder builder) {
        ServerOptions said = builder.options();
        Map<String, Long> limits = new HashMap<>(said.limits());
        limits.putIfAbsent("maxPartitionedEntities", 10_000L);
        if (PREMIUM && said.tier() == null) {
            builder.tier(TierProfile.PREMIUM); // with the limits of STANDARD, for which the tests are written
            limits.putIfAbsent("maxEntities", 10_000L);
            limits.putIfAbsent("maxMessageSizeBytes", 256L * 1024);
        }
        builder.limits(limits);
        if (said.partitioningDefault() == null) {
            builder.partitioningDefault(PartitioningDefault.ON);
        }
        if (said.stores().stores() == 1) {
            builder.stores(STORES);
        }
    }

    /**
     * Gives a message the common key, so that messages keep their order (SEQ-7), are in one fragment (PEEK-9), fill it
     * (QUOTA-4), and may be sent in one transaction (PART-43).
     */
    public static ServiceBusMessage inOrder(ServiceBusMessage message) {
        return ASKED ? message.setPartitionKey(KEY) : message;
    }

    /** Returns a message of that text with the common key. */
    public static ServiceBusMessage inOrder(String text) {
        return inOrder(new ServiceBusMessage(text));
    }

    /** Returns a raw message of that id and text with the common key. */
    public static byte[] inOrder(String messageId, String text) {
        return ASKED ? raw(inOrder(Wire.map()), messageId, text) : RawMessage.of(messageId, text);
    }

    /** Returns a raw message with the common key for both the via entity and the destination (TX-7). */
    public static byte[] via(String messageId, String text) {
        return ASKED
                ? raw(inOrder(Wire.map(Wire.sym("x-opt-via-partition-key"), KEY)), messageId, text)
                : RawMessage.of(messageId, text);
    }

    private static byte[] raw(Map<Object, @Nullable Object> annotations, String messageId, String text) {
        return Wire.encode(
                Wire.section(Code.MESSAGE_ANNOTATIONS, annotations),
                Wire.composite(Code.PROPERTIES, messageId),
                Wire.section(Code.DATA, text.getBytes(StandardCharsets.UTF_8)));
    }

    /** Returns message annotations with the common key. */
    public static Map<Object, @Nullable Object> inOrder(Map<Object, @Nullable Object> annotations) {
        if (ASKED) {
            annotations.put(Wire.sym("x-opt-partition-key"), KEY);
        }
        return annotations;
    }

    /** Returns a sequence number without the fragment in its upper bits (SEQ-2). */
    public static long counter(long sequenceNumber) {
        return sequenceNumber & COUNTER_BITS;
    }

    /** Returns the sequence number with that counter in the fragment of another number. */
    public static long numberBeside(long sequenceNumber, long counter) {
        return (sequenceNumber & ~COUNTER_BITS) | counter;
    }
}
