package dev.jitney.testkit;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A queue or subscription: its messages, and assertions about them. Nothing is locked or changed. If messages may be on their
 * way, call {@link Jitney#awaitIdle()} first. Any thread may call the methods.
 *
 * <p>The error of an assertion lists the messages that the entity has. If a message is missing, it says what happened to it: the
 * events of the message, and for a subscription the rules that it did not match.
 */
public abstract sealed class ReceivableEntity permits JitneyQueue, JitneySubscription {
    private static final String AVAILABLE = "active,locked";
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final long PAUSE_NS = 10_000_000;

    private final NamespaceAccess access;
    private final String path;
    private final String words;
    private final @Nullable String topic;

    ReceivableEntity(NamespaceAccess access, String path, String words, @Nullable String topic) {
        this.access = access;
        this.path = path;
        this.words = words;
        this.topic = topic;
    }

    /** Returns the path of the entity in its namespace, such as {@code drinks/Subscriptions/large}. */
    public String path() {
        return path;
    }

    /** Returns the messages that are available or locked, in order, at most the first {@value MessageReader#MESSAGES_MAX}. */
    public List<StoredMessage> messages() {
        return reader("messages()").messages(AVAILABLE);
    }

    /** Returns the scheduled messages, at most the first {@value MessageReader#MESSAGES_MAX}. */
    public List<StoredMessage> scheduled() {
        return reader("scheduled()").messages("scheduled");
    }

    /** Returns the deferred messages, at most the first {@value MessageReader#MESSAGES_MAX}. */
    public List<StoredMessage> deferred() {
        return reader("deferred()").messages("deferred");
    }

    /** Returns the messages of the dead-letter queue, at most the first {@value MessageReader#MESSAGES_MAX}. */
    public List<StoredMessage> deadLetters() {
        return reader("deadLetters()").of(MessageReader.DEAD_LETTERS).messages(AVAILABLE + ",deferred");
    }

    /** Returns the messages that could not be forwarded, at most the first {@value MessageReader#MESSAGES_MAX}. */
    public List<StoredMessage> transferDeadLetters() {
        return reader("transferDeadLetters()")
                .of(MessageReader.TRANSFER_DEAD_LETTERS)
                .messages(AVAILABLE + ",deferred");
    }

    /** Returns the numbers of messages by state. */
    public MessageCounts counts() {
        return reader("counts()").counts();
    }

    /** Returns the last events of this entity and its dead-letter queue, the oldest first. */
    public List<HistoryEvent> history() {
        return access.history(call("history()"), path).events();
    }

    /**
     * Waits until receivers have settled all messages: none is available or locked. In contrast to {@link Jitney#awaitIdle()} it also
     * waits for an application that has not connected yet. Waits for 10 seconds at most.
     *
     * @throws AssertionError if there are messages after that time
     */
    public void awaitEmpty() {
        awaitEmpty(PATIENCE);
    }

    /**
     * Waits until receivers have settled all messages.
     *
     * @param timeout the time of the machine to wait at most
     * @throws AssertionError if there are messages after that time
     */
    public void awaitEmpty(Duration timeout) {
        awaitHas(0, timeout);
    }

    /**
     * Waits until the entity has this number of messages that are available or locked. Waits for 10 seconds at most.
     *
     * @throws AssertionError if it has another number after that time
     */
    public void awaitHas(int messages) {
        awaitHas(messages, PATIENCE);
    }

    /**
     * Waits until the entity has this number of messages that are available or locked.
     *
     * @param timeout the time of the machine to wait at most
     * @throws AssertionError if it has another number after that time
     */
    public void awaitHas(int messages, Duration timeout) {
        long end = System.nanoTime() + timeout.toNanos();
        // A thread that is interrupted checks the state at once.
        while (received() != messages
                && System.nanoTime() - end < 0
                && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(PAUSE_NS);
        }
        assertHas(messages);
    }

    private long received() {
        MessageCounts now = counts();
        return now.active() - now.deferred();
    }

    /** Asserts that the entity has this number of messages that are available or locked. */
    public void assertHas(int messages) {
        long found = received();
        if (found != messages) {
            fail("Expected " + number(messages) + " in " + words + ", but it has " + found + ".", null);
        }
    }

    /** Asserts that the entity has no message that is available or locked. */
    public void assertEmpty() {
        assertHas(0);
    }

    /** Asserts that the body of a message that is available or locked contains this text. */
    public void assertContains(String text) {
        assertContains(message -> message.body().contains(text), "a message whose body contains '" + text + "'");
    }

    /** Asserts that a message that is available or locked satisfies a condition. */
    public void assertContains(Predicate<? super StoredMessage> condition) {
        assertContains(condition, "a message that satisfies the condition");
    }

    /** Asserts that a message that is available or locked has this message id. */
    public void assertContainsId(String messageId) {
        assertContains(
                message -> messageId.equals(message.messageId()), "a message with the message id '" + messageId + "'");
    }

    private void assertContains(Predicate<? super StoredMessage> condition, String what) {
        if (messages().stream().noneMatch(condition)) {
            fail("Expected " + what + " in " + words + ", but there is none.", condition);
        }
    }

    /** Asserts that the dead-letter queue of the entity is empty. */
    public void assertNoDeadLetters() {
        long found = counts().deadLetters();
        if (found != 0) {
            fail("Expected no dead letters of " + words + ", but it has " + found + ".", null);
        }
    }

    /**
     * Asserts that a message is in the dead-letter queue of the entity for a reason.
     *
     * @param reason the reason of the broker, such as {@code MaxDeliveryCountExceeded} or {@code TTLExpiredException}, or that of
     *     the application
     */
    public void assertDeadLettered(String messageId, String reason) {
        Predicate<StoredMessage> wanted = message -> messageId.equals(message.messageId());
        List<StoredMessage> found = deadLetters().stream().filter(wanted).toList();
        if (found.isEmpty()) {
            fail(
                    "Expected the message '" + messageId + "' in the dead-letter queue of " + words
                            + ", but it is not there.",
                    wanted);
        }
        if (found.stream().noneMatch(message -> Objects.equals(message.reason(), reason))) {
            fail(
                    "Expected the message '" + messageId + "' in the dead-letter queue of " + words
                            + " with the reason " + reason + ", but the reason is "
                            + found.get(0).reason() + ".",
                    null);
        }
    }

    private void fail(String sentence, @Nullable Predicate<? super StoredMessage> wanted) {
        throw new AssertionError(sentence + new Explanation(access, reader("explanation"), topic).text(wanted));
    }

    private MessageReader reader(String method) {
        return new MessageReader(access, call(method), path);
    }

    String call(String method) {
        return words + ": " + method;
    }

    NamespaceAccess access() {
        return access;
    }

    private static String number(int messages) {
        return messages == 0 ? "no message" : messages + (messages == 1 ? " message" : " messages");
    }

    @Override
    public String toString() {
        return words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1);
    }
}
