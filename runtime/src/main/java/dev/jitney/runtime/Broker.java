package dev.jitney.runtime;

import dev.jitney.model.AccessRule;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.Rejection;
import dev.jitney.model.TierProfile;
import dev.jitney.runtime.store.FormatLevels;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The namespaces, stores and clock of one server process. Any thread may call it. */
public abstract class Broker implements AutoCloseable {

    /** The largest number of namespaces that a broker serves, which is also the limit of a configuration. */
    public static final int NAMESPACES_MAX = 100;

    /** The time within which {@link #atOneMoment} succeeds or fails, in seconds. */
    public static final int MOMENT_SECONDS = 30;

    /** For subclasses that serve namespaces. */
    protected Broker() {}

    /** Returns all served namespaces, the first configured one first. */
    public abstract List<Namespace> namespaces();

    /**
     * Returns the namespace that a client addresses by host name. The first label of {@code hostname} is compared
     * with the names of the namespaces, without case and without a port. Returns the first namespace for any other
     * host name and for null.
     */
    public Namespace namespace(@Nullable String hostname) {
        Namespace named = namespaceNamed(hostname);
        return named == null ? namespaces().get(0) : named;
    }

    /**
     * Returns the namespace whose name is the first label of a host name, compared as in {@link #namespace}.
     *
     * @return null if no namespace has that name, for example for {@code localhost} or an IP address
     */
    public @Nullable Namespace namespaceNamed(@Nullable String hostname) {
        if (hostname == null) {
            return null;
        }
        int end = 0;
        while (end < hostname.length() && hostname.charAt(end) != '.' && hostname.charAt(end) != ':') {
            end++;
        }
        String label = hostname.substring(0, end);
        for (Namespace namespace : namespaces()) {
            if (namespace.name().equalsIgnoreCase(label)) {
                return namespace;
            }
        }
        return null;
    }

    /**
     * Returns the namespace of a client whose host name contains no namespace. That is the only namespace that has a
     * shared access rule with the client's key name, either of its own or of one of its entities. If no namespace or
     * more than one has such a rule, it is the first namespace. The result proves nothing: check the key or the
     * signature against the rules of the returned namespace.
     *
     * @param keyName the name of the key as the client wrote it, compared without case; a '+' stands for itself or
     *                for a blank; null for none
     */
    public Namespace namespaceOfKey(@Nullable String keyName) {
        List<Namespace> all = namespaces();
        if (keyName == null || all.size() == 1) {
            return all.get(0);
        }
        String withBlanks = keyName.replace('+', ' '); // as some clients write them
        Namespace found = null;
        for (Namespace namespace : all) {
            if (namespace.hasRuleNamed(keyName)
                    || (!withBlanks.equals(keyName) && namespace.hasRuleNamed(withBlanks))) {
                if (found != null) {
                    return all.get(0);
                }
                found = namespace;
            }
        }
        return found == null ? all.get(0) : found;
    }

    /**
     * Creates a namespace at run time. The namespace survives restarts.
     *
     * @param name  1 to 50 letters, digits or '-', with a letter or digit at both ends; not {@code localhost}, not
     *              only digits
     * @param rules at least one of them with the Manage right; no other namespace may have a rule with one of these
     *              names
     * @return completes when the namespace is durable and served, or fails with {@link BrokerException}
     */
    public CompletionStage<Namespace> createNamespace(String name, TierProfile tier, List<AccessRule> rules) {
        return BrokerException.failed(Rejection.of(ErrorCode.NOT_IMPLEMENTED));
    }

    /**
     * Deletes a namespace that was created at run time, with everything in it. From the call on, no lookup finds the
     * namespace.
     *
     * @param name in any case; a call for a namespace whose deletion was interrupted continues the deletion
     * @return completes when everything is deleted, or fails with {@link BrokerException}
     */
    public CompletionStage<Void> deleteNamespace(String name) {
        return BrokerException.failed(Rejection.of(ErrorCode.NOT_IMPLEMENTED));
    }

    /** Returns the names of the namespaces that are being deleted. */
    public List<String> leavingNamespaces() {
        return List.of();
    }

    /**
     * Returns the largest number of namespaces, including those that are being deleted: {@value #NAMESPACES_MAX}, or more for a broker
     * under test.
     */
    public int namespacesMax() {
        return NAMESPACES_MAX;
    }

    /** Returns the level in whose formats this broker writes (CL-60). */
    public int level() {
        return FormatLevels.FIRST;
    }

    /**
     * Raises the level of the data, in a batch of the first shard like any other (CL-61). A level that is reached already is no error.
     *
     * @param to a level that this release supports
     * @return completes when the row with the level is durable, or fails with {@link BrokerException}; then the level may have
     *     been raised or not
     * @throws IllegalArgumentException if this release does not support the level
     */
    public CompletionStage<Void> raiseLevel(int to) {
        return BrokerException.failed(Rejection.of(ErrorCode.NOT_IMPLEMENTED));
    }

    /** Returns the clock of all decisions. */
    public abstract Clock clock();

    /**
     * Returns the time of messages, by which locks, schedules and expirations are judged, in milliseconds since the epoch. It
     * differs from the {@link #clock} after that was set back, and in tests.
     */
    public long messageTimeMs() {
        return clock().nowMs();
    }

    /** Returns one sentence for each store that is not open or does not accept messages, or null if all stores do. */
    public abstract @Nullable String trouble();

    /**
     * Returns one sentence for each entity that is unavailable because its rows are corrupt although its store works,
     * or null if there is none.
     */
    public @Nullable String damage() {
        return null;
    }

    /** Returns the figures of each shard and its store, in the order of the stores. */
    public List<ShardFigures> shards() {
        return List.of();
    }

    /**
     * Stops one store as if its disk had failed, and closes its files. Requests for its entities fail with a
     * retryable error until the store is started; other entities stay available. Tests use it, and operators who
     * maintain a disk. A restart of the process starts the store.
     *
     * @param index the index of the store, from 0
     * @return completes when the store is stopped
     * @throws IndexOutOfBoundsException if there is no such store
     */
    public CompletionStage<Void> stopStore(int index) {
        throw new IndexOutOfBoundsException(index);
    }

    /**
     * Starts a store that was stopped. All acknowledged data is available again.
     *
     * @return completes after the first attempt to open the store; if that fails, Jitney retries, and {@link #shards}
     *         reports the reason
     * @throws IndexOutOfBoundsException if there is no such store
     */
    public CompletionStage<Void> startStore(int index) {
        throw new IndexOutOfBoundsException(index);
    }

    /**
     * Runs an action at a moment at which no shard commits, and at which nothing has left that is not committed. Together, the
     * stores have the state that a power failure at this moment would leave. All shards wait meanwhile. The caller's thread waits
     * until they stand at the same moment, for {@value #MOMENT_SECONDS} s at most. One caller at a time.
     *
     * @param action runs in the thread of a shard, and must be short: a few numbers are read, nothing more
     * @return the time for which shards were held up, in nanoseconds
     * @throws BrokerException if a store does not work, or the shards could not be stopped together
     */
    public long atOneMoment(Runnable action) throws InterruptedException {
        throw new BrokerException(Rejection.of(ErrorCode.NOT_IMPLEMENTED));
    }

    /**
     * Tries once to run an action at a moment as {@link #atOneMoment} does. It does not wait for another caller.
     *
     * @param waitNanos the time for which a shard waits for the others, in nanoseconds
     * @param action    runs in the thread of a shard, and must be short: a few numbers are read, nothing more
     * @return the time for which shards were held up, in nanoseconds; -1 if the shards did not stand at the same moment in time,
     *         or another caller is waiting for a moment
     * @throws BrokerException if a store does not work
     */
    public long tryOneMoment(long waitNanos, Runnable action) throws InterruptedException {
        throw new BrokerException(Rejection.of(ErrorCode.NOT_IMPLEMENTED));
    }

    /**
     * Ends this broker without another commit, because another node leads the cluster now. Pending commands fail with a
     * retryable error; they may have been executed. Do not use this broker afterwards; {@link #close} has nothing to do.
     */
    public void abandon() {
        close();
    }

    /** Completes pending commands, then closes shards and stores. */
    @Override
    public abstract void close();
}
