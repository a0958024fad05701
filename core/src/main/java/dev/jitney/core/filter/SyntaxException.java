package dev.jitney.core.filter;

/**
 * The exception for a text that is not a valid filter or action. The caller of the compiler turns it into a rejection.
 */
final class SyntaxException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String sentence;

    /** Creates an exception with a sentence for the author of the text. */
    SyntaxException(String sentence) {
        super(sentence, null, false, false);
        this.sentence = sentence;
    }

    String sentence() {
        return sentence;
    }
}
