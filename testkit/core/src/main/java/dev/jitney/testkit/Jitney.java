package dev.jitney.testkit;

import dev.jitney.testkit.BrokerHttp.Request;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A namespace of a running broker, as a test uses it. It shares its broker with other namespaces, and nothing else: no
 * entity, message or key. Any thread may call the methods.
 */
public final class Jitney implements AutoCloseable {
    private static final Duration IDLE_PATIENCE = Duration.ofSeconds(10);

    private final NamespaceAccess access;
    private final String connectionString;
    private final BrokerClock clock;
    private final Faults faults;
    private boolean closed;

    private Jitney(NamespaceAccess access, String connectionString, BrokerClock clock) {
        this.access = access;
        this.connectionString = connectionString;
        this.clock = clock;
        this.faults = new Faults(access);
    }

    static Jitney create(BrokerHttp http, BrokerClock clock, @Nullable String name, NamespaceDefinition definition) {
        Map<String, Object> body = new LinkedHashMap<>();
        if (name != null) {
            body.put("name", name);
        }
        body.put("config", definition.toJson());
        JsonObject made = http.send(new Request("newNamespace()", "POST", "/$test/namespaces", null, body));
        String keyName = made.text("keyName");
        String key = made.text("key");
        NamespaceAccess access = new NamespaceAccess(http, made.text("name"), keyName, key);
        return new Jitney(access, http.connectionString(keyName, key), clock);
    }

    /** Returns the name of the namespace. */
    public String name() {
        return access.name();
    }

    /** Returns the connection string for the SDK, with a key that has all rights. */
    public String connectionString() {
        return connectionString;
    }

    /** Returns a queue. It need not exist yet. */
    public JitneyQueue queue(String name) {
        return new JitneyQueue(access, name);
    }

    /** Returns a topic. It need not exist yet. */
    public JitneyTopic topic(String name) {
        return new JitneyTopic(access, name);
    }

    /** Returns a subscription of a topic. It need not exist yet. */
    public JitneySubscription subscription(String topic, String name) {
        return topic(topic).subscription(name);
    }

    /** Returns the message time, which all namespaces of the broker share. */
    public BrokerClock clock() {
        return clock;
    }

    /** Returns the faults that a test can cause. */
    public Faults faults() {
        return faults;
    }

    /**
     * Waits until the namespace is idle: nothing is due, nothing is on its way, and no receiver holds a message. A message without a
     * receiver is not on its way: to wait for an application that may not have connected yet, use
     * {@link ReceivableEntity#awaitEmpty()}. Waits for 10 seconds at most.
     *
     * @throws AssertionError if it is not idle in time; the message has the reasons
     */
    public void awaitIdle() {
        awaitIdle(IDLE_PATIENCE);
    }

    /**
     * Waits until the namespace is idle.
     *
     * @param timeout the time of the machine to wait at most
     * @throws AssertionError if it is not idle in time; the message has the reasons
     */
    public void awaitIdle(Duration timeout) {
        JsonObject answer = access.test("awaitIdle()", "idle", Map.of("timeoutMs", timeout.toMillis()), timeout);
        if (!answer.flag("idle")) {
            throw new AssertionError("Expected the namespace '" + name() + "' to be idle within " + timeout.toMillis()
                    + " ms, but it is not: " + String.join(" ", answer.texts("reasons")));
        }
    }

    /**
     * Deletes all messages, the history of duplicate detection, the states of sessions, and all locks. Entities, rules and connected
     * receivers stay. Stores that this namespace has made unavailable are available again before, with {@link Faults#storeUp}.
     *
     * @return the number of messages that were deleted
     */
    public long reset() {
        faults.restore();
        access.forgetSent();
        return access.test("reset()", "reset", Map.of(), Duration.ZERO).number("messages");
    }

    /** Returns the last events of the namespace, the oldest first. The broker keeps 50,000 events of all its namespaces together. */
    public List<HistoryEvent> history() {
        return access.history("history()", null).events();
    }

    /** Returns the port for HTTP on this machine: the operator API, messages over HTTP, and the web console. */
    public int httpPort() {
        return access.http().port();
    }

    /** Returns the port for AMQP on this machine. */
    public int amqpPort() {
        return access.http().port();
    }

    /** Deletes the namespace with its messages. A second call does nothing. */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            faults.restore();
            access.http()
                    .send(new Request(
                            "close()", "DELETE", "/$test/namespaces/" + NamespaceAccess.encoded(name()), null, null));
        }
    }

    @Override
    public String toString() {
        return "Jitney[" + name() + ", port " + amqpPort() + "]";
    }
}
