package dev.jitney.runtime.security;

/** A login with the identity provider that was refused or failed. It is expected and cheap: it has no stack trace. */
public final class LoginException extends Exception {
    private static final long serialVersionUID = 1L;

    private final Reason reason;

    /** The kinds of reasons, which the console explains to the user. */
    public enum Reason {
        /** The identity provider has refused the login, or the user has canceled it. */
        DENIED,
        /** The answer belongs to no login of this browser, or the login has taken too long. */
        STATE,
        /** The answer of the identity provider is not valid: its tokens, its issuer, or its form. */
        INVALID,
        /** The user has no role here. */
        ROLE,
        /** The identity provider does not answer. */
        PROVIDER,
        /** Too many logins are in progress. */
        BUSY
    }

    /** @param sentence a sentence for the log and for the audit trail, without secrets */
    public LoginException(Reason reason, String sentence) {
        super(sentence, null, false, false);
        this.reason = reason;
    }

    /** Returns the kind of the reason. */
    public Reason reason() {
        return reason;
    }

    /** Returns the sentence for operators. */
    public String sentence() {
        return String.valueOf(getMessage());
    }
}
