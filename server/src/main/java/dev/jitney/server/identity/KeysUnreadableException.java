package dev.jitney.server.identity;

/** A failure to read the keys of the identity provider, with a sentence for operators. */
final class KeysUnreadableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    KeysUnreadableException(String sentence) {
        super(sentence, null, false, false);
    }
}
