package dev.jitney.comparison.result;

import java.util.List;
import java.util.Map;

/**
 * The result of one run.
 *
 * @param scenario id of the scenario
 * @param title description of the scenario
 * @param broker name of the broker
 * @param round number of the round, from 1
 * @param figures values by {@link Figure#key}
 * @param series series by the names in {@link Findings}
 */
public record Run(
        String scenario,
        String title,
        String broker,
        int round,
        Map<String, Double> figures,
        Map<String, List<Double>> series) {}
