package dev.jitney.conformance.python;

import dev.jitney.conformance.support.CheckProgram;
import dev.jitney.conformance.support.TestBroker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Runs the tests of the Python SDK, one container per file under {@code python} and one JUnit test per test in it. */
class PythonSdkTest {
    @RegisterExtension
    static final TestBroker broker = TestBroker.withHttps();

    /** The number of files that run in parallel, because the SDK mostly waits. */
    private static final int AT_ONCE = 4;

    @TestFactory
    @DisplayName("Python SDK")
    Stream<DynamicNode> pythonSdk() throws IOException {
        Python.requireServiceBus();
        ExecutorService processes = Executors.newFixedThreadPool(AT_ONCE);
        Map<String, Future<Stream<DynamicTest>>> running = new LinkedHashMap<>();
        for (String file : files()) {
            running.put(file, processes.submit(() -> CheckProgram.tests(Python.program(broker, file))));
        }
        processes.shutdown();
        return running.entrySet().stream()
                .map(file -> DynamicContainer.dynamicContainer(file.getKey(), result(file.getValue())));
    }

    private static Stream<DynamicTest> result(Future<Stream<DynamicTest>> tests) {
        try {
            return tests.get();
        } catch (ExecutionException e) {
            throw new AssertionError(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("Expected the tests of the Python SDK to end, but the thread was interrupted.", e);
        }
    }

    private static List<String> files() throws IOException {
        try (Stream<Path> listing = Files.list(Path.of("python"))) {
            return listing.map(file -> file.getFileName().toString())
                    .filter(file -> file.endsWith("_test.py"))
                    .sorted()
                    .toList();
        }
    }
}
