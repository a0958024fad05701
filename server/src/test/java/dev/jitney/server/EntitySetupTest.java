package dev.jitney.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jitney.model.EntityAddress;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.BrokerException;
import dev.jitney.server.config.ConfigReader;
import dev.jitney.server.config.NamespaceConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EntitySetupTest {
    @TempDir
    Path dir;

    private final Catalogue catalogue = new Catalogue();

    @Test
    @DisplayName("Applying a file twice changes nothing, and only what differs is written")
    void idempotent() throws Exception {
        NamespaceConfig config = config("{\"Name\":\"a\"},{\"Name\":\"b\",\"Properties\":{\"LockDuration\":\"PT9S\"}}");
        assertThat(EntitySetup.apply(config, catalogue)).isEqualTo(new EntitySetup(2, 0, List.of()));
        assertThat(EntitySetup.apply(config, catalogue)).isEqualTo(new EntitySetup(0, 0, List.of()));
        assertThat(catalogue.writes).isEqualTo(2);

        NamespaceConfig changed =
                config("{\"Name\":\"A\"},{\"Name\":\"B\",\"Properties\":{\"LockDuration\":\"PT8S\"}}");
        assertThat(EntitySetup.apply(changed, catalogue)).isEqualTo(new EntitySetup(0, 1, List.of()));
        assertThat(catalogue.queues.get("b").path()).isEqualTo("b");
        assertThat(catalogue.queues.get("b").lockDurationMs()).isEqualTo(8_000);
    }

    @Test
    @DisplayName("A queue that needs what is not served is announced and not made")
    void announcesUnserved() throws Exception {
        NamespaceConfig config = config("{\"Name\":\"s\",\"Properties\":{\"RequiresSession\":true}},{\"Name\":\"q\"}");
        EntitySetup setup = EntitySetup.apply(config, catalogue);
        assertThat(setup.created()).isEqualTo(1);
        assertThat(setup.unserved()).containsExactly("queue 's' needs sessions (RequiresSession)");
        assertThat(catalogue.queues).containsOnlyKeys("q");
    }

    @Test
    @DisplayName("What the broker refuses stops the start with the queue's name")
    void refused() throws Exception {
        catalogue.refusal = new Rejection(ErrorCode.OUT_OF_RANGE, "Expected a smaller size.");
        assertThatThrownBy(() -> EntitySetup.apply(config("{\"Name\":\"q\"}"), catalogue))
                .isInstanceOfSatisfying(
                        StartException.class, e -> assertThat(e.exitCode()).isEqualTo(2))
                .hasMessage("--config: queue 'q' of namespace 'n': Expected a smaller size.");
        catalogue.refusal = Rejection.of(ErrorCode.SERVER_BUSY);
        assertThatThrownBy(() -> EntitySetup.apply(config("{\"Name\":\"q\"}"), catalogue))
                .isInstanceOfSatisfying(
                        StartException.class, e -> assertThat(e.exitCode()).isEqualTo(1));
    }

    private NamespaceConfig config(String queues) throws Exception {
        Path file = Files.writeString(
                dir.resolve("config.json"),
                "{\"UserConfig\":{\"Namespaces\":[{\"Name\":\"n\",\"Queues\":[" + queues + "]}]}}");
        return ConfigReader.read(file, false).namespaces().get(0);
    }

    private static final class Catalogue implements QueueCatalogue {
        private final Map<String, QueueDescription> queues = new TreeMap<>();
        private Rejection refusal;
        private int writes;

        @Override
        public QueueDescription find(String path) {
            return queues.get(EntityAddress.keyOf(path));
        }

        @Override
        public CompletionStage<?> create(QueueDescription description) {
            return write(description);
        }

        @Override
        public CompletionStage<?> update(QueueDescription description) {
            return write(description);
        }

        @Override
        public List<String> paths() {
            return List.copyOf(queues.keySet());
        }

        private CompletionStage<?> write(QueueDescription description) {
            if (refusal != null) {
                return CompletableFuture.failedFuture(new BrokerException(refusal));
            }
            writes++;
            queues.put(EntityAddress.keyOf(description.path()), description);
            return CompletableFuture.completedFuture(description);
        }
    }
}
