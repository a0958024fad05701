package dev.jitney.conformance.clients;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestExecutionResult.Status;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * A listener that writes the result of every test of a client to a new file. The system property {@code
 * jitney.clients.results} names the directory. Without the property it does nothing. JUnit finds it by its service file
 * and calls it from one thread.
 */
public final class ClientResults implements TestExecutionListener {
    static final String PROPERTY = "jitney.clients.results";

    private final @Nullable String directory = System.getProperty(PROPERTY);
    private final List<String> lines = new ArrayList<>();
    private @Nullable TestPlan plan;

    /** The result of a test: a line with client, outcome and name, separated by tabs. */
    record Line(Client client, Outcome outcome, String name) {
        static Line parse(String text) {
            String[] parts = text.split("\t", 3);
            return new Line(Client.valueOf(parts[0]), Outcome.valueOf(parts[1]), parts[2]);
        }

        @Override
        public String toString() {
            return client.name() + '\t' + outcome + '\t' + name;
        }
    }

    /** The outcome of a test; the worst one is last. */
    enum Outcome {
        PASSED,
        SKIPPED,
        FAILED
    }

    @Override
    public void testPlanExecutionStarted(TestPlan started) {
        plan = started;
    }

    @Override
    public void executionFinished(TestIdentifier identifier, TestExecutionResult result) {
        if (result.getStatus() == Status.ABORTED) {
            add(identifier, Outcome.SKIPPED);
        } else if (result.getStatus() == Status.FAILED) {
            add(identifier, Outcome.FAILED);
        } else if (identifier.isTest()) {
            add(identifier, Outcome.PASSED);
        }
    }

    @Override
    public void executionSkipped(TestIdentifier identifier, String reason) {
        add(identifier, Outcome.SKIPPED);
    }

    private void add(TestIdentifier identifier, Outcome outcome) {
        if (directory == null || plan == null) {
            return;
        }
        String className = null;
        StringBuilder names = new StringBuilder();
        String method = "";
        for (UniqueId.Segment segment : identifier.getUniqueIdObject().getSegments()) {
            if (segment.getType().equals("class")) {
                className = segment.getValue();
            } else if (className != null && method.isEmpty()) {
                method = segment.getValue();
            }
        }
        if (className == null) {
            return;
        }
        for (TestIdentifier at = identifier; at != null; at = plan.getParent(at).orElse(null)) {
            if (at.getUniqueIdObject().getLastSegment().getType().equals("class")) {
                break;
            }
            names.insert(0, " / " + at.getDisplayName());
        }
        String simpleName = className.substring(className.lastIndexOf('.') + 1);
        String name = (method + names).replaceAll("\\s+", " ");
        Client client = Client.of(simpleName, name);
        if (client != null) {
            lines.add(new Line(client, outcome, simpleName + " " + name).toString());
        }
    }

    @Override
    public void testPlanExecutionFinished(TestPlan finished) {
        if (directory == null || lines.isEmpty()) {
            return;
        }
        try {
            Path results = Files.createDirectories(Path.of(directory));
            Files.write(results.resolve(UUID.randomUUID() + ".tsv"), lines);
            lines.clear();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
