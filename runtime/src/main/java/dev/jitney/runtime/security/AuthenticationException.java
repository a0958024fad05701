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

    private AuthenticationException(int subCode, String description) {
        super(description, null, false, false);
        this.rejection = new Rejection(ErrorCode.AUTH_FAILED, description);
        this.subCode = subCode;
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

    /** Returns the refusal for the client: {@link ErrorCode#AUTH_FAILED} and a sentence without secrets. */
    public Rejection rejection() {
        return rejection;
    }

    /** Returns the reason over HTTP, a number of five digits from 40102 to 40110 (HTTP reference 2.10). */
    public int subCode() {
        return subCode;
    }
}
