package dev.jitney.gateway.http.atom;

/** A body that is no entry, or no description of what was asked for. Expected and cheap: no stack trace. */
public final class MalformedEntryException extends Exception {
    private static final long serialVersionUID = 1L;

    /** Takes a sentence for the client. */
    public MalformedEntryException(String sentence) {
        super(sentence, null, false, false);
    }

    /** The sentence for the client. */
    public String sentence() {
        return String.valueOf(getMessage());
    }
}
