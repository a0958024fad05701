package dev.jitney.cli.message;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusClientBuilder.ServiceBusReceiverClientBuilder;
import com.azure.messaging.servicebus.ServiceBusClientBuilder.ServiceBusSessionReceiverClientBuilder;
import com.azure.messaging.servicebus.models.SubQueue;
import dev.jitney.cli.output.Failure;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The address of messages: {@code orders}, {@code events/subscriptions/billing}, and their dead-letter sub-queues, {@code
 * orders/$DeadLetterQueue} and {@code orders/$Transfer/$DeadLetterQueue}. Addresses compare without case.
 *
 * @param entity name of the queue or topic
 * @param subscription null for a queue
 */
public record EntityAddress(String entity, @Nullable String subscription, SubQueue subQueue) {
    private static final String DEAD_LETTER = "/$deadletterqueue";
    private static final String TRANSFER = "/$transfer";
    private static final String SHORT_DEAD_LETTER = "/dlq";
    private static final String SHORT_TRANSFER = "/tdlq";
    private static final String SUBSCRIPTIONS = "/subscriptions/";
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9._/-]+");

    /**
     * Parses a path that a user typed: a Service Bus path, or one with {@code /dlq} or {@code /tdlq} in place of the names that
     * a shell takes for variables.
     */
    public static EntityAddress typed(String text) {
        String path = text.strip();
        if (endsWith(path, "/") && !endsWith(path, SUBSCRIPTIONS)) {
            String whole = path.replaceFirst("/+$", "");
            throw Failure.badOption(
                    "Expected an entity such as orders, but got '" + path + "', which ends with '/'. The shell"
                            + " may have removed $DeadLetterQueue. Write "
                            + whole + (path.length() - whole.length() > 1 ? SHORT_TRANSFER : SHORT_DEAD_LETTER)
                            + ", or put the path between single quotes.");
        }
        if (endsWith(path, SHORT_TRANSFER)) {
            return shortened(path, SHORT_TRANSFER, SubQueue.TRANSFER_DEAD_LETTER_QUEUE);
        }
        return endsWith(path, SHORT_DEAD_LETTER)
                ? shortened(path, SHORT_DEAD_LETTER, SubQueue.DEAD_LETTER_QUEUE)
                : parse(path);
    }

    private static EntityAddress shortened(String path, String suffix, SubQueue subQueue) {
        EntityAddress address = parse(path.substring(0, path.length() - suffix.length()));
        if (address.subQueue != SubQueue.NONE) {
            throw Failure.badOption(
                    "Expected one sub-queue such as orders/dlq, but got '" + path + "', which names two.");
        }
        return address.in(subQueue);
    }

    /** Parses a Service Bus path. */
    public static EntityAddress parse(String path) {
        String rest = path.strip();
        SubQueue subQueue = SubQueue.NONE;
        if (endsWith(rest, DEAD_LETTER)) {
            rest = rest.substring(0, rest.length() - DEAD_LETTER.length());
            subQueue = SubQueue.DEAD_LETTER_QUEUE;
            if (endsWith(rest, TRANSFER)) {
                rest = rest.substring(0, rest.length() - TRANSFER.length());
                subQueue = SubQueue.TRANSFER_DEAD_LETTER_QUEUE;
            }
        }
        int slash = rest.toLowerCase(Locale.ROOT).lastIndexOf(SUBSCRIPTIONS);
        String entity = slash < 0 ? rest : rest.substring(0, slash);
        String subscription = slash < 0 ? null : rest.substring(slash + SUBSCRIPTIONS.length());
        if (entity.isEmpty() || subscription != null && (subscription.isEmpty() || subscription.contains("/"))) {
            throw Failure.badOption("Expected an entity such as orders, events/subscriptions/billing or"
                    + " orders/dlq, but got '" + path + "'.");
        }
        return new EntityAddress(entity, subscription, subQueue);
    }

    private static boolean endsWith(String path, String suffix) {
        return path.toLowerCase(Locale.ROOT).endsWith(suffix);
    }

    /** Returns the path for a command line, in the form that {@link #typed} parses, without characters that a shell replaces. */
    public String forShell() {
        String path = in(SubQueue.NONE).toString();
        String whole = switch (subQueue) {
            case NONE -> path;
            case DEAD_LETTER_QUEUE -> path + SHORT_DEAD_LETTER;
            case TRANSFER_DEAD_LETTER_QUEUE -> path + SHORT_TRANSFER;
        };
        return PLAIN.matcher(whole).matches() ? whole : "'" + whole.replace("'", "'\\''") + "'";
    }

    /** Returns the address of another sub-queue of the same entity. */
    public EntityAddress in(SubQueue another) {
        return new EntityAddress(entity, subscription, another);
    }

    /** Returns whether a sender may attach here. */
    public boolean sendable() {
        return subscription == null && subQueue == SubQueue.NONE;
    }

    /** Returns a receiver builder. The caller sets the receive mode. */
    ServiceBusReceiverClientBuilder receiver(ServiceBusClientBuilder builder) {
        ServiceBusReceiverClientBuilder receiver =
                builder.receiver().disableAutoComplete().subQueue(subQueue);
        return subscription == null
                ? receiver.queueName(entity)
                : receiver.topicName(entity).subscriptionName(subscription);
    }

    /** Returns a receiver builder for its sessions. */
    ServiceBusSessionReceiverClientBuilder sessionReceiver(ServiceBusClientBuilder builder) {
        ServiceBusSessionReceiverClientBuilder receiver =
                builder.sessionReceiver().disableAutoComplete().subQueue(subQueue);
        return subscription == null
                ? receiver.queueName(entity)
                : receiver.topicName(entity).subscriptionName(subscription);
    }

    /** Returns the path in the form that {@link #parse} accepts. */
    @Override
    public String toString() {
        String path = subscription == null ? entity : entity + SUBSCRIPTIONS + subscription;
        return switch (subQueue) {
            case NONE -> path;
            case DEAD_LETTER_QUEUE -> path + "/$DeadLetterQueue";
            case TRANSFER_DEAD_LETTER_QUEUE -> path + "/$Transfer/$DeadLetterQueue";
        };
    }
}
