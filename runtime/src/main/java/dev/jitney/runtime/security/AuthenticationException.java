package dev.jitney.runtime.security;

import dev.jitney.model.ErrorCode;
import dev.jitney.model.Rejection;

/**
 * A credential that was not accepted, with the error text of Azure Service Bus.
 *
 * <p>It is expected and cheap: it has no stack trace.
 */
public final class AuthenticationException extends Exception {
    /** The sub-codes of Azure Service Bus for credentials (HTTP reference 2.10). */
    static final int MISSING_TOKEN = 40102;

    static final int INVALID_SIGNATURE = 40103;
    static final int INVALID_AUDIENCE = 40104;
    static final int MALFORMED_TOKEN = 40105;
    static final int EXPIRED_TOKEN = 40106;
    static final int MISSING_AUDIENCE = 40107;
    static final int MISSING_EXPIRY = 40108;
    static final int MISSING_SIGNATURE = 40110;

    private static final long serialVersionUID = 1L;

    private final transient Rejection rejection;
    private final int subCode;

    /** The reasons why a token of an identity provider is not accepted. */
    public enum Reason {
        /** It is not such a token, or of a kind that is not accepted. */
        MALFORMED(MALFORMED_TOKEN, "MalformedToken: "),
        /** It is not from the configured issuer, or its signature is wrong. */
        INVALID_SIGNATURE(AuthenticationException.INVALID_SIGNATURE, "InvalidSignature: "),
        /** It is for another service. */
        INVALID_AUDIENCE(AuthenticationException.INVALID_AUDIENCE, "InvalidAudience: "),
        /** It is expired, or not valid yet. */
        EXPIRED(EXPIRED_TOKEN, "ExpiredToken: "),
        /** It cannot be verified now, because the keys of the identity provider are missing. The client may try again. */
        UNAVAILABLE(0, "");

        private final int subCode;
        private final String prefix;

        Reason(int subCode, String prefix) {
            this.subCode = subCode;
            this.prefix = prefix;
        }
    }

    private AuthenticationException(int subCode, String description) {
        this(ErrorCode.AUTH_FAILED, subCode, description);
    }

    private AuthenticationException(ErrorCode code, int subCode, String description) {
        super(description, null, false, false);
        this.rejection = new Rejection(code, description);
        this.subCode = subCode;
    }

    /**
     * Creates an exception for a token of an identity provider.
     *
     * @param sentence a sentence for the client, without secrets
     */
    public static AuthenticationException of(Reason reason, String sentence) {
        return reason == Reason.UNAVAILABLE
                ? new AuthenticationException(ErrorCode.SERVER_BUSY, 0, sentence)
                : new AuthenticationException(reason.subCode, reason.prefix + sentence);
    }

    /** Returns an exception for a token of an identity provider at a server without one. */
    public static AuthenticationException noIdentityProvider() {
        return of(
                Reason.MALFORMED,
                "Expected a shared access signature, but got a token of an identity provider, and this server has none."
                        + " An operator can set one with --oidc-issuer.");
    }

    static AuthenticationException missingToken() {
        return new AuthenticationException(MISSING_TOKEN, "MissingToken: Expected a token, but got none.");
    }

    static AuthenticationException malformed(String sentence) {
        return new AuthenticationException(MALFORMED_TOKEN, "MalformedToken: " + sentence);
    }

    static AuthenticationException missingField(int subCode, String field) {
        return new AuthenticationException(
                subCode, "MalformedToken: Expected the field '" + field + "' in the token, but it is missing.");
    }

    static AuthenticationException expired() {
        return new AuthenticationException(EXPIRED_TOKEN, "ExpiredToken: The token is expired.");
    }

    static AuthenticationException invalidAudience() {
        return new AuthenticationException(
                INVALID_AUDIENCE, "InvalidAudience: The token's resource does not cover the requested entity.");
    }

    /** Returns an exception that does not reveal which of rule, key and signature was wrong. */
    static AuthenticationException invalidSignature() {
        return new AuthenticationException(INVALID_SIGNATURE, "InvalidSignature: The token has an invalid signature.");
    }

    static AuthenticationException invalidKey() {
        return new AuthenticationException(
                INVALID_SIGNATURE, "InvalidSignature: The rule name or its key is not valid here.");
    }

    /** Returns whether the rule or its key is wrong, as in an attempt to guess a key. */
    public boolean isWrongKey() {
        return subCode == INVALID_SIGNATURE;
    }

    /** Returns whether the credential may be valid, so that the client may try again with it. */
    public boolean isTemporary() {
        return rejection.code() == ErrorCode.SERVER_BUSY;
    }

    /**
     * Returns the refusal for the client: a sentence without secrets, and {@link ErrorCode#AUTH_FAILED}, or {@link
     * ErrorCode#SERVER_BUSY} if it {@linkplain #isTemporary is temporary}.
     */
    public Rejection rejection() {
        return rejection;
    }

    /** Returns the reason over HTTP, a number of five digits from 40102 to 40110 (HTTP reference 2.10), or 0. */
    public int subCode() {
        return subCode;
    }
}
