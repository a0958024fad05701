package dev.jitney.comparison.result;

import java.util.List;
import java.util.Map;

/**
 * What one run found.
 *
 * @param scenario its id
 * @param title what it did
 * @param broker name of the broker
 * @param round from 1 on
 * @param figures by {@link Figure#key}
 * @param series by the names in {@link Findings}
 */
public record Run(
        String scenario,
        String title,
        String broker,
        int round,
        Map<String, Double> figures,
        Map<String, List<Double>> series) {}
