package dev.jitney.gateway.amqp.access;

import dev.jitney.gateway.amqp.shared.Transport;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.client.AddressLimits;
import dev.jitney.runtime.security.SharedAccessSignature;
import org.jspecify.annotations.Nullable;

/** The limit of refused credentials, for one connection. For its event loop. */
public final class CredentialGate {
    private final AddressLimits limits;
    private final Transport transport;

    public CredentialGate(AddressLimits limits, Transport transport) {
        this.limits = limits;
        this.transport = transport;
    }

    /**
     * Returns whether a credential may be checked now, because its address and name had few refused ones recently.
     *
     * @param name the rule that the client names, or null
     */
    boolean isOpen(@Nullable String name) {
        return limits.mayAuthenticate(transport.clientAddress(), name);
    }

    /** Returns the error for a credential that is not checked. Clients try again after it. */
    public static Rejection busy() {
        return new Rejection(
                ErrorCode.SERVER_BUSY,
                "Too many credentials of your address were refused, so that Jitney does not check more of them for a while."
                        + " Correct the key, and try again later.");
    }

    void refused(@Nullable String name) {
        limits.refused(transport.clientAddress(), name);
    }

    void accepted(@Nullable String name) {
        limits.accepted(transport.clientAddress(), name);
    }

    /** Returns whether a token may be checked now. */
    public boolean isOpenFor(@Nullable String token) {
        return isOpen(SharedAccessSignature.keyName(token));
    }

    /** Counts the result of a check. */
    public void checked(@Nullable String token, boolean valid) {
        String name = SharedAccessSignature.keyName(token);
        if (valid) {
            accepted(name);
        } else {
            refused(name);
        }
    }
}
