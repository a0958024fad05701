package dev.jitney.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Brokers in this Java machine, and the class path of the application. */
@Timeout(60)
class JitneyBrokerTest {

    @TempDir
    Path dir;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "dev.jitney.server.JitneyServer",
                "dev.jitney.server.embedded.EmbeddedServer",
                "dev.jitney.runtime.Broker",
                "dev.jitney.model.AccessRule",
                "ch.qos.logback.classic.Logger",
                "io.vertx.core.Vertx",
                "org.apache.qpid.protonj2.engine.Engine"
            })
    @DisplayName("The application sees no class of the broker and of its libraries, before and while a broker runs")
    void noClassIsVisible(String name) {
        assertThatThrownBy(() -> Class.forName(name)).isInstanceOf(ClassNotFoundException.class);
        try (JitneyBroker broker = JitneyBroker.start()) {
            assertThat(broker.port()).isPositive();
            assertThatThrownBy(() -> Class.forName(name)).isInstanceOf(ClassNotFoundException.class);
            assertThatThrownBy(() ->
                            Class.forName(name, false, Thread.currentThread().getContextClassLoader()))
                    .isInstanceOf(ClassNotFoundException.class);
        }
    }

    @Test
    @DisplayName("Several brokers run at the same time on ports of their own, and a closed one refuses requests")
    void several() {
        try (JitneyBroker first = JitneyBroker.start();
                JitneyBroker second = JitneyBroker.start()) {
            assertThat(first.port()).isNotEqualTo(second.port());
            Jitney namespace = first.newNamespace(n -> n.queue("orders"));
            namespace.queue("orders").send("a");
            namespace.queue("orders").assertHas(1);
            first.close();
            assertThatThrownBy(() -> namespace.queue("orders").send("b"))
                    .isInstanceOf(JitneyException.class)
                    .hasMessageContaining(
                            "queue 'orders': send(): The broker at 127.0.0.1:" + first.port() + " did not answer");
            second.newNamespace(n -> n.queue("orders")).queue("orders").assertEmpty();
        }
    }

    @Test
    @DisplayName("A namespace has the name that a test chooses, once")
    void names() {
        try (JitneyBroker broker = JitneyBroker.start()) {
            NamespaceDefinition entities = new NamespaceDefinition().queue("orders");
            assertThat(broker.newNamespace("shop", entities).name()).isEqualTo("shop");
            assertThatThrownBy(() -> broker.newNamespace("shop", entities))
                    .isInstanceOf(JitneyException.class)
                    .hasMessageContaining("newNamespace(): The broker answered 409: ");
        }
    }

    @Test
    @DisplayName("Invalid entities are refused with their place, and leave no namespace")
    void invalid() {
        try (JitneyBroker broker = JitneyBroker.start()) {
            assertThatThrownBy(() -> broker.newNamespace(n -> n.queue("orders", q -> q.maxDeliveryCount(0))))
                    .isInstanceOf(JitneyException.class)
                    .hasMessageContaining("newNamespace(): The broker answered 400: ")
                    .hasMessageContaining("MaxDeliveryCount");
            assertThatThrownBy(() ->
                            broker.newNamespace(n -> n.topic("t", t -> t.subscription("s", s -> s.sql("cups >")))))
                    .isInstanceOf(JitneyException.class)
                    .hasMessageContaining("answered 400")
                    .hasMessageContaining("Subscriptions[0]: Expected a value at line 1, column 7 of the SQL filter");
        }
    }

    @Test
    @DisplayName("The emulator's file of the samples makes a namespace")
    void emulatorFile() {
        Path samples = Path.of("").toAbsolutePath().getParent().getParent().resolve("samples/config.json");
        try (JitneyBroker broker = JitneyBroker.builder().config(samples).start();
                Jitney jitney = broker.newNamespace()) {
            jitney.topic("drinks").send("latte", m -> m.property("cups", 3));
            jitney.awaitIdle();
            jitney.subscription("drinks", "large").assertHas(1);
            jitney.subscription("drinks", "tea").assertEmpty();
        }
    }

    @Test
    @DisplayName("A broker with files keeps messages on disk, and refuses a directory that has files")
    void files() throws Exception {
        Path data = dir.resolve("data");
        try (JitneyBroker broker =
                        JitneyBroker.builder().queue("orders").files(data).start();
                Jitney jitney = broker.newNamespace();
                ServiceBusReceiverClient receiver = JitneyTest.receiver(jitney)) {
            jitney.queue("orders").send("on disk");
            assertThat(JitneyTest.only(receiver).getBody().toString()).isEqualTo("on disk");
            try (Stream<Path> content = Files.walk(data)) {
                assertThat(content.filter(file -> file.toString().contains("store-")))
                        .isNotEmpty();
            }
        }
        assertThatThrownBy(() -> JitneyBroker.builder().files(data).start())
                .isInstanceOf(JitneyException.class)
                .hasMessageContaining("files: Expected an empty directory, but " + data);
    }

    @Test
    @DisplayName("An unknown level of the log is refused, and INFO writes lines with the name of the broker")
    void log() {
        assertThatThrownBy(() -> JitneyBroker.builder().logLevel("LOUD").start())
                .isInstanceOf(JitneyException.class)
                .hasMessageContaining(
                        "logLevel: Expected one of [TRACE, DEBUG, INFO, WARN, ERROR, OFF], but got 'LOUD'.");
        assertThat(linesAt("INFO")).isNotEmpty().allMatch(line -> line.startsWith("[jitney] "));
        assertThat(linesAt("WARN")).isEmpty();
    }

    private static List<String> linesAt(String level) {
        PrintStream before = System.err;
        ByteArrayOutputStream lines = new ByteArrayOutputStream();
        System.setErr(new PrintStream(lines, true, StandardCharsets.UTF_8));
        try (JitneyBroker broker = JitneyBroker.builder().logLevel(level).start()) {
            assertThat(broker.port()).isPositive();
        } finally {
            System.setErr(before);
        }
        return lines.toString(StandardCharsets.UTF_8).lines().toList();
    }
}
