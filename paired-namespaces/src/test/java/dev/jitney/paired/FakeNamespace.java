package dev.jitney.paired;

import com.azure.core.amqp.AmqpRetryOptions;
import com.azure.core.amqp.models.AmqpAnnotatedMessage;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.administration.models.CreateQueueOptions;
import dev.jitney.paired.internal.message.Pings;
import dev.jitney.paired.internal.transport.Inlet;
import dev.jitney.paired.internal.transport.NamespaceTransport;
import dev.jitney.paired.internal.transport.Outlet;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/**
 * A fake namespace in memory, on a {@link ManualClock}: queues under peek-lock, receives that wait on the clock, and failures
 * that tests inject. It records every call, such as {@code send orders}, and meters operations by MET-1. A topic works like a
 * queue here. Thread-safe.
 */
final class FakeNamespace implements NamespaceTransport {
    private static final Duration LOCK = Duration.ofMinutes(1);

    final String name;
    final ManualClock clock;
    private final Map<String, FakeQueue> queues = new LinkedHashMap<>();
    private final Map<String, Supplier<? extends Throwable>> failures = new HashMap<>();
    private final Map<String, List<MonoSink<Void>>> held = new HashMap<>();
    private final Map<String, Integer> metered = new HashMap<>();
    private final List<String> calls = new ArrayList<>();
    private final List<FakeInlet> inlets = new ArrayList<>();
    private Supplier<? extends Throwable> outage;
    private long sequenceNumber;
    private int openOutlets;
    private int closings;
    Duration operationTimeout = Duration.ofMinutes(1);

    FakeNamespace(String name, ManualClock clock) {
        this.name = name;
        this.clock = clock;
    }

    /** Creates a queue or topic. */
    synchronized FakeQueue with(String path) {
        return with(path, LOCK);
    }

    synchronized FakeQueue with(String path, Duration lockDuration) {
        FakeQueue queue = new FakeQueue(path, null, lockDuration);
        queues.put(key(path), queue);
        return queue;
    }

    synchronized FakeQueue queue(String path) {
        return queues.get(key(path));
    }

    synchronized void delete(String path) {
        queues.remove(key(path));
    }

    synchronized List<FakeQueue> queues() {
        return List.copyOf(queues.values());
    }

    /** Makes every call fail from now on. */
    synchronized void fail(Supplier<? extends Throwable> failure) {
        outage = failure;
    }

    /**
     * Makes a call fail from now on.
     *
     * @param call as it is recorded: {@code send}, {@code ping}, {@code batch}, {@code schedule}, {@code cancel},
     *        {@code transaction}, {@code receive}, {@code complete}, {@code deadLetter}, {@code abandon}, {@code exists} or
     *        {@code create}, and the path
     */
    synchronized void fail(String call, Supplier<? extends Throwable> failure) {
        failures.put(key(call), failure);
    }

    synchronized void heal() {
        outage = null;
        failures.clear();
    }

    synchronized void heal(String call) {
        failures.remove(key(call));
    }

    /** Makes a call wait from now on, as if the network had lost it. */
    synchronized void hold(String call) {
        held.put(key(call), new ArrayList<>());
    }

    /** Ends all waiting calls, with success if the failure is null. Later calls do not wait. */
    void release(String call, Throwable failure) {
        List<MonoSink<Void>> waiting;
        synchronized (this) {
            waiting = held.remove(key(call));
        }
        for (MonoSink<Void> sink : waiting) {
            if (failure == null) {
                sink.success();
            } else {
                sink.error(failure);
            }
        }
    }

    synchronized int holds(String call) {
        return held.get(key(call)).size();
    }

    /** Returns all calls so far, in order. */
    synchronized List<String> calls() {
        return List.copyOf(calls);
    }

    synchronized void forgetCalls() {
        calls.clear();
        metered.clear();
    }

    synchronized long count(String call) {
        return calls.stream().filter(call::equalsIgnoreCase).count();
    }

    /** Returns the operations by MET-1: one per message sent, per message delivered, and per receive that ended empty. */
    synchronized int operations(String path) {
        return metered.getOrDefault(key(path), 0);
    }

    synchronized int operations() {
        return metered.values().stream().mapToInt(Integer::intValue).sum();
    }

    synchronized int openOutlets() {
        return openOutlets;
    }

    synchronized int openInlets() {
        return (int) inlets.stream().filter(inlet -> !inlet.isClosed()).count();
    }

    synchronized int closings() {
        return closings;
    }

    synchronized void opened(int change) {
        openOutlets += change;
    }

    synchronized void meter(String path, int operations) {
        metered.merge(key(path), operations, Integer::sum);
    }

    /** Records a call, and fails or waits if a test requested it. Otherwise runs the call. */
    Mono<Void> call(String operation, String path, Runnable happens) {
        return Mono.create(sink -> {
            String call = operation + " " + path;
            Throwable failure;
            synchronized (this) {
                calls.add(call);
                List<MonoSink<Void>> waiting = held.get(key(call));
                if (waiting != null) {
                    waiting.add(sink);
                    sink.onCancel(() -> forget(waiting, sink));
                    return;
                }
                failure = failure(call);
            }
            if (failure != null) {
                sink.error(failure);
                return;
            }
            try {
                happens.run();
            } catch (RuntimeException e) {
                sink.error(e);
                return;
            }
            sink.success();
        });
    }

    private synchronized void forget(List<MonoSink<Void>> waiting, MonoSink<Void> sink) {
        waiting.remove(sink);
    }

    private Throwable failure(String call) {
        Supplier<? extends Throwable> given = failures.getOrDefault(key(call), outage);
        return given == null ? null : given.get();
    }

    /** Stores a message, unless it is a ping. */
    void store(String path, AmqpAnnotatedMessage message) {
        synchronized (this) {
            FakeQueue queue = queues.get(key(path));
            if (queue == null) {
                throw SdkErrors.notFound();
            }
            if (Sizes.of(message) > queue.messageBytesMax) {
                throw SdkErrors.tooLarge();
            }
            meter(path, 1);
            if (!isPing(message)) {
                queue.add(message, ++sequenceNumber, clock.now());
            }
        }
        wake(path);
    }

    static boolean isPing(AmqpAnnotatedMessage message) {
        return Pings.CONTENT_TYPE.equalsIgnoreCase(message.getProperties().getContentType());
    }

    /** Delivers available messages to waiting receives. */
    void wake(String path) {
        List<FakeInlet> waiting;
        synchronized (this) {
            waiting = inlets.stream().filter(inlet -> inlet.isOf(path)).toList();
        }
        waiting.forEach(FakeInlet::look);
    }

    @Override
    public String address() {
        return name + ".servicebus.example";
    }

    @Override
    public String namespaceName() {
        return name;
    }

    @Override
    public Duration operationTimeout() {
        return operationTimeout;
    }

    @Override
    public Outlet outlet(String path) {
        return new FakeOutlet(this, path);
    }

    @Override
    public Outlet outletOfPrimary(String path, AmqpRetryOptions asked) {
        return new FakeOutlet(this, path);
    }

    @Override
    public Outlet outletWithoutRetries(String path, Duration timeout) {
        return new FakeOutlet(this, path);
    }

    @Override
    public synchronized Inlet inlet(String queue, int prefetch, Supplier<Instant> now) {
        FakeInlet inlet = new FakeInlet(this, queue);
        inlets.add(inlet);
        return inlet;
    }

    @Override
    public Mono<Boolean> queueExists(String queue) {
        return call("exists", queue, () -> {}).then(Mono.fromSupplier(() -> queue(queue) != null));
    }

    @Override
    public Mono<Void> createQueue(String queue, CreateQueueOptions description) {
        return call("create", queue, () -> {
            synchronized (this) {
                queues.putIfAbsent(key(queue), new FakeQueue(queue, description, description.getLockDuration()));
            }
        });
    }

    @Override
    public synchronized void close() {
        closings++;
    }

    private static String key(String text) {
        return text.toLowerCase(Locale.ROOT);
    }

    /** The size of messages here: body, names and values of application properties, session id, and a fixed overhead. */
    static final class Sizes {
        private Sizes() {}

        static int of(AmqpAnnotatedMessage message) {
            int bytes = 20;
            String sessionId = message.getProperties().getGroupId();
            bytes += sessionId == null ? 0 : sessionId.length();
            for (Map.Entry<String, Object> property :
                    message.getApplicationProperties().entrySet()) {
                bytes += property.getKey().length()
                        + property.getValue().toString().length();
            }
            for (byte[] section : message.getBody().getData()) {
                bytes += section.length;
            }
            return bytes;
        }

        static int of(ServiceBusMessage message) {
            return of(message.getRawAmqpMessage());
        }
    }
}
