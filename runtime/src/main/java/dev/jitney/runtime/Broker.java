package dev.jitney.runtime;

import dev.jitney.model.AccessRule;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.Rejection;
import dev.jitney.model.TierProfile;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Everything one process serves. Any thread may call it. */
public abstract class Broker implements AutoCloseable {

    /** How many namespaces there may be; as many as a configuration may have. */
    public static final int NAMESPACES_MAX = 100;

    /** For those who serve namespaces. */
    protected Broker() {}

    /** All namespaces that are served, the first configured one first. */
    public abstract List<Namespace> namespaces();

    /**
     * The namespace a client asks for by host name: the one whose name is the first label of {@code hostname}, compared
     * without case and ignoring a port; the first namespace for any other name and for null.
     */
    public Namespace namespace(@Nullable String hostname) {
        Namespace named = namespaceNamed(hostname);
        return named == null ? namespaces().get(0) : named;
    }

    /**
     * The namespace that a host name names, as {@link #namespace} finds it.
     *
     * @return null if it names none, as {@code localhost} or an address does
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
     * The namespace of a client whose host name names none: the one that has a shared access rule of the client's key
     * name, of its own or of one of its entities, if no other has one; otherwise the first. Nothing is proven by that: the
     * key or the signature has to be checked against the rules of this namespace.
     *
     * @param keyName the name of the key as the client wrote it, compared without case, a '+' standing for itself or for a
     *     blank; null for none
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
     * Makes a namespace at run time; it is there after each start, too.
     *
     * @param name 1 to 50 letters, digits or '-', with a letter or digit at both ends; not {@code localhost}, not digits only
     * @param rules at least one of them with the Manage right; no other namespace may have a rule of these names
     * @return completes when it is durable and served, or fails with {@link BrokerException}
     */
    public CompletionStage<Namespace> createNamespace(String name, TierProfile tier, List<AccessRule> rules) {
        return BrokerException.failed(Rejection.of(ErrorCode.NOT_IMPLEMENTED));
    }

    /**
     * Deletes a namespace that was made at run time, with everything in it. At once nobody finds it any more.
     *
     * @param name in any case; if the deletion was interrupted, it goes on
     * @return completes when everything is gone, or fails with {@link BrokerException}
     */
    public CompletionStage<Void> deleteNamespace(String name) {
        return BrokerException.failed(Rejection.of(ErrorCode.NOT_IMPLEMENTED));
    }

    /** Names of the namespaces that are being deleted. */
    public List<String> leavingNamespaces() {
        return List.of();
    }

    /** How many namespaces there may be, those that are being deleted included. */
    public int namespacesMax() {
        return NAMESPACES_MAX;
    }

    /** The time all decisions are made by. */
    public abstract Clock clock();

    /** Null when every shard is open and accepts messages; otherwise what is wrong with which store, a sentence each. */
    public abstract @Nullable String trouble();

    /** Which entities are out of service because they are damaged, though their stores work, a sentence each; or null. */
    public @Nullable String damage() {
        return null;
    }

    /** How each shard and its store are doing, in the order of the stores. */
    public List<ShardFigures> shards() {
        return List.of();
    }

    /**
     * Stops one store as if its disk had gone, and lets go of its files: its entities answer with a retryable error until
     * it is started, others are not concerned. For tests, and for operators who want to do something to the disk. A
     * restart of the process starts it again.
     *
     * @param index its place among the stores, from 0
     * @return completes when it is stopped
     * @throws IndexOutOfBoundsException if there is no such store
     */
    public CompletionStage<Void> stopStore(int index) {
        throw new IndexOutOfBoundsException(index);
    }

    /**
     * Starts a store that was stopped. Everything acknowledged is there.
     *
     * @return completes when it has been tried; if the store does not work yet, it is tried again and again, and
     *     {@link #shards} tells why
     * @throws IndexOutOfBoundsException if there is no such store
     */
    public CompletionStage<Void> startStore(int index) {
        throw new IndexOutOfBoundsException(index);
    }

    /** Completes what waits, then closes shards and stores. */
    @Override
    public abstract void close();
}
