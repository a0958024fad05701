package dev.jitney.paired;

import com.azure.messaging.servicebus.ServiceBusMessage;
import dev.jitney.paired.internal.failure.Results;
import dev.jitney.paired.internal.message.Pings;
import dev.jitney.paired.internal.transport.NamespaceTransport;
import dev.jitney.paired.internal.transport.Outlet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

/**
 * A namespace and its senders. Thread-safe; close it at the end.
 *
 * <pre>{@code
 * MessagingFactory primary = MessagingFactory.create(primaryConnectionString);
 * MessagingFactory secondary = MessagingFactory.create(secondaryConnectionString);
 * primary.pairNamespace(SendAvailabilityPairedNamespaceOptions.builder(secondary).enableSyphon(true).build());
 * MessageSender sender = primary.createMessageSender("orders");
 * sender.send(new ServiceBusMessage("..."));
 * }</pre>
 */
public final class MessagingFactory implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(MessagingFactory.class);

    private final NamespaceTransport transport;
    private final PairingClock clock;
    private final boolean ownsClock;
    private final RandomGenerator random;
    private final List<PathStateListener> listeners;

    private final Set<MessageSender> senders = new HashSet<>();
    private final Map<String, PathMonitor> monitors = new HashMap<>();
    private final List<Runnable> endListeners = new ArrayList<>();
    private FactoryState state = FactoryState.OPEN;
    private @Nullable Throwable cause;
    private Role role = Role.UNPAIRED;
    private @Nullable Pairing pairing;
    private @Nullable Syphon syphon;

    MessagingFactory(
            NamespaceTransport transport,
            @Nullable PairingClock clock,
            RandomGenerator random,
            List<PathStateListener> listeners) {
        this.transport = transport;
        this.ownsClock = clock == null;
        this.clock = clock == null ? new SystemClock("jitney-paired-" + transport.namespaceName()) : clock;
        this.random = random;
        this.listeners = List.copyOf(listeners);
    }

    /**
     * Creates a factory for the namespace of a connection string. It connects on first use.
     *
     * @throws IllegalArgumentException if the connection string names no namespace
     */
    public static MessagingFactory create(String connectionString) {
        return builder().connectionString(connectionString).build();
    }

    public static MessagingFactoryBuilder builder() {
        return new MessagingFactoryBuilder();
    }

    /**
     * Pairs this namespace, as the primary, with a secondary one, and waits for the result: up to two minutes if the secondary
     * is hard to reach (PAIR-4). Afterwards {@link #backlogQueueCount()} returns the number of backlog queues.
     *
     * @throws IllegalArgumentException if both factories are for the same namespace (PAIR-3)
     * @throws IllegalStateException if one of them is closed, paired already, or the secondary of another (PAIR-3)
     * @throws SendAvailabilityBacklogException if no backlog queue could be looked up or created (PAIR-5)
     * @throws com.azure.core.exception.AzureException if the right Manage on the secondary is missing (PAIR-5)
     */
    public void pairNamespace(SendAvailabilityPairedNamespaceOptions options) {
        Results.join(pairNamespaceAsync(options));
    }

    /** Pairs like {@link #pairNamespace} without waiting. The stage fails with the same exceptions. */
    public CompletionStage<Void> pairNamespaceAsync(SendAvailabilityPairedNamespaceOptions options) {
        MessagingFactory secondary = options.secondary();
        return Results.future(Mono.defer(() -> {
            claimRoles(secondary);
            Mono<Void> paired = new BacklogQueues(secondary.transport, clock)
                    .lookUpOrCreate(transport.namespaceName(), options.backlogQueueCount())
                    .doOnNext(queues -> pairedWith(options, queues))
                    .then();
            return Mono.firstWithSignal(paired, ended(), secondary.ended()).doOnError(failure -> {
                leaveRole();
                secondary.leaveRole();
            });
        }));
    }

    private void claimRoles(MessagingFactory secondary) {
        if (secondary == this || secondary.transport.address().equals(transport.address())) {
            throw new IllegalArgumentException(
                    "Expected two namespaces, but primary and secondary are both " + transport.address() + ".");
        }
        secondary.requireOpen();
        take(Role.PRIMARY);
        try {
            secondary.take(Role.SECONDARY);
        } catch (RuntimeException e) {
            leaveRole();
            throw e;
        }
    }

    private synchronized void take(Role next) {
        requireOpen();
        if (role != Role.UNPAIRED) {
            throw new IllegalStateException("Expected a factory that is not paired, but " + transport.address()
                    + " is the " + role.name().toLowerCase(Locale.ROOT) + " of a pair.");
        }
        role = next;
    }

    private synchronized void leaveRole() {
        role = Role.UNPAIRED;
        pairing = null;
    }

    /** Fails when this factory ends, so that no operation waits for its clock any longer. */
    private Mono<Void> ended() {
        return Mono.create(sink -> {
            Runnable listener = () -> {
                try {
                    requireOpen();
                } catch (RuntimeException e) {
                    sink.error(e);
                }
            };
            sink.onDispose(() -> forget(listener));
            whenEnded(listener);
        });
    }

    private void pairedWith(SendAvailabilityPairedNamespaceOptions options, List<String> queues) {
        synchronized (this) {
            requireOpen();
            pairing = new Pairing(options, new BacklogRotation(queues, options.pingPrimaryInterval(), clock, random));
        }
        if (options.enableSyphon()) {
            Syphon started = Syphon.start(this, options);
            synchronized (this) {
                syphon = started;
            }
        }
    }

    /**
     * Creates a sender to a queue or a topic. It takes part in the pairing, even if the pairing follows later.
     *
     * @throws IllegalStateException if the factory is closed
     */
    public MessageSender createMessageSender(String path) {
        String trimmed = path.strip();
        if (trimmed.isEmpty()) {
            throw new IllegalArgumentException("Expected the path of a queue or topic, but it is empty.");
        }
        synchronized (this) {
            requireOpen();
            MessageSender sender = new MessageSender(this, trimmed, transport.outlet(trimmed));
            senders.add(sender);
            return sender;
        }
    }

    synchronized void forget(MessageSender sender) {
        senders.remove(sender);
    }

    private synchronized void forget(Runnable endListener) {
        endListeners.remove(endListener);
    }

    /** Returns the number of usable backlog queues, 0 while the factory is not paired. */
    public synchronized int backlogQueueCount() {
        return pairing == null ? 0 : pairing.rotation().count();
    }

    /** Returns the state of a queue or topic. Paths compare without case. */
    public PathState state(String path) {
        PathMonitor monitor;
        synchronized (this) {
            if (state != FactoryState.OPEN) {
                return PathState.CLOSED;
            }
            monitor = monitors.get(key(path));
        }
        return monitor == null ? PathState.HEALTHY : monitor.state();
    }

    /** Makes senders of a path use the primary immediately, without waiting for a ping. */
    public void markPathHealthy(String path) {
        PathMonitor monitor;
        synchronized (this) {
            requireOpen();
            monitor = monitors.get(key(path));
        }
        if (monitor != null) {
            monitor.markHealthy();
        }
    }

    /** Returns the syphon of this process, or null if the options did not enable it. */
    public synchronized @Nullable Syphon syphon() {
        return syphon;
    }

    public synchronized FactoryState state() {
        return state;
    }

    /** Returns the monitor of a path, or null while the factory is not paired. */
    @Nullable
    PathMonitor monitor(String path) {
        synchronized (this) {
            requireOpen();
            Pairing current = pairing;
            return current == null
                    ? null
                    : monitors.computeIfAbsent(
                            key(path),
                            any -> new PathMonitor(
                                    path, current.pathSettings(), clock, () -> ping(path, current), this::tell));
        }
    }

    /** Sends a ping on a new connection, because an existing one proves nothing about the primary's availability now. */
    private Mono<Void> ping(String path, Pairing current) {
        Duration timeout = current.options().pingTimeout();
        ServiceBusMessage ping = Pings.create(random);
        return Mono.using(
                () -> transport.outletWithoutRetries(path, timeout),
                outlet -> Mono.firstWithSignal(outlet.send(ping, null), elapsed(timeout)),
                Outlet::close);
    }

    private Mono<Void> elapsed(Duration timeout) {
        return Waiting.<Void>after(clock, timeout)
                .then(Mono.error(() ->
                        new TimeoutException("Expected a response to the ping within " + timeout + ", but got none.")));
    }

    /** Returns an outlet to the primary once it is paired, null before. */
    @Nullable
    Outlet pairedOutlet(String path) {
        Pairing current;
        synchronized (this) {
            requireOpen();
            current = pairing;
        }
        return current == null
                ? null
                : transport.outletOfPrimary(path, current.options().primaryRetryOptions());
    }

    synchronized BacklogSender backlogSender() {
        requireOpen();
        Pairing current = Objects.requireNonNull(pairing, "Only a paired factory fails over");
        return new BacklogSender(current.rotation(), current.options().secondary().transport, clock);
    }

    private void tell(PathStateChange change) {
        LOG.info(
                "{} of {}: {} -> {}{}",
                change.path(),
                transport.address(),
                change.from(),
                change.to(),
                change.cause() == null ? "" : " after " + change.cause());
        for (PathStateListener listener : listeners) {
            try {
                listener.stateChanged(change);
            } catch (RuntimeException e) {
                LOG.error("A listener for state changes failed", e);
            }
        }
    }

    NamespaceTransport transport() {
        return transport;
    }

    /** Returns the clock from the builder, or null. */
    @Nullable
    PairingClock givenClock() {
        return ownsClock ? null : clock;
    }

    /** Calls the listener once when this factory is closed or fails, immediately if that has happened. */
    void whenEnded(Runnable listener) {
        synchronized (this) {
            if (state == FactoryState.OPEN) {
                endListeners.add(listener);
                return;
            }
        }
        listener.run();
    }

    /**
     * @throws IllegalStateException if the factory is closed
     * @throws PairedMessagingFactoryException if the factory has failed
     */
    synchronized void requireOpen() {
        if (state == FactoryState.FAULTED) {
            throw new PairedMessagingFactoryException(
                    "The factory of " + transport.address() + " has failed: "
                            + (cause == null ? "unknown cause" : cause.getMessage()),
                    cause);
        }
        if (state == FactoryState.CLOSED) {
            throw new IllegalStateException(
                    "Expected an open factory of " + transport.address() + ", but it is closed.");
        }
    }

    /**
     * Closes this factory and all its senders. Sends in progress end or fail. If this process runs the syphon, close the
     * partner within five seconds, or it fails (PAIR-58).
     */
    @Override
    public void close() {
        end(FactoryState.CLOSED, null);
    }

    /** Ends this factory because of a failure. Every later call fails with this reason. */
    public void fault(Throwable reason) {
        end(FactoryState.FAULTED, Objects.requireNonNull(reason, "reason"));
    }

    private void end(FactoryState last, @Nullable Throwable reason) {
        List<MessageSender> open;
        List<PathMonitor> watching;
        List<Runnable> toTell;
        synchronized (this) {
            if (state != FactoryState.OPEN) {
                return;
            }
            state = last;
            cause = reason;
            open = List.copyOf(senders);
            watching = List.copyOf(monitors.values());
            toTell = List.copyOf(endListeners);
            endListeners.clear();
        }
        watching.forEach(PathMonitor::close);
        open.forEach(MessageSender::close);
        toTell.forEach(Runnable::run);
        transport.close();
        if (clock instanceof SystemClock own && ownsClock) {
            own.close();
        }
    }

    private static String key(String path) {
        return path.strip().toLowerCase(Locale.ROOT);
    }

    private enum Role {
        UNPAIRED,
        PRIMARY,
        SECONDARY
    }

    private record Pairing(SendAvailabilityPairedNamespaceOptions options, BacklogRotation rotation) {

        PathSettings pathSettings() {
            return new PathSettings(options.failoverInterval(), options.pingPrimaryInterval(), options.classifier());
        }
    }
}
