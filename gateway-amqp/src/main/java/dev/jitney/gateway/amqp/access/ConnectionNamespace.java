package dev.jitney.gateway.amqp.access;

import dev.jitney.gateway.amqp.shared.GatewayContext;
import dev.jitney.runtime.Broker;
import dev.jitney.runtime.Namespace;
import dev.jitney.runtime.security.SharedAccessSignature;
import org.jspecify.annotations.Nullable;

/**
 * The namespace of one connection. For its event loop.
 *
 * <table>
 * <caption>The choice of the namespace, which never changes afterwards</caption>
 * <tr><th>client action</th><th>namespace</th></tr>
 * <tr><td>opens with a host that names a namespace</td><td>that namespace</td></tr>
 * <tr><td>sends a name and a key with SASL</td><td>the namespace of the key</td></tr>
 * <tr><td>sends a valid token</td><td>{@linkplain Broker#namespaceOfKey the namespace of its key name}</td></tr>
 * <tr><td>begins a transaction before that</td><td>the first namespace</td></tr>
 * </table>
 *
 * <p>Until then it is the first namespace, in which the client has no rights yet, and no namespace counts the
 * connection. A refused token decides nothing, so a client cannot find out which namespace has a key of that name.
 */
final class ConnectionNamespace {
    private final GatewayContext context;
    private @Nullable Namespace namespace;
    private boolean decided;
    private boolean counted;
    private int links;

    ConnectionNamespace(GatewayContext context) {
        this.context = context;
    }

    /**
     * Chooses the namespace when the connection opens.
     *
     * @param asked host name in the client's open, or null
     * @param shown namespace of a key that the client sent with SASL, or null
     */
    Namespace open(@Nullable String asked, @Nullable Namespace shown) {
        Broker broker = context.broker();
        Namespace told = broker.namespaceNamed(asked);
        if (told == null) {
            told = shown;
        }
        decided = told != null || broker.namespaces().size() == 1;
        Namespace chosen = told == null ? broker.namespaces().get(0) : told;
        namespace = chosen;
        return chosen;
    }

    /** Returns the namespace, or null until the connection is open. */
    @Nullable
    Namespace get() {
        return namespace;
    }

    boolean isDecided() {
        return decided;
    }

    /** Returns the namespace whose rules check a token. */
    Namespace judging(@Nullable String token) {
        Namespace open = namespace;
        return decided && open != null ? open : context.broker().namespaceOfKey(SharedAccessSignature.keyName(token));
    }

    /** Sets the namespace for the rest of the connection. */
    void decide(Namespace chosen) {
        Namespace before = namespace;
        decided = true;
        namespace = chosen;
        if (before != null && before != chosen) {
            meterLinks(before, -links);
            meterLinks(chosen, links);
        }
    }

    /**
     * Counts the connection for the namespace. Returns false when the namespace has reached its limit (QUOTA,
     * MaxConnections).
     */
    boolean enter() {
        Namespace open = namespace;
        counted = open != null && context.enter(open);
        return counted;
    }

    /** Releases the count that {@link #enter} took. */
    void leave() {
        Namespace open = namespace;
        if (counted && open != null) {
            counted = false;
            context.leave(open);
        }
    }

    void countLinks(int delta) {
        links += delta;
        Namespace open = namespace;
        if (open != null) {
            meterLinks(open, delta);
        }
    }

    private void meterLinks(Namespace of, int delta) {
        context.meter().of(of.name()).links.add(delta);
    }
}
