package dev.jitney.server.doctor;

/**
 * A result of a check.
 *
 * @param check the name of the check
 * @param reason a sentence about the state that was found, without secrets
 * @param fix a sentence about the remedy; empty for {@link Level#OK}
 */
public record Finding(Level level, String check, String reason, String fix) {}
