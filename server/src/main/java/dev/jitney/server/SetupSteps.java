package dev.jitney.server;

import dev.jitney.runtime.BrokerException;
import dev.jitney.server.config.EntityConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;

/** The pending changes of entities. A refusal is reported with its place in the file. */
final class SetupSteps {
    private static final long TIMEOUT_SECONDS = 60;

    private final String namespace;
    private final List<Step> pending = new ArrayList<>();

    /** @param place maps the text of a refusal to the JSON path of its setting */
    private record Step(UnaryOperator<String> place, CompletionStage<?> stage) {}

    SetupSteps(String namespace) {
        this.namespace = namespace;
    }

    void add(EntityConfig<?> entity, CompletionStage<?> stage) {
        pending.add(new Step(entity::whereSaid, stage));
    }

    void add(String where, CompletionStage<?> stage) {
        pending.add(new Step(refusal -> where, stage));
    }

    /** Waits until all changes are durable. */
    void await() throws StartException {
        for (Step step : pending) {
            await(step);
        }
        pending.clear();
    }

    private void await(Step step) throws StartException {
        String start = "--config: ";
        try {
            step.stage.toCompletableFuture().get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof BrokerException refused) {
                String description = refused.rejection().description();
                String reason = start + step.place.apply(description) + ": " + description;
                throw refused.rejection().code().retryable()
                        ? StartException.fault(reason, refused)
                        : StartException.badOption(reason, refused);
            }
            throw StartException.fault(start + step.place.apply("") + ": " + e.getCause(), e);
        } catch (TimeoutException e) {
            throw StartException.fault(
                    start + "namespace '" + namespace + "': Expected the changes to be stored in " + TIMEOUT_SECONDS
                            + " s, but they were not.",
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw StartException.fault(start + "namespace '" + namespace + "': The setup was interrupted.", e);
        }
    }
}
