package dev.jitney.comparison.result;

import java.util.List;
import java.util.Map;

/**
 * The conditions of runs.
 *
 * @param time time of the first run, ISO 8601
 * @param smoke whether the runs only show that everything works
 * @param machine description of the machine
 * @param client description of the client
 * @param brokers settings of each broker, by its name with its version
 */
public record Setting(
        String time, boolean smoke, List<String> machine, List<String> client, Map<String, List<String>> brokers) {}
