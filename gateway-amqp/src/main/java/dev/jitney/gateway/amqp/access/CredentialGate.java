package dev.jitney.gateway.amqp.access;

import dev.jitney.gateway.amqp.shared.Transport;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.Namespace;
import dev.jitney.runtime.client.AddressLimits;
import dev.jitney.runtime.client.ClientAdmission;
import dev.jitney.runtime.client.CredentialCounts;
import dev.jitney.runtime.security.SharedAccessSignature;
import org.jspecify.annotations.Nullable;

/** The limit of refused credentials, for one connection. For its event loop. */
public final class CredentialGate {
    /** The name of all tokens of identities, because their owner is not known before the check. */
    public static final @Nullable String IDENTITY = null;

    private final AddressLimits limits;
    private final CredentialCounts counts;
    private final Transport transport;

    public CredentialGate(ClientAdmission admission, Transport transport) {
        this.limits = admission.addresses();
        this.counts = admission.credentials();
        this.transport = transport;
    }

    /**
     * Returns whether a credential may be checked now, because its address and name had few refused ones recently.
     *
     * @param name the rule that the client names, or null
     */
    public boolean isOpen(@Nullable String name) {
        return limits.mayAuthenticate(transport.clientAddress(), name);
    }

    /** Returns the error for a credential that is not checked. Clients try again after it. */
    public static Rejection busy() {
        return new Rejection(
                ErrorCode.SERVER_BUSY,
                "Too many credentials of your address were refused, so that Jitney does not check more of them for a while."
                        + " Correct the key, and try again later.");
    }

    /** Counts a credential that was checked and refused. */
    public void refused(Namespace judging, @Nullable String name) {
        counts.failed(judging, name);
        limits.refused(transport.clientAddress(), name);
    }

    /** Counts a credential that was accepted. */
    public void accepted(@Nullable String name) {
        limits.accepted(transport.clientAddress(), name);
    }

    /** Returns whether a token may be checked now. */
    public boolean isOpenFor(@Nullable String token) {
        return isOpen(SharedAccessSignature.keyName(token));
    }

    /** Counts the result of a check. */
    public void checked(Namespace judging, @Nullable String token, boolean valid) {
        String name = SharedAccessSignature.keyName(token);
        if (valid) {
            accepted(name);
        } else {
            refused(judging, name);
        }
    }
}
