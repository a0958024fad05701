package dev.jitney.server.config;

/** An invalid value in the file. The reader catches it and adds the name of the file. */
final class InvalidValue extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception for a place and a rule.
     *
     * @param path JSON path of the value
     * @param rule a sentence "Expected …, but got …."
     */
    InvalidValue(String path, String rule) {
        super(path + ": " + rule, null, false, false);
    }
}
