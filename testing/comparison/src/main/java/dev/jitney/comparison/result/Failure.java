package dev.jitney.comparison.result;

/**
 * A run that failed.
 *
 * @param scenario id of the scenario
 * @param broker name of the broker
 * @param round number of the round, from 1
 * @param message error text
 * @param repeated whether the run was repeated
 */
public record Failure(String scenario, String broker, int round, String message, boolean repeated) {}
