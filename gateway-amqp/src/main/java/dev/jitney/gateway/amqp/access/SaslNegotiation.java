package dev.jitney.gateway.amqp.access;

import dev.jitney.runtime.Broker;
import dev.jitney.runtime.Namespace;
import dev.jitney.runtime.security.AuthenticationException;
import dev.jitney.runtime.security.KeyCredential;
import dev.jitney.runtime.security.SharedAccessSignature;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;
import org.apache.qpid.protonj2.buffer.ProtonBufferAllocator;
import org.apache.qpid.protonj2.engine.exceptions.ProtocolViolationException;
import org.apache.qpid.protonj2.engine.sasl.SaslOutcome;
import org.apache.qpid.protonj2.engine.sasl.SaslServerContext;
import org.apache.qpid.protonj2.engine.sasl.SaslServerListener;
import org.apache.qpid.protonj2.types.Symbol;
import org.apache.qpid.protonj2.types.transport.AMQPHeader;
import org.jspecify.annotations.Nullable;

/**
 * The SASL dialogue (wire reference 1.3). MSSBCBS, ANONYMOUS and EXTERNAL accept every client and grant no rights.
 * PLAIN takes a rule name and its key for the whole connection.
 *
 * <p>EXTERNAL is accepted but not offered: it stands for a TLS client certificate, which the server never requests.
 * Some clients prefer it to PLAIN whenever it is offered, and then have no rights.
 */
public final class SaslNegotiation implements SaslServerListener {
    private static final String[] MECHANISMS = {"MSSBCBS", "PLAIN", "ANONYMOUS"};
    private static final Set<String> WITHOUT_PROOF = Set.of("MSSBCBS", "ANONYMOUS", "EXTERNAL");
    private static final int PLAIN_BYTES_MAX = 2048;
    private static final byte[] WELCOME = "Welcome!".getBytes(StandardCharsets.US_ASCII);

    private final Broker broker;
    private final @Nullable String serverName;
    private @Nullable KeyCredential credential;
    private Namespace judging;
    private boolean refused;

    /**
     * @param serverName the host name in the client's TLS handshake, if any
     */
    public SaslNegotiation(Broker broker, @Nullable String serverName) {
        this.broker = broker;
        this.serverName = serverName;
        this.judging = broker.namespace(serverName);
    }

    /** Returns the valid PLAIN credential of the client, or null. */
    public @Nullable KeyCredential credential() {
        return credential;
    }

    /** Returns the namespace whose rules check the credential. */
    public Namespace judging() {
        return judging;
    }

    public boolean refused() {
        return refused;
    }

    @Override
    public void handleSaslHeader(SaslServerContext context, AMQPHeader header) {
        context.sendMechanisms(MECHANISMS);
    }

    @Override
    public void handleSaslInit(SaslServerContext context, Symbol mechanism, @Nullable ProtonBuffer response) {
        String name = mechanism == null ? "" : mechanism.toString();
        boolean welcome =
                WITHOUT_PROOF.contains(name) || (name.equals("PLAIN") && plain(context.getHostname(), response));
        refused = !welcome;
        context.sendOutcome(
                welcome ? SaslOutcome.SASL_OK : SaslOutcome.SASL_AUTH,
                ProtonBufferAllocator.defaultAllocator().copy(welcome ? WELCOME : new byte[0]));
    }

    @Override
    public void handleSaslResponse(SaslServerContext context, ProtonBuffer response) {
        throw new ProtocolViolationException("Expected no SASL response, but got one although no challenge was sent.");
    }

    /** Checks authzid NUL authcid NUL passwd (RFC 4616) and ignores authzid. */
    private boolean plain(@Nullable String hostname, @Nullable ProtonBuffer response) {
        if (response == null || response.getReadableBytes() > PLAIN_BYTES_MAX) {
            return false;
        }
        byte[] bytes = new byte[response.getReadableBytes()];
        response.copyInto(response.getReadOffset(), bytes, 0, bytes.length);
        String[] parts = new String(bytes, StandardCharsets.UTF_8).split("\0", -1);
        if (parts.length != 3) {
            return false;
        }
        Namespace named = broker.namespaceNamed(hostname == null ? serverName : hostname);
        judging = named == null ? broker.namespaceOfKey(parts[1]) : named;
        try {
            credential = SharedAccessSignature.checkKey(parts[1], parts[2], judging);
            return true;
        } catch (AuthenticationException wrongKey) {
            return false;
        }
    }
}
