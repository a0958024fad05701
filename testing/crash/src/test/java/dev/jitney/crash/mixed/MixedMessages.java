package dev.jitney.crash.mixed;

import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;

/** The messages of one sender, created by number. An arrived message is compared with a new message of the same number. */
final class MixedMessages {
    private static final char ID = ':';
    private static final int BODY_BYTES_MAX = 1_500;
    private static final int LARGE_BODY_BYTES = 60_000;
    private static final int LARGE_EVERY = 400;
    private static final int KEYS = 11;
    private static final List<String> COLOURS = List.of("red", "green", "blue");

    private final String sender;
    private final boolean keys;

    /** @param keys whether some messages have partition keys */
    MixedMessages(String sender, boolean keys) {
        this.sender = sender;
        this.keys = keys;
    }

    static String colour(int number) {
        return COLOURS.get(number % COLOURS.size());
    }

    /** Returns the number of a message of this sender; -1 for messages of other senders. */
    int number(ServiceBusReceivedMessage message) {
        String id = String.valueOf(message.getMessageId());
        String prefix = sender + ID;
        return id.startsWith(prefix) ? Integer.parseInt(id.substring(prefix.length())) : -1;
    }

    /**
     * Returns the message with a number, which is always the same.
     *
     * @param together the number of the first message in the same send call; all of them share a key
     */
    ServiceBusMessage create(int number, int together) {
        ServiceBusMessage message = new ServiceBusMessage(body(number)).setMessageId(sender + ID + number);
        message.getApplicationProperties().putAll(properties(number, together));
        if (keys && together % 2 == 0) {
            message.setPartitionKey(key(together));
        }
        return message;
    }

    /** Returns the number of the first message in the same send call; -1 if it is not in the message. */
    static int together(ServiceBusReceivedMessage message) {
        return message.getApplicationProperties().get("together") instanceof Integer first ? first : -1;
    }

    private static String key(int together) {
        return "key " + together % KEYS;
    }

    private byte[] body(int number) {
        Random random = new Random(number * 31L + sender.hashCode());
        byte[] body = new byte[number % LARGE_EVERY == 1 ? LARGE_BODY_BYTES : random.nextInt(BODY_BYTES_MAX)];
        random.nextBytes(body);
        return body;
    }

    private static Map<String, Object> properties(int number, int together) {
        return Map.of("number", number, "together", together, "colour", colour(number), "text", "äöü " + number);
    }

    /** Returns the differences between an arrived message and the sent one. */
    List<String> differences(ServiceBusReceivedMessage arrived) {
        List<String> found = new ArrayList<>();
        int number = number(arrived);
        if (!Arrays.equals(body(number), arrived.getBody().toBytes())) {
            found.add("has another body");
        }
        Map<String, Object> properties = new TreeMap<>(arrived.getApplicationProperties());
        // Dead-lettering adds these properties (DLQ-8).
        properties.keySet().removeIf(name -> name.startsWith("DeadLetter"));
        int together = together(arrived);
        if (!properties.equals(properties(number, together))) {
            found.add("has the properties " + properties);
        }
        String key = keys && together % 2 == 0 ? key(together) : null;
        if (!Objects.equals(key, arrived.getPartitionKey())) {
            found.add("has the partition key " + arrived.getPartitionKey());
        }
        if (arrived.getScheduledEnqueueTime() != null
                && arrived.getEnqueuedTime().isBefore(arrived.getScheduledEnqueueTime())) {
            found.add("was enqueued at " + arrived.getEnqueuedTime() + ", before its scheduled time "
                    + arrived.getScheduledEnqueueTime());
        }
        return found;
    }
}
