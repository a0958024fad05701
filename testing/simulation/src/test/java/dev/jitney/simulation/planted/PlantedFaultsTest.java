package dev.jitney.simulation.planted;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Plants each fault of {@code faults.txt}, compiles the changed files in front of the class path, and runs seeds until one fails.
 * The build only checks that every fault still fits the code; {@code -Djitney.simulation.planted=true} runs them, in some ten minutes,
 * and prints the table of {@code docs/reliability.md}.
 */
class PlantedFaultsTest {
    private static final boolean RUN = Boolean.getBoolean("jitney.simulation.planted");
    private static final String ONLY = System.getProperty("jitney.simulation.planted.only", "");
    private static final String SEEDS = System.getProperty("jitney.simulation.planted.seeds", "300");
    private static final String EVENTS = "5000";
    private static final int MINUTES_MAX = 20;

    @TempDir
    Path folder;

    @Test
    @DisplayName("Every planted fault fits one place of the code and compiles")
    void everyFaultFits() throws IOException {
        List<PlantedFault> faults = faults();
        assertThat(faults).isNotEmpty();
        assertThat(faults).extracting(PlantedFault::name).doesNotHaveDuplicates();
        for (PlantedFault fault : faults) {
            assertThat(fault.edits()).as(fault.name()).isNotEmpty();
            compile(fault, Files.createTempDirectory(folder, "classes"));
        }
    }

    @TestFactory
    @DisplayName("The simulator finds every planted fault")
    Stream<DynamicTest> findsEveryFault() throws IOException {
        return faults().stream()
                .filter(fault -> RUN && fault.name().contains(ONLY))
                .map(fault -> DynamicTest.dynamicTest(fault.name(), () -> find(fault)));
    }

    private void find(PlantedFault fault) throws IOException, InterruptedException {
        Path classes = Files.createTempDirectory(folder, "classes");
        compile(fault, classes);
        String found = firstSeed(fault, classes);
        System.out.println("| " + fault.name() + " | " + found.replaceFirst("seed (\\d+): .*", "$1") + " |");
        assertThat(found).startsWith("seed ");
    }

    private static List<PlantedFault> faults() throws IOException {
        return PlantedFault.read(Path.of("src/test/resources/dev/jitney/simulation/planted/faults.txt"));
    }

    private static void compile(PlantedFault fault, Path classes) throws IOException {
        Path sources = Files.createDirectories(classes.resolve("source"));
        List<String> arguments =
                new ArrayList<>(List.of("-proc:none", "-nowarn", "-d", classes.toString(), "-cp", classPath()));
        for (Map.Entry<String, String> edited : fault.edited(Path.of("../..")).entrySet()) {
            Path source = sources.resolve(edited.getKey().replaceFirst(".*/java/", ""));
            Files.createDirectories(source.getParent());
            Files.writeString(source, edited.getValue());
            arguments.add(source.toString());
        }
        ByteArrayOutputStream errors = new ByteArrayOutputStream();
        int result = ToolProvider.getSystemJavaCompiler().run(null, errors, errors, arguments.toArray(String[]::new));
        assertThat(result).as(fault.name() + "\n" + errors).isZero();
    }

    private static String firstSeed(PlantedFault fault, Path classes) throws IOException, InterruptedException {
        Path output = classes.resolve("output.txt");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        classes + File.pathSeparator + classPath(),
                        FirstSeed.class.getName(),
                        fault.kind().name(),
                        SEEDS,
                        EVENTS)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            process.getOutputStream().close();
            assertThat(process.waitFor(MINUTES_MAX, TimeUnit.MINUTES)).isTrue();
        } finally {
            process.destroyForcibly(); // a fault may make a history endless
        }
        List<String> lines = new String(Files.readAllBytes(output), StandardCharsets.UTF_8)
                .strip()
                .lines()
                .toList();
        return lines.get(lines.size() - 1);
    }

    private static String classPath() {
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    }
}
