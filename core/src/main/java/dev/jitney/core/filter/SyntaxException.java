package dev.jitney.core.filter;

/** A text that is no filter or action; caught where compiling began and made a rejection there. */
final class SyntaxException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String sentence;

    /** A sentence for whoever wrote the text. */
    SyntaxException(String sentence) {
        super(sentence, null, false, false);
        this.sentence = sentence;
    }

    String sentence() {
        return sentence;
    }
}
