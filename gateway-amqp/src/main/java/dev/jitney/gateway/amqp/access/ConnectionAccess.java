package dev.jitney.gateway.amqp.access;

import dev.jitney.gateway.amqp.message.Errors;
import dev.jitney.gateway.amqp.shared.ConnectionCloser;
import dev.jitney.gateway.amqp.shared.GatewayContext;
import dev.jitney.gateway.amqp.shared.Transport;
import dev.jitney.model.ErrorCode;
import dev.jitney.runtime.Namespace;
import dev.jitney.runtime.memory.MemoryAccount;
import dev.jitney.runtime.security.KeyCredential;
import org.jspecify.annotations.Nullable;

/**
 * The namespace of one connection, the credentials its client has shown, and their number if they were refused. For its
 * event loop.
 */
public final class ConnectionAccess {
    /** Tokens that a connection may show without one that is valid; each costs the time to check it. */
    private static final int REFUSED_CREDENTIALS_MAX = 50;

    private final GatewayContext gateway;
    private final Transport transport;
    private final MemoryAccount account;
    private final ConnectionCloser closer;
    private final Errors errors;
    private final Authorization authorization = new Authorization();
    private final ConnectionNamespace namespace;
    private final EntityRefusals refusals;
    private String host = "";
    private boolean authenticated;
    private int refusedCredentials;

    /**
     * @param account the memory of the connection, which counts for its namespace once a credential is accepted
     * @param closer ends the connection when its namespace has no room for it, or too many credentials were refused
     */
    public ConnectionAccess(
            GatewayContext gateway,
            Transport transport,
            MemoryAccount account,
            ConnectionCloser closer,
            Errors errors) {
        this.gateway = gateway;
        this.transport = transport;
        this.account = account;
        this.closer = closer;
        this.errors = errors;
        namespace = new ConnectionNamespace(gateway);
        refusals = new EntityRefusals(errors);
    }

    /**
     * The client opens the connection.
     *
     * @param asked the host name it asks for, or null
     * @param shown the key it has shown with SASL, or null
     */
    public void open(@Nullable String asked, @Nullable KeyCredential shown) {
        Namespace chosen = namespace.open(asked, shown == null ? null : shown.namespace());
        errors.namespace(chosen);
        host = asked == null || asked.isEmpty() ? chosen.name() : withoutPort(asked);
        refusals.host(host);
        authorization.open(chosen, shown != null && shown.namespace() == chosen ? shown : null);
    }

    private static String withoutPort(String hostname) {
        int colon = hostname.lastIndexOf(':');
        return colon > 0 && hostname.indexOf(':') == colon ? hostname.substring(0, colon) : hostname;
    }

    /** Takes one of the connections of the namespace, if that is decided; closes this one if all are taken. */
    public void enterIfDecided() {
        if (namespace.isDecided()) {
            enter(namespace());
        }
    }

    private boolean enter(Namespace chosen) {
        if (namespace.enter()) {
            return true;
        }
        closer.close(
                ErrorCode.QUOTA_EXCEEDED,
                "Expected at most " + chosen.limits().maxConnections() + " connections to the namespace.");
        return false;
    }

    /** The namespace whose rules judge a token that is shown now. */
    public Namespace judging(@Nullable String token) {
        return namespace.judging(token);
    }

    /**
     * The connection belongs to the namespace that has accepted its token, if nothing has decided that before.
     *
     * @return false if the namespace has no room for it, and the connection is closed
     */
    public boolean belongsTo(Namespace chosen) {
        if (namespace.isDecided()) {
            return true;
        }
        namespace.decide(chosen);
        errors.namespace(chosen);
        authorization.open(chosen, null);
        return enter(chosen);
    }

    /**
     * Looks whether a credential was accepted; the memory of the connection counts for its namespace from then on.
     *
     * @return whether one was
     */
    public boolean noteAuthentication() {
        Namespace of = namespace.get();
        if (!authenticated && !authorization.isEmpty() && of != null) {
            authenticated = true;
            account.authenticated(of.name());
        }
        return authenticated;
    }

    /** Counts a token or a password that was not accepted. */
    public void refusedCredential(Namespace of) {
        gateway.meter().of(of.name()).refusedCredentials.increment();
        if (!authenticated && ++refusedCredentials > REFUSED_CREDENTIALS_MAX) {
            transport
                    .executor()
                    .execute(() -> closer.close(
                            ErrorCode.CONNECTION_FORCED,
                            "Expected a valid token, but " + REFUSED_CREDENTIALS_MAX + " were refused."));
        }
    }

    /** The namespace of the connection, which must be open. */
    public Namespace namespace() {
        Namespace open = namespace.get();
        if (open == null) {
            throw new IllegalStateException("Expected the connection to be open.");
        }
        return open;
    }

    /** The namespace of the connection if that was deleted, otherwise null. */
    public @Nullable Namespace goneNamespace() {
        Namespace of = namespace.get();
        return of != null && of.isGone() ? of : null;
    }

    /** Changes how many links the namespace counts. */
    public void countLinks(int delta) {
        namespace.countLinks(delta);
    }

    /** The connection has ended. */
    public void leave() {
        namespace.leave();
    }

    public Authorization authorization() {
        return authorization;
    }

    public Errors errors() {
        return errors;
    }

    public EntityRefusals refusals() {
        return refusals;
    }

    /** The host the client has asked for, without a port; empty until the connection is open. */
    public String host() {
        return host;
    }

    /** Address and port of the client, for logs. */
    public String client() {
        return transport.client();
    }

    /** The time of the broker's clock in milliseconds since the epoch. */
    public long nowMs() {
        return gateway.broker().clock().nowMs();
    }
}
