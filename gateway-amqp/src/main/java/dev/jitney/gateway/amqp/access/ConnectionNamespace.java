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
 * <caption>What decides; nothing changes it afterwards</caption>
 * <tr><th>the client</th><th>the namespace</th></tr>
 * <tr><td>asks for a host that names a namespace</td><td>that one</td></tr>
 * <tr><td>has shown a name and a key with SASL</td><td>the one that has the key</td></tr>
 * <tr><td>shows a token that is believed</td><td>{@linkplain Broker#namespaceOfKey the one of its key name}</td></tr>
 * <tr><td>begins a transaction before that</td><td>the first</td></tr>
 * </table>
 *
 * <p>Until then it is the first one, in which the client may do nothing yet, and no namespace counts the connection. A token
 * that is refused decides nothing, so nobody learns from it which namespace has a key of that name.
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
     * The connection is open.
     *
     * @param asked the host name the client asks for, or null
     * @param shown the namespace of a key that was shown with SASL, or null
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

    /** Null until the connection is open. */
    @Nullable
    Namespace get() {
        return namespace;
    }

    boolean isDecided() {
        return decided;
    }

    /** The namespace whose rules judge a token. */
    Namespace judging(@Nullable String token) {
        Namespace open = namespace;
        return decided && open != null ? open : context.broker().namespaceOfKey(SharedAccessSignature.keyName(token));
    }

    /** It is this one from now on. */
    void decide(Namespace chosen) {
        Namespace before = namespace;
        decided = true;
        namespace = chosen;
        if (before != null && before != chosen) {
            meterLinks(before, -links);
            meterLinks(chosen, links);
        }
    }

    /** Takes one of the namespace's connections; false when all are taken (QUOTA, MaxConnections). */
    boolean enter() {
        Namespace open = namespace;
        counted = open != null && context.enter(open);
        return counted;
    }

    /** Gives back what {@link #enter} took. */
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
