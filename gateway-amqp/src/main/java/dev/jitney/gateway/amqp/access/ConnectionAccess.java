package dev.jitney.gateway.amqp.access;

import dev.jitney.gateway.amqp.message.Errors;
import dev.jitney.gateway.amqp.shared.ConnectionCloser;
import dev.jitney.gateway.amqp.shared.GatewayContext;
import dev.jitney.gateway.amqp.shared.Transport;
import dev.jitney.model.EntityAddress;
import dev.jitney.model.ErrorCode;
import dev.jitney.runtime.Namespace;
import dev.jitney.runtime.memory.MemoryAccount;
import dev.jitney.runtime.security.ConnectionCredential;
import dev.jitney.runtime.security.Identity;
import dev.jitney.runtime.security.IdentityGrant;
import dev.jitney.runtime.security.IdentityProvider;
import org.jspecify.annotations.Nullable;

/** The namespace of one connection, its credentials, and the number of refused credentials. For its event loop. */
public final class ConnectionAccess {
    /** The limit of refused tokens of a connection before its first valid token. Checking a token costs time. */
    private static final int REFUSED_CREDENTIALS_MAX = 50;

    private final GatewayContext gateway;
    private final Transport transport;
    private final MemoryAccount account;
    private final ConnectionCloser closer;
    private final Errors errors;
    private final Authorization authorization;
    private final ConnectionNamespace namespace;
    private final EntityRefusals refusals;
    private final CredentialGate gate;
    private String host = "";
    private String countedRule = "";
    private @Nullable Namespace countedIn;
    private boolean authenticated;
    private boolean saslToken;
    private int refusedCredentials;

    /**
     * @param account memory of the connection, which counts for its namespace once a credential is accepted
     * @param closer closes the connection when its namespace has reached its connection limit, or too many credentials
     *               were refused
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
        authorization = new Authorization(gateway.identities());
        namespace = new ConnectionNamespace(gateway, transport.socket());
        refusals = new EntityRefusals(errors);
        gate = new CredentialGate(gateway.admission(), transport);
    }

    /**
     * Chooses the namespace when the client opens the connection.
     *
     * @param asked host name in the client's open, or null
     * @param shown credential that the client showed with SASL, or null
     * @param identity owner of a token that the client sent with SASL, or null
     */
    public void open(@Nullable String asked, @Nullable ConnectionCredential shown, @Nullable Identity identity) {
        Namespace own = shown != null ? shown.namespace() : identity != null ? namespace.of(identity) : null;
        Namespace chosen = namespace.open(asked, own);
        errors.namespace(chosen);
        host = asked == null || asked.isEmpty() ? chosen.name() : withoutPort(asked);
        refusals.host(host);
        authorization.open(chosen, shown != null && shown.namespace() == chosen ? shown : null);
        if (identity != null) {
            saslToken = true;
            authorization.put(
                    EntityAddress.ofPath(""), new IdentityGrant(identity, chosen.name(), gateway.identities()));
        }
    }

    /** Returns whether the client has sent a token with SASL. It cannot be renewed on the same connection. */
    public boolean hasSaslToken() {
        return saslToken;
    }

    private static String withoutPort(String hostname) {
        int colon = hostname.lastIndexOf(':');
        return colon > 0 && hostname.indexOf(':') == colon ? hostname.substring(0, colon) : hostname;
    }

    /**
     * Counts this connection for its namespace, if the namespace is decided. Closes the connection if the namespace has
     * reached its limit.
     */
    public void enterIfDecided() {
        if (namespace.isDecided() && enter(namespace())) {
            noteAuthentication();
        }
    }

    private boolean enter(Namespace chosen) {
        if (namespace.enter()) {
            return true;
        }
        closer.close(
                ErrorCode.QUOTA_EXCEEDED,
                "Expected at most " + chosen.limits().maxConnections()
                        + " connections to the namespace, but this is one more.");
        return false;
    }

    /** Returns the namespace whose rules check a token that arrives now. */
    public Namespace judging(@Nullable String token) {
        return namespace.judging(token);
    }

    /** Returns the namespace in which a token of an identity provider is judged that arrives now for an audience. */
    public Namespace judging(Identity identity, String audience) {
        return namespace.judging(identity, audience);
    }

    /** Returns the identity provider whose tokens are accepted. */
    public IdentityProvider identities() {
        return gateway.identities();
    }

    /**
     * Assigns the connection to the namespace that has accepted its token, unless a namespace is already decided.
     *
     * @return false if the namespace has reached its connection limit and the connection was closed
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
     * Checks whether a credential was accepted. From then on, the memory of the connection counts for its namespace, and
     * no newcomer takes its place.
     *
     * @return whether a credential was accepted
     */
    public boolean noteAuthentication() {
        Namespace of = namespace.get();
        if (!authenticated && !authorization.isEmpty() && of != null) {
            authenticated = true;
            account.authenticated(of.name());
            gateway.authenticated(of, transport.socket());
            count(of, authorization.firstRule());
        }
        return authenticated;
    }

    /** Counts the connection for an access rule. Closes it if the rule has reached a limit. */
    private void count(Namespace of, String rule) {
        String refusal = gateway.admission().credentials().connected(of, rule);
        if (refusal == null) {
            countedRule = rule;
            countedIn = of;
        } else {
            // Later, because the caller is in the middle of a frame.
            transport.executor().execute(() -> closer.close(ErrorCode.QUOTA_EXCEEDED, refusal));
        }
    }

    /** Returns the limit of refused credentials. */
    public CredentialGate gate() {
        return gate;
    }

    /** Counts a refused token or password. */
    public void refusedCredential(Namespace of) {
        gateway.meter().of(of.name()).refusedCredentials.increment();
        uncheckedCredential();
    }

    /** Counts a token or password that was refused with or without a check. */
    public void uncheckedCredential() {
        if (!authenticated && ++refusedCredentials > REFUSED_CREDENTIALS_MAX) {
            transport
                    .executor()
                    .execute(() -> closer.close(
                            ErrorCode.CONNECTION_FORCED,
                            "Expected a valid token, but " + REFUSED_CREDENTIALS_MAX + " tokens were refused."));
        }
    }

    /** Returns the namespace of the connection, which must be open. */
    public Namespace namespace() {
        Namespace open = namespace.get();
        if (open == null) {
            throw new IllegalStateException("Expected an open connection, but it is not open yet.");
        }
        return open;
    }

    /** Returns the namespace of the connection, or null before it is open. */
    public @Nullable Namespace namespaceOrNull() {
        return namespace.get();
    }

    /** Returns the namespace of the connection if it was deleted, otherwise null. */
    public @Nullable Namespace goneNamespace() {
        Namespace of = namespace.get();
        return of != null && of.isGone() ? of : null;
    }

    /** Changes the number of links that the namespace counts. */
    public void countLinks(int delta) {
        namespace.countLinks(delta);
    }

    /** Releases the counts of the connection when it has ended. */
    public void leave() {
        Namespace counted = countedIn;
        if (counted != null) {
            gateway.admission().credentials().disconnected(counted, countedRule);
            countedIn = null;
        }
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

    /** Returns the host in the client's open, without a port; empty until the connection is open. */
    public String host() {
        return host;
    }

    /** Returns the address and port of the client, for logs. */
    public String client() {
        return transport.client();
    }

    /** Returns the time of the broker's clock in milliseconds since the epoch. */
    public long nowMs() {
        return gateway.broker().clock().nowMs();
    }
}
