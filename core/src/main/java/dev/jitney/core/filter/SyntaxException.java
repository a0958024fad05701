package dev.jitney.core.filter;

/** A text that is no filter or action; caught where compiling began and made a rejection there. */
final class SyntaxException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** A sentence for whoever wrote the text. */
    SyntaxException(String message) {
        super(message, null, false, false);
    }
}
