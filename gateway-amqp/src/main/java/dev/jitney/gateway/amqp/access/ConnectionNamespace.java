package dev.jitney.gateway.amqp.access;

import dev.jitney.gateway.amqp.shared.GatewayContext;
import dev.jitney.gateway.amqp.shared.GatewaySocket;
import dev.jitney.runtime.Broker;
import dev.jitney.runtime.Namespace;
import dev.jitney.runtime.security.Identity;
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
 * <tr><td>sends a valid token of an identity provider</td><td>that of the host in the audience, otherwise the only one in
 *     which its roles give rights, otherwise the first</td></tr>
 * <tr><td>begins a transaction before that</td><td>the first namespace</td></tr>
 * </table>
 *
 * <p>Until then it is the first namespace, in which the client has no rights yet, and no namespace counts the
 * connection. A refused token decides nothing, so a client cannot find out which namespace has a key of that name.
 */
final class ConnectionNamespace {
    private final GatewayContext context;
    private final GatewaySocket socket;
    private @Nullable Namespace namespace;
    private boolean decided;
    private boolean counted;
    private int links;

    ConnectionNamespace(GatewayContext context, GatewaySocket socket) {
        this.context = context;
        this.socket = socket;
    }

    /**
     * Chooses the namespace when the connection opens.
     *
     * @param asked host name in the client's open, or null
     * @param shown namespace of a key or token that the client sent with SASL, or null
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

    /**
     * Returns the namespace for a token of an identity provider: that of the connection, otherwise the one that the host
     * in the audience names, otherwise {@linkplain #of(Identity) the one of the identity}.
     */
    Namespace judging(Identity identity, String audience) {
        Namespace open = namespace;
        if (decided && open != null) {
            return open;
        }
        Namespace named = context.broker().namespaceNamed(host(audience));
        return named == null ? of(identity) : named;
    }

    /** Returns the only namespace in which an identity has permissions, otherwise the first one. */
    Namespace of(Identity identity) {
        Namespace only = context.broker().namespaceNamed(identity.onlyNamespace());
        return only == null ? context.broker().namespaces().get(0) : only;
    }

    private static @Nullable String host(String audience) {
        int scheme = audience.indexOf("://");
        if (scheme < 0) {
            return null;
        }
        int end = audience.indexOf('/', scheme + 3);
        return audience.substring(scheme + 3, end < 0 ? audience.length() : end);
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
        counted = open != null && context.enter(open, socket);
        return counted;
    }

    /** Releases the count that {@link #enter} took. */
    void leave() {
        Namespace open = namespace;
        if (counted && open != null) {
            counted = false;
            context.leave(open, socket);
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
