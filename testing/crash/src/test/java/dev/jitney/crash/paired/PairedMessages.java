package dev.jitney.crash.paired;

import com.azure.core.amqp.models.AmqpAnnotatedMessage;
import com.azure.core.amqp.models.AmqpMessageBody;
import com.azure.core.amqp.models.AmqpMessageBodyType;
import com.azure.core.amqp.models.AmqpMessageProperties;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;

/** Messages of every kind, created by number. An arrived message is compared with a new message of the same number. */
final class PairedMessages {
    private static final String ID = "-";
    private static final int SESSIONS = 7;
    private static final long LATEST_MS = 1_500;

    private final Instant begin;
    private final String entity;
    private final boolean sessions;

    /** @param begin the base of scheduled times, which are a little later */
    PairedMessages(String entity, boolean sessions, Instant begin) {
        this.entity = entity;
        this.sessions = sessions;
        this.begin = begin.truncatedTo(ChronoUnit.MILLIS);
    }

    /** Returns the number of a message of this entity. */
    static int number(ServiceBusReceivedMessage message) {
        String id = message.getMessageId();
        return Integer.parseInt(id.substring(id.lastIndexOf(ID) + 1));
    }

    /** Returns the message with a number, which is always the same. */
    ServiceBusMessage create(int number) {
        Random random = new Random(number * 31L + entity.hashCode());
        ServiceBusMessage message = new ServiceBusMessage(body(number, random))
                .setMessageId(entity + ID + number)
                .setCorrelationId("correlation " + number)
                .setSubject(number % 2 == 0 ? null : "subject " + number)
                .setReplyTo(number % 3 == 0 ? "answers" : null)
                .setReplyToSessionId(number % 3 == 0 ? "answer " + number : null)
                .setTo(number % 5 == 0 ? "somewhere" : null)
                .setContentType("application/x-test");
        if (sessions) {
            message.setSessionId("session " + number % SESSIONS);
        }
        if (number % 4 == 1) {
            message.setPartitionKey(sessions ? message.getSessionId() : "key " + number % 11);
        }
        if (number % 3 == 1) {
            message.setTimeToLive(Duration.ofDays(1 + number % 30).plusMillis(number));
        }
        if (number % 6 == 2) {
            message.setScheduledEnqueueTime(
                    begin.plusMillis(random.nextLong(LATEST_MS)).atOffset(ZoneOffset.UTC));
        }
        message.getApplicationProperties().putAll(properties(number, random));
        message.getRawAmqpMessage().getHeader().setPriority((short) (number % 10));
        return message;
    }

    private static AmqpMessageBody body(int number, Random random) {
        byte[] bytes = new byte[number % 50 == 0 ? 100_000 : random.nextInt(600)];
        random.nextBytes(bytes);
        return switch (number % 8) {
            case 5 -> AmqpMessageBody.fromValue("a text of " + number);
            case 6 -> AmqpMessageBody.fromSequence(List.of("one", number, 3L, true));
            default -> AmqpMessageBody.fromData(bytes);
        };
    }

    private static Map<String, Object> properties(int number, Random random) {
        Map<String, Object> properties = new LinkedHashMap<>();
        properties.put("string", "text \u00e4\u00f6\u00fc " + number);
        properties.put("int", number);
        properties.put("long", random.nextLong());
        properties.put("short", (short) number);
        properties.put("byte", (byte) number);
        properties.put("float", random.nextFloat());
        properties.put("double", random.nextDouble());
        properties.put("boolean", number % 2 == 0);
        properties.put("char", 'x');
        properties.put("uuid", new UUID(random.nextLong(), number));
        properties.put("timestamp", new Date(1_700_000_000_000L + number));
        properties.put("time", OffsetDateTime.of(2026, 11, 22, 1, 2, 3, number % 1_000 * 1_000_000, ZoneOffset.UTC));
        properties.put("duration", Duration.ofMillis(number).plusNanos(100));
        properties.put("uri", URI.create("https://example.org/" + number));
        return properties;
    }

    /** Returns the differences between an arrived message and the sent one. */
    List<String> differences(ServiceBusReceivedMessage arrived) {
        ServiceBusMessage sent = create(number(arrived));
        List<String> found = new ArrayList<>();
        compare(found, "body", text(sent.getRawAmqpMessage()), text(arrived.getRawAmqpMessage()));
        compare(found, "session id", sent.getSessionId(), arrived.getSessionId());
        compare(found, "partition key", sent.getPartitionKey(), arrived.getPartitionKey());
        compare(
                found,
                "scheduled time",
                instant(sent.getScheduledEnqueueTime()),
                instant(arrived.getScheduledEnqueueTime()));
        compare(
                found,
                "application properties",
                comparable(sent.getApplicationProperties()),
                comparable(arrived.getApplicationProperties()));
        if (sent.getTimeToLive() != null) {
            compare(found, "time to live", sent.getTimeToLive(), arrived.getTimeToLive());
        }
        AmqpMessageProperties before = sent.getRawAmqpMessage().getProperties();
        AmqpMessageProperties after = arrived.getRawAmqpMessage().getProperties();
        compare(found, "message id", String.valueOf(before.getMessageId()), String.valueOf(after.getMessageId()));
        compare(
                found,
                "correlation id",
                String.valueOf(before.getCorrelationId()),
                String.valueOf(after.getCorrelationId()));
        compare(found, "subject", before.getSubject(), after.getSubject());
        compare(found, "to", String.valueOf(before.getTo()), String.valueOf(after.getTo()));
        compare(found, "reply-to", String.valueOf(before.getReplyTo()), String.valueOf(after.getReplyTo()));
        compare(found, "reply-to session", before.getReplyToGroupId(), after.getReplyToGroupId());
        compare(found, "content type", before.getContentType(), after.getContentType());
        compare(
                found,
                "priority",
                sent.getRawAmqpMessage().getHeader().getPriority(),
                arrived.getRawAmqpMessage().getHeader().getPriority());
        return found;
    }

    private static void compare(List<String> found, String what, Object sent, Object arrived) {
        if (!Objects.equals(sent, arrived)) {
            found.add("expected " + what + " " + sent + ", but got " + arrived);
        }
    }

    private static Object text(AmqpAnnotatedMessage message) {
        AmqpMessageBody body = message.getBody();
        return body.getBodyType() == AmqpMessageBodyType.DATA
                ? Base64.getEncoder().encodeToString(body.getFirstData())
                : body.getBodyType() == AmqpMessageBodyType.VALUE ? body.getValue() : body.getSequence();
    }

    private static Instant instant(OffsetDateTime time) {
        return time == null ? null : time.toInstant();
    }

    /** Converts properties for comparison, because some types of time are read as other types of the same instant. */
    private static Map<String, String> comparable(Map<String, Object> properties) {
        Map<String, String> all = new TreeMap<>();
        properties.forEach((name, value) -> all.put(name, value.getClass().getSimpleName() + " " + value));
        return all;
    }
}
