package dev.jitney.comparison.result;

import java.util.List;
import java.util.Map;

/**
 * Under which circumstances runs were made.
 *
 * @param time when they began, ISO 8601
 * @param smoke whether they only show that everything works
 * @param machine what ran them
 * @param client how they were measured
 * @param brokers version and settings of each broker, by its name with its version
 */
public record Setting(
        String time, boolean smoke, List<String> machine, List<String> client, Map<String, List<String>> brokers) {}
