package dev.jitney.gateway.http.atom;

/** A body that is not an entry, or not a valid description. It is expected and cheap: it has no stack trace. */
public final class MalformedEntryException extends Exception {
    private static final long serialVersionUID = 1L;

    /** Creates an exception with a sentence for the client. */
    public MalformedEntryException(String sentence) {
        super(sentence, null, false, false);
    }

    /** Returns the sentence for the client. */
    public String sentence() {
        return String.valueOf(getMessage());
    }
}
