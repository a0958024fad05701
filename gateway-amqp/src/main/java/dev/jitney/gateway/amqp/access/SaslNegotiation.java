package dev.jitney.gateway.amqp.access;

import dev.jitney.gateway.amqp.shared.GatewayContext;
import dev.jitney.runtime.Broker;
import dev.jitney.runtime.Namespace;
import dev.jitney.runtime.security.AuthenticationException;
import dev.jitney.runtime.security.ConnectionCredential;
import dev.jitney.runtime.security.Identity;
import dev.jitney.runtime.security.SharedAccessSignature;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
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
 * handshake. XOAUTH2 and OAUTHBEARER (RFC 7628) take a token of the identity provider, and are offered only by a server
 * that has one: as the last ones, because clients with a key prefer the first mechanism that they can use.
 *
 * <p>EXTERNAL is offered only if the certificate of the client stands for a rule: some clients prefer it to PLAIN whenever
 * it is offered. It is accepted without such a certificate, but then grants no rights.
 */
public final class SaslNegotiation implements SaslServerListener {
    private static final String EXTERNAL = "EXTERNAL";
    private static final List<String> MECHANISMS = List.of("MSSBCBS", "PLAIN", "ANONYMOUS");
    private static final List<String> WITH_TOKEN = List.of("OAUTHBEARER", "XOAUTH2");
    private static final Set<String> WITHOUT_PROOF = Set.of("MSSBCBS", "ANONYMOUS", EXTERNAL);
    private static final int PLAIN_BYTES_MAX = 2048;
    private static final byte[] WELCOME = "Welcome!".getBytes(StandardCharsets.US_ASCII);

    private final GatewayContext gateway;
    private final @Nullable String serverName;
    private final @Nullable X509Certificate certificate;
    private final CredentialGate gate;
    private final Executor executor;
    private final Runnable decidedLater;
    private @Nullable ConnectionCredential credential;
    private @Nullable Identity identity;
    private Namespace judging;
    private boolean begun;
    private boolean refused;
    private boolean busy;

    /**
     * @param serverName the host name in the client's TLS handshake, if any
     * @param certificate the certificate in the client's TLS handshake, if any
     * @param gate the limit of refused credentials
     * @param executor runs tasks on the event loop of the connection
     * @param decidedLater called on the event loop when an outcome was sent that had to wait for keys of the identity
     *     provider
     */
    public SaslNegotiation(
            GatewayContext gateway,
            @Nullable String serverName,
            @Nullable X509Certificate certificate,
            CredentialGate gate,
            Executor executor,
            Runnable decidedLater) {
        this.gateway = gateway;
        this.certificate = certificate;
        this.gate = gate;
        this.serverName = serverName;
        this.executor = executor;
        this.decidedLater = decidedLater;
        this.judging = gateway.broker().namespace(serverName);
    }

    /** Returns the valid credential of the client for the whole connection, or null. */
    public @Nullable ConnectionCredential credential() {
        return credential;
    }

    /** Returns the owner of the valid token of the client, or null. */
    public @Nullable Identity identity() {
        return identity;
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
        List<String> mechanisms = new ArrayList<>();
        if (ofCertificate(serverName) != null) {
            mechanisms.add(EXTERNAL);
        }
        mechanisms.addAll(MECHANISMS);
        if (gateway.identities().isConfigured()) {
            mechanisms.addAll(WITH_TOKEN);
        }
        context.sendMechanisms(mechanisms.toArray(new String[0]));
    }

    @Override
    public void handleSaslInit(SaslServerContext context, Symbol mechanism, @Nullable ProtonBuffer response) {
        if (begun) {
            throw new ProtocolViolationException("Expected one SASL init, but got another one.");
        }
        begun = true;
        String name = mechanism == null ? "" : mechanism.toString();
        if (WITH_TOKEN.contains(name) && gateway.identities().isConfigured()) {
            token(context, response);
            return;
        }
        boolean welcome =
                WITHOUT_PROOF.contains(name) || (name.equals("PLAIN") && plain(context.getHostname(), response));
        if (name.equals(EXTERNAL)) {
            String hostname = context.getHostname();
            ConnectionCredential own = ofCertificate(hostname == null ? serverName : hostname);
            credential = own;
            judging = own == null ? judging : own.namespace();
        }
        SaslOutcome refusal = busy ? SaslOutcome.SASL_TEMP : SaslOutcome.SASL_AUTH;
        decide(context, welcome ? SaslOutcome.SASL_OK : refusal);
    }

    private void decide(SaslServerContext context, SaslOutcome outcome) {
        boolean welcome = outcome == SaslOutcome.SASL_OK;
        refused = !welcome;
        context.sendOutcome(outcome, ProtonBufferAllocator.defaultAllocator().copy(welcome ? WELCOME : new byte[0]));
    }

    private @Nullable ConnectionCredential ofCertificate(@Nullable String host) {
        Broker broker = gateway.broker();
        return certificate == null
                ? null
                : gateway.admission().certificates().credential(certificate, broker, broker.namespaceNamed(host));
    }

    @Override
    public void handleSaslResponse(SaslServerContext context, ProtonBuffer response) {
        throw new ProtocolViolationException("Expected no SASL response, but got one although no challenge was sent.");
    }

    /** Verifies a token. The outcome is sent at once if the key of the token is known. */
    private void token(SaslServerContext context, @Nullable ProtonBuffer response) {
        String token = response == null || response.getReadableBytes() > OAuthResponse.BYTES_MAX
                ? null
                : OAuthResponse.token(bytes(response));
        if (token == null) {
            decide(context, SaslOutcome.SASL_AUTH);
            return;
        }
        if (!gate.isOpen(CredentialGate.IDENTITY)) {
            busy = true;
            decide(context, SaslOutcome.SASL_TEMP);
            return;
        }
        CompletableFuture<Identity> verified = gateway.identities()
                .verify(token, gateway.broker().clock().nowMs())
                .toCompletableFuture();
        if (verified.isDone()) {
            decide(context, outcome(verified));
            return;
        }
        verified.whenCompleteAsync(
                (owner, failure) -> {
                    decide(context, outcome(verified));
                    decidedLater.run();
                },
                executor);
    }

    private SaslOutcome outcome(CompletableFuture<Identity> verified) {
        try {
            Identity owner = verified.join();
            gate.accepted(CredentialGate.IDENTITY);
            if (owner.permissions().isEmpty()) {
                return SaslOutcome.SASL_AUTH;
            }
            identity = owner;
            return SaslOutcome.SASL_OK;
        } catch (CompletionException failed) {
            boolean temporary = failed.getCause() instanceof AuthenticationException why && why.isTemporary();
            if (failed.getCause() instanceof AuthenticationException why && why.isWrongKey()) {
                gate.refused(judging, CredentialGate.IDENTITY);
            }
            return temporary ? SaslOutcome.SASL_TEMP : SaslOutcome.SASL_AUTH;
        }
    }

    private static byte[] bytes(ProtonBuffer response) {
        byte[] bytes = new byte[response.getReadableBytes()];
        response.copyInto(response.getReadOffset(), bytes, 0, bytes.length);
        return bytes;
    }

    /** Checks authzid NUL authcid NUL passwd (RFC 4616) and ignores authzid. */
    private boolean plain(@Nullable String hostname, @Nullable ProtonBuffer response) {
        if (response == null || response.getReadableBytes() > PLAIN_BYTES_MAX) {
            return false;
        }
        String[] parts = new String(bytes(response), StandardCharsets.UTF_8).split("\0", -1);
        if (parts.length != 3) {
            return false;
        }
        Broker broker = gateway.broker();
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
