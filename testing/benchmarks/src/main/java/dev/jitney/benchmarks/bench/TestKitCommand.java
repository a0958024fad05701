package dev.jitney.benchmarks.bench;

import dev.jitney.benchmarks.load.Spread;
import dev.jitney.benchmarks.testkit.TestKitRun;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code jitney bench testkit}: the times that a test waits for the test kit, and the memory of namespaces. */
@Command(
        name = "testkit",
        description = {
            "Measures the test kit: the first and the next start of a broker, namespaces, and tests that each use one.",
            "Each round is a Java machine of its own. The result has the medians of the rounds."
        })
public final class TestKitCommand implements Callable<Integer> {
    private static final Map<String, String> LABELS = labels();

    @Mixin
    private Terminal terminal = new Terminal();

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "5",
            description = "Number of rounds (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Option(
            names = "--tests",
            paramLabel = "N",
            defaultValue = "500",
            description = "Number of tests in a round, with the kit and with the SDK (default: ${DEFAULT-VALUE}).")
    private int tests;

    @Option(
            names = "--namespaces",
            paramLabel = "N",
            defaultValue = "1000",
            description = "Number of namespaces that exist at the same time (default: ${DEFAULT-VALUE}).")
    private int namespaces;

    @Option(
            names = "--java",
            paramLabel = "OPTION",
            description = "Option of the Java machines, such as -Xmx1g. May be repeated.")
    private List<String> java = List.of();

    @Override
    public Integer call() throws InterruptedException {
        terminal.check("--rounds", rounds, 1);
        terminal.check("--tests", tests, 1);
        terminal.check("--namespaces", namespaces, 1);
        return terminal.attempt(this::measure);
    }

    private int measure() throws IOException, InterruptedException {
        Map<String, List<Double>> figures = new LinkedHashMap<>();
        for (int round = 0; round < rounds; round++) {
            run().forEach((name, value) ->
                    figures.computeIfAbsent(name, key -> new ArrayList<>()).add(value));
        }
        for (Map.Entry<String, String> label : LABELS.entrySet()) {
            Spread spread = new Spread(figures.getOrDefault(label.getKey(), List.of()).stream()
                    .mapToDouble(Double::doubleValue)
                    .toArray());
            terminal.say(
                    "%-48s %,9.1f (%,.1f to %,.1f)",
                    String.format(label.getValue(), label.getValue().contains("tests") ? tests : namespaces),
                    spread.median(),
                    spread.min(),
                    spread.max());
        }
        return 0;
    }

    /** Runs a round and returns its figures. */
    private Map<String, Double> run() throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(java);
        command.addAll(List.of(
                "-cp",
                System.getProperty("java.class.path"),
                "-Dlogback.configurationFile=dev/jitney/benchmarks/logback.xml",
                TestKitRun.class.getName(),
                Integer.toString(tests),
                Integer.toString(namespaces)));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        Map<String, Double> figures = new LinkedHashMap<>();
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String[] words = line.split(" ");
                if (words.length == 2 && LABELS.containsKey(words[0])) {
                    figures.put(words[0], Double.parseDouble(words[1]));
                }
            }
        }
        int status = process.waitFor();
        if (status != 0 || !figures.keySet().containsAll(LABELS.keySet())) {
            throw new IOException("Expected all figures of a round, but the process ended with status " + status
                    + " and " + figures.keySet() + ".");
        }
        return figures;
    }

    private static Map<String, String> labels() {
        Map<String, String> labels = new LinkedHashMap<>();
        labels.put("firstStartMs", "first start (ms)");
        labels.put("firstTestMs", "first namespace and message (ms)");
        labels.put("nextStartMs", "next start (ms)");
        labels.put("namespaceMs", "namespace with a queue (ms)");
        labels.put("kitTestsS", "%,d tests with the kit (s)");
        labels.put("sdkTestsS", "%,d tests with the SDK (s)");
        labels.put("namespacesMB", "%,d namespaces with a message (MB)");
        labels.put("afterNamespacesMB", "after they are deleted (MB)");
        return labels;
    }
}
