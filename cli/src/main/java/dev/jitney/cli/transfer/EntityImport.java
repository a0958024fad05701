package dev.jitney.cli.transfer;

import com.azure.core.exception.HttpResponseException;
import dev.jitney.cli.connection.Failures;
import dev.jitney.cli.connection.NamespaceClients;
import dev.jitney.cli.entity.EntityWriter;
import dev.jitney.cli.entity.EntityWriter.Outcome;
import dev.jitney.cli.output.Failure;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The entities of an import. An entity that forwards to one that does not exist yet waits until all others are created. The
 * number of entities in a namespace bounds the memory.
 */
final class EntityImport {
    private static final int WAITING_MAX = 10_000;

    private final NamespaceClients clients;
    private final boolean update;
    private final Consumer<String> notes;
    private final Map<Outcome, Long> outcomes = new EnumMap<>(Outcome.class);
    private final Deque<Waiting> waiting = new ArrayDeque<>();
    private @Nullable EntityWriter writer;
    private long failed;

    EntityImport(NamespaceClients clients, boolean update, Consumer<String> notes) {
        this.clients = clients;
        this.update = update;
        this.notes = notes;
    }

    private record Waiting(Map<String, @Nullable Object> document, long line) {}

    static boolean knows(String kind) {
        return EntityWriter.knows(kind);
    }

    void add(Map<String, @Nullable Object> document, long line) {
        try {
            count(writer().write(document));
        } catch (HttpResponseException e) {
            if (EntityWriter.forwards(document) && waiting.size() < WAITING_MAX) {
                waiting.add(new Waiting(document, line));
            } else {
                fail(e, line);
            }
        }
    }

    /**
     * Creates the waiting entities, in as many rounds as the longest chain of forwarding needs. An entity waits until it is written, so
     * that none is lost by a failure.
     */
    void finish() {
        boolean stuck = false;
        while (!waiting.isEmpty()) {
            int round = waiting.size();
            for (int i = 0; i < round; i++) {
                Waiting one = waiting.element();
                try {
                    count(writer().write(one.document()));
                } catch (HttpResponseException e) {
                    if (stuck) {
                        fail(e, one.line());
                    } else {
                        waiting.add(one);
                    }
                }
                waiting.remove();
            }
            stuck = waiting.size() == round;
        }
    }

    /** Returns the first line whose entity waits for another one, or {@code Long.MAX_VALUE} if none does. */
    long firstWaitingLine() {
        return waiting.stream().mapToLong(Waiting::line).min().orElse(Long.MAX_VALUE);
    }

    private EntityWriter writer() {
        if (writer == null) {
            writer = new EntityWriter(clients.admin(), update, notes);
        }
        return writer;
    }

    private void count(Outcome outcome) {
        outcomes.merge(outcome, 1L, Long::sum);
    }

    /** Records a refused entity and continues with the others. Any other failure ends the import. */
    private void fail(HttpResponseException e, long line) {
        int status = e.getResponse() == null ? 0 : e.getResponse().getStatusCode();
        Failure failure = Failures.of(e);
        if (status != 400 && status != 404 && status != 409 || failure == null) {
            throw e;
        }
        failed++;
        notes.accept("line " + line + ": " + failure.line());
    }

    long failed() {
        return failed;
    }

    String summary() {
        return String.format(
                        Locale.ROOT,
                        "Entities: %,d created, %,d updated, %,d unchanged, %,d different, %,d failed",
                        outcomes.getOrDefault(Outcome.CREATED, 0L),
                        outcomes.getOrDefault(Outcome.UPDATED, 0L),
                        outcomes.getOrDefault(Outcome.UNCHANGED, 0L),
                        outcomes.getOrDefault(Outcome.DIFFERENT, 0L),
                        failed)
                + (waiting.isEmpty()
                        ? "."
                        : String.format(
                                Locale.ROOT, ", %,d not created yet, because they forward to others.", waiting.size()));
    }
}
