package dev.jitney.comparison.result;

/**
 * A run that did not come to its end.
 *
 * @param scenario its id
 * @param broker name of the broker
 * @param round from 1 on
 * @param message what went wrong
 * @param repeated whether the run was made once more
 */
public record Failure(String scenario, String broker, int round, String message, boolean repeated) {}
