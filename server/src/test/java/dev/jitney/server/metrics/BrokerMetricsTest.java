package dev.jitney.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.gateway.amqp.shared.AmqpFigures;
import dev.jitney.gateway.http.metrics.HttpFigures;
import dev.jitney.gateway.http.metrics.MetricsFormat;
import dev.jitney.model.AccessRule;
import dev.jitney.model.ExpiryEnforcement;
import dev.jitney.model.Limits;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.TierProfile;
import dev.jitney.runtime.Broker;
import dev.jitney.runtime.BrokerOptions;
import dev.jitney.runtime.NamespaceOptions;
import dev.jitney.runtime.sharded.ShardedBroker;
import dev.jitney.runtime.store.InMemoryMessagingStore;
import dev.jitney.server.tls.Admittance;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class BrokerMetricsTest {
    private static final Pattern LINE =
            Pattern.compile("[a-zA-Z_:][a-zA-Z0-9_:]*(\\{([a-z_]+=\"([^\"\\\\]|\\\\.)*\",?)*\\})? \\S+");

    private long nowMs = 1_700_000_000_000L;
    private Broker broker;

    @BeforeEach
    void open() throws Exception {
        List<NamespaceOptions> namespaces = List.of(namespace("one"), namespace("two"));
        broker = ShardedBroker.open(BrokerOptions.of(namespaces), List.of(new InMemoryMessagingStore()), () -> nowMs);
    }

    private static NamespaceOptions namespace(String name) {
        return new NamespaceOptions(
                name, List.of(AccessRule.root("key")), Limits.of(TierProfile.STANDARD), ExpiryEnforcement.ON_RECEIVER);
    }

    @AfterEach
    void close() {
        broker.close();
    }

    @Test
    @DisplayName("Every line of a page is well-formed in both formats")
    void wellFormed() throws Exception {
        create("one", "q-1");
        for (String line : page(100, null, MetricsFormat.PROMETHEUS).split("\n")) {
            assertThat(line.startsWith("# ") || LINE.matcher(line).matches())
                    .as(line)
                    .isTrue();
        }
        assertThat(page(100, null, MetricsFormat.OPEN_METRICS)).endsWith("# EOF\n");
    }

    @Test
    @DisplayName("The oldest entities have metrics of their own; the others are added up")
    void bounded() throws Exception {
        for (int i = 0; i < 5; i++) {
            nowMs += 1_000;
            create("one", "q-" + (9 - i));
        }
        create("two", "elsewhere");
        String page = page(3, null, MetricsFormat.PROMETHEUS);
        assertThat(entities(page))
                .containsExactlyInAnyOrder("one/q-9", "one/q-8", "one/q-7", "one/(other)", "two/(other)");
        assertThat(page)
                .contains("jitney_entity_size_bytes{entity=\"(other)\",kind=\"queue\",namespace=\"one\"} 0.0")
                .contains("jitney_namespace_entities{kind=\"queue\",namespace=\"one\"} 5.0");
        assertThat(entities(page(0, null, MetricsFormat.PROMETHEUS)))
                .containsExactlyInAnyOrder("one/(other)", "two/(other)");
    }

    @Test
    @DisplayName("A page for one namespace contains no others")
    void oneNamespace() throws Exception {
        create("one", "secret-name");
        create("two", "elsewhere");
        assertThat(page(100, "two", MetricsFormat.PROMETHEUS))
                .contains("elsewhere")
                .doesNotContain("secret-name", "namespace=\"one\"");
    }

    @Test
    @DisplayName("The tables of the guide list exactly the existing metrics, with their types")
    void documented() throws IOException {
        String guide = Files.readString(Path.of("../docs/guides/observability.md"));
        Matcher rows = Pattern.compile("(?m)^\\| `(jitney_[a-z_]+)` \\| (counter|gauge|histogram) \\|")
                .matcher(guide);
        List<String> documented = rows.results()
                .map(row -> row.group(2) + " " + row.group(1))
                .sorted()
                .toList();
        List<String> there = Families.all().stream()
                .map(family -> family.type().name().toLowerCase(java.util.Locale.ROOT) + " " + family.shownName())
                .sorted()
                .toList();
        assertThat(documented).isEqualTo(there);
    }

    @Test
    @DisplayName("Ten thousand queues make a page within a limited time and memory")
    void tenThousand() throws Exception {
        for (int i = 0; i < 9_999; i++) {
            broker.namespace(null)
                    .createQueue(QueueDescription.named("queue-" + i).build());
        }
        create("one", "queue-last");
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long startNanos = threads.getCurrentThreadCpuTime();
        String page = page(10_000, null, MetricsFormat.PROMETHEUS);
        assertThat(entities(page)).hasSize(10_000);
        // One second, with a margin for a slow machine and for code that runs for the first time.
        assertThat(TimeUnit.NANOSECONDS.toSeconds(threads.getCurrentThreadCpuTime() - startNanos))
                .isLessThan(20);
    }

    private void create(String namespace, String path) throws Exception {
        broker.namespace(namespace)
                .createQueue(QueueDescription.named(path).build())
                .toCompletableFuture()
                .get(30, TimeUnit.SECONDS);
    }

    private String page(int entitiesMax, @Nullable String namespace, MetricsFormat format) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (BrokerMetrics metrics = new BrokerMetrics(
                broker,
                () -> AmqpFigures.NONE,
                () -> HttpFigures.NONE,
                () -> true,
                entitiesMax,
                "1.2.3",
                () -> null,
                Admittance.open(),
                () -> Safekeeping.NONE)) {
            metrics.write(format, namespace, out);
        }
        return out.toString(StandardCharsets.UTF_8);
    }

    private static Set<String> entities(String page) {
        return Pattern.compile("jitney_entity_size_bytes\\{entity=\"([^\"]*)\",kind=\"queue\",namespace=\"([^\"]*)\"")
                .matcher(page)
                .results()
                .map(match -> match.group(2) + "/" + match.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
