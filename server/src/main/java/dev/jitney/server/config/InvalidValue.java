package dev.jitney.server.config;

/** A value in the file that breaks a rule; caught by the reader, which adds the name of the file. */
final class InvalidValue extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * Names place and rule.
     *
     * @param path JSON path of the value
     * @param rule a sentence "Expected …, but got …."
     */
    InvalidValue(String path, String rule) {
        super(path + ": " + rule, null, false, false);
    }
}
