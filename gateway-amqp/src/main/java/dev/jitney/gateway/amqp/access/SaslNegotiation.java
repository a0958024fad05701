package dev.jitney.gateway.amqp.access;

import dev.jitney.runtime.Broker;
import dev.jitney.runtime.Namespace;
import dev.jitney.runtime.security.AuthenticationException;
import dev.jitney.runtime.security.CertificateRules;
import dev.jitney.runtime.security.ConnectionCredential;
import dev.jitney.runtime.security.SharedAccessSignature;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
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
 * The SASL dialogue (wire reference 1.3). MSSBCBS and ANONYMOUS accept every client and grant no rights. PLAIN takes a
 * rule name and its key for the whole connection. EXTERNAL takes the certificate that the client has shown in the TLS
 * handshake.
 *
 * <p>EXTERNAL is offered only if the certificate of the client stands for a rule: some clients prefer it to PLAIN whenever
 * it is offered. It is accepted without such a certificate, but then grants no rights.
 */
public final class SaslNegotiation implements SaslServerListener {
    private static final String EXTERNAL = "EXTERNAL";
    private static final String[] MECHANISMS = {"MSSBCBS", "PLAIN", "ANONYMOUS"};
    private static final String[] WITH_CERTIFICATE = {EXTERNAL, "MSSBCBS", "PLAIN", "ANONYMOUS"};
    private static final Set<String> WITHOUT_PROOF = Set.of("MSSBCBS", "ANONYMOUS", EXTERNAL);
    private static final int PLAIN_BYTES_MAX = 2048;
    private static final byte[] WELCOME = "Welcome!".getBytes(StandardCharsets.US_ASCII);

    private final Broker broker;
    private final @Nullable String serverName;
    private final CertificateRules rules;
    private final @Nullable X509Certificate certificate;
    private final CredentialGate gate;
    private @Nullable ConnectionCredential credential;
    private Namespace judging;
    private boolean refused;
    private boolean busy;

    /**
     * @param serverName the host name in the client's TLS handshake, if any
     * @param rules the rules that certificates stand for
     * @param certificate the certificate in the client's TLS handshake, if any
     * @param gate the limit of refused credentials
     */
    public SaslNegotiation(
            Broker broker,
            @Nullable String serverName,
            CertificateRules rules,
            @Nullable X509Certificate certificate,
            CredentialGate gate) {
        this.gate = gate;
        this.broker = broker;
        this.rules = rules;
        this.certificate = certificate;
        this.serverName = serverName;
        this.judging = broker.namespace(serverName);
    }

    /** Returns the valid credential of the client for the whole connection, or null. */
    public @Nullable ConnectionCredential credential() {
        return credential;
    }

    /** Returns the namespace whose rules check the credential. */
    public Namespace judging() {
        return judging;
    }

    public boolean refused() {
        return refused;
    }

    /** Returns whether the credential was refused without a check, because too many others were refused. */
    public boolean isBusy() {
        return busy;
    }

    @Override
    public void handleSaslHeader(SaslServerContext context, AMQPHeader header) {
        boolean known = ofCertificate(broker.namespaceNamed(serverName)) != null;
        context.sendMechanisms(known ? WITH_CERTIFICATE : MECHANISMS);
    }

    @Override
    public void handleSaslInit(SaslServerContext context, Symbol mechanism, @Nullable ProtonBuffer response) {
        String name = mechanism == null ? "" : mechanism.toString();
        boolean welcome =
                WITHOUT_PROOF.contains(name) || (name.equals("PLAIN") && plain(context.getHostname(), response));
        if (name.equals(EXTERNAL)) {
            String hostname = context.getHostname();
            ConnectionCredential own = ofCertificate(broker.namespaceNamed(hostname == null ? serverName : hostname));
            credential = own;
            judging = own == null ? judging : own.namespace();
        }
        refused = !welcome;
        SaslOutcome refusal = busy ? SaslOutcome.SASL_TEMP : SaslOutcome.SASL_AUTH;
        context.sendOutcome(
                welcome ? SaslOutcome.SASL_OK : refusal,
                ProtonBufferAllocator.defaultAllocator().copy(welcome ? WELCOME : new byte[0]));
    }

    private @Nullable ConnectionCredential ofCertificate(@Nullable Namespace named) {
        return certificate == null ? null : rules.credential(certificate, broker, named);
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
        if (!gate.isOpen(parts[1])) {
            busy = true;
            return false;
        }
        try {
            credential = SharedAccessSignature.checkKey(parts[1], parts[2], judging);
            gate.accepted(parts[1]);
            return true;
        } catch (AuthenticationException wrongKey) {
            gate.refused(judging, parts[1]);
            return false;
        }
    }
}
