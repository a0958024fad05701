package dev.jitney.testkit.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import dev.jitney.testkit.Jitney;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.engine.reporting.ReportEntry;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;

/** The extension in runs of JUnit inside a test. */
@Timeout(120)
class JitneyExtensionTest {
    private static final Queue<Seen> SEEN = new ConcurrentLinkedQueue<>();

    /** The observations of a test in a run. */
    private record Seen(String test, String namespace, int port, long messages, Instant now) {
        static void by(String test, Jitney jitney) {
            boolean hasQueue = !test.startsWith("no queue");
            long messages = hasQueue ? jitney.queue("orders").counts().active() : 0;
            if (hasQueue) {
                jitney.queue("orders").send("left by " + test);
            }
            SEEN.add(new Seen(test, jitney.name(), jitney.amqpPort(), messages, Instant.now()));
        }
    }

    @BeforeEach
    @AfterEach
    void forget() {
        SEEN.clear();
    }

    @Test
    @DisplayName("The tests of a class share a namespace by default, also those of nested classes and with parameters")
    void namespacePerClass() {
        run(PerClass.class).testEvents().assertStatistics(events -> events.succeeded(4));

        assertThat(SEEN).hasSize(5).extracting(Seen::namespace).containsOnly(first().namespace());
        assertThat(SEEN).extracting(Seen::messages).containsExactlyInAnyOrder(0L, 1L, 2L, 3L, 4L);
    }

    static class PerClass {
        @RegisterExtension
        static final JitneyExtension JITNEY = JitneyExtension.broker().queue("orders");

        @BeforeAll
        static void before(Jitney jitney) {
            Seen.by("before all", jitney);
        }

        @ParameterizedTest
        @ValueSource(ints = {1, 2})
        void numbers(int number, Jitney jitney) {
            Seen.by("number " + number, jitney);
        }

        @Test
        void connection(@JitneyConnectionString String connectionString, Jitney jitney) {
            assertThat(connectionString).isEqualTo(jitney.connectionString()).startsWith("Endpoint=sb://");
            Seen.by("connection", jitney);
        }

        @Nested
        class Inner {
            @Test
            void nested(Jitney jitney) {
                Seen.by("nested", jitney);
            }
        }
    }

    @Test
    @DisplayName("Each test and each invocation has a namespace of its own without leftovers, in one broker")
    void namespacePerTest() {
        run(OwnNamespaces.class).testEvents().assertStatistics(events -> events.succeeded(6));

        assertThat(SEEN).hasSize(6).extracting(Seen::messages).containsOnly(0L);
        assertThat(SEEN).extracting(Seen::namespace).doesNotHaveDuplicates();
        assertThat(SEEN).extracting(Seen::port).containsOnly(first().port());
    }

    static class OwnNamespaces {
        @RegisterExtension
        static final JitneyExtension JITNEY =
                JitneyExtension.broker().queue("orders").namespacePerTest();

        private final Jitney ofConstructor;
        private Jitney ofBefore;

        OwnNamespaces(Jitney jitney) {
            ofConstructor = jitney;
        }

        @BeforeEach
        void before(Jitney jitney) {
            ofBefore = jitney;
        }

        @RepeatedTest(3)
        void repeated(Jitney jitney) {
            assertThat(jitney).isSameAs(ofConstructor).isSameAs(ofBefore);
            Seen.by("repeated", jitney);
        }

        @ParameterizedTest
        @ValueSource(strings = {"a", "b"})
        void letters(String letter, Jitney jitney) {
            Seen.by(letter, jitney);
        }

        @Nested
        class Inner {
            @Test
            void nested(Jitney jitney) {
                Seen.by("nested", jitney);
            }
        }
    }

    @Test
    @DisplayName("An extension in a field of the instance gives each test a namespace")
    void instanceField() {
        run(OfInstance.class).testEvents().assertStatistics(events -> events.succeeded(2));

        assertThat(SEEN).hasSize(2).extracting(Seen::namespace).doesNotHaveDuplicates();
    }

    static class OfInstance {
        @RegisterExtension
        final JitneyExtension jitney = JitneyExtension.broker().queue("orders");

        @RepeatedTest(2)
        void repeated(Jitney broker) {
            Seen.by("repeated", broker);
        }
    }

    @Test
    @DisplayName("The annotation gives a class a namespace without entities")
    void annotation() {
        run(Annotated.class).testEvents().assertStatistics(events -> events.succeeded(2));

        assertThat(SEEN).hasSize(2).extracting(Seen::namespace).containsOnly(first().namespace());
    }

    @ExtendWith(JitneyExtension.class)
    static class Annotated {
        @RepeatedTest(2)
        void repeated(Jitney jitney) {
            Seen.by("no queue", jitney);
        }
    }

    @Test
    @DisplayName("A reset before each test removes the messages of the test before")
    void resetPerTest() {
        run(Reset.class).testEvents().assertStatistics(events -> events.succeeded(3));

        assertThat(SEEN).hasSize(3).extracting(Seen::messages).containsOnly(0L);
        assertThat(SEEN).extracting(Seen::namespace).containsOnly(first().namespace());
    }

    static class Reset {
        @RegisterExtension
        static final JitneyExtension JITNEY =
                JitneyExtension.broker().queue("orders").resetPerTest();

        @RepeatedTest(3)
        void repeated(Jitney jitney) {
            Seen.by("repeated", jitney);
        }
    }

    @Test
    @DisplayName("A test that moves the time leaves a broker that no later test uses")
    void clock() {
        run(WithClock.class).testEvents().assertStatistics(events -> events.succeeded(3));

        assertThat(SEEN).hasSize(3).extracting(Seen::port).doesNotHaveDuplicates();
    }

    @Test
    @DisplayName("Tests that only read the time share a broker")
    void readClock() {
        run(ReadsClock.class).testEvents().assertStatistics(events -> events.succeeded(3));

        assertThat(SEEN).hasSize(3).extracting(Seen::port).containsOnly(first().port());
    }

    static class ReadsClock {
        @RegisterExtension
        static final JitneyExtension JITNEY =
                JitneyExtension.broker().queue("orders").namespacePerTest();

        @RepeatedTest(3)
        void repeated(Jitney jitney) {
            Seen.by("repeated", jitney);
            assertThat(jitney.clock().asJavaClock().instant()).isAfter(Instant.EPOCH);
        }
    }

    static class WithClock {
        @RegisterExtension
        static final JitneyExtension JITNEY =
                JitneyExtension.broker().queue("orders").namespacePerTest();

        @RepeatedTest(3)
        void repeated(Jitney jitney) {
            Seen.by("repeated", jitney);
            assertThat(Duration.between(Instant.now(), jitney.clock().now())).isLessThan(Duration.ofMinutes(1));
            jitney.clock().advance(Duration.ofHours(1));
        }
    }

    @Test
    @DisplayName("Classes share a broker, and a class can have a broker of its own")
    void brokers() {
        run(PerClass.class, Reset.class, OwnBroker.class).testEvents().assertStatistics(events -> events.succeeded(9));

        Set<Integer> own = ports("own");
        Set<Integer> all = SEEN.stream().map(Seen::port).collect(Collectors.toSet());
        assertThat(own).hasSize(1);
        assertThat(all).hasSize(2);
    }

    static class OwnBroker {
        @RegisterExtension
        static final JitneyExtension JITNEY =
                JitneyExtension.broker().queue("orders").ownBroker();

        @RepeatedTest(2)
        void repeated(Jitney jitney) {
            Seen.by("own", jitney);
        }
    }

    @Test
    @DisplayName("Tests that run in parallel have namespaces of their own in one broker")
    void parallel() {
        EngineTestKit.engine("junit-jupiter")
                .selectors(selectClass(Parallel.class))
                .configurationParameter("junit.jupiter.execution.parallel.enabled", "true")
                .configurationParameter("junit.jupiter.execution.parallel.mode.default", "concurrent")
                .configurationParameter("junit.jupiter.execution.parallel.config.strategy", "fixed")
                .configurationParameter("junit.jupiter.execution.parallel.config.fixed.parallelism", "8")
                .execute()
                .testEvents()
                .assertStatistics(events -> events.succeeded(40));

        assertThat(SEEN).hasSize(40).extracting(Seen::namespace).doesNotHaveDuplicates();
        assertThat(SEEN).extracting(Seen::messages).containsOnly(0L);
        assertThat(SEEN).extracting(Seen::port).containsOnly(first().port());
    }

    static class Parallel {
        @RegisterExtension
        static final JitneyExtension JITNEY =
                JitneyExtension.broker().queue("orders").namespacePerTest();

        @RepeatedTest(40)
        void repeated(Jitney jitney) {
            Seen.by("parallel", jitney);
        }
    }

    @Test
    @DisplayName("A failed test reports the last events of its namespace, and a passed one reports nothing")
    void report() {
        EngineExecutionResults results = run(Failing.class);
        results.testEvents().assertStatistics(events -> events.failed(1).succeeded(1));

        List<Map<String, String>> reports = results.testEvents()
                .reportingEntryPublished()
                .map(event -> event.getRequiredPayload(ReportEntry.class).getKeyValuePairs())
                .toList();
        assertThat(reports)
                .singleElement()
                .satisfies(report -> assertThat(report.toString())
                        .contains("Last events of the namespace")
                        .contains("orders: enqueued #1"));
    }

    static class Failing {
        @RegisterExtension
        static final JitneyExtension JITNEY =
                JitneyExtension.broker().queue("orders").namespacePerTest();

        @Test
        void fails(Jitney jitney) {
            jitney.queue("orders").send("a");
            throw new AssertionError("on purpose");
        }

        @Test
        void passes(Jitney jitney) {
            jitney.queue("orders").send("a");
        }
    }

    @Test
    @DisplayName("A namespace for each test is refused where there is no test, with the fix")
    void refused() {
        run(Refused.class)
                .allEvents()
                .assertThatEvents()
                .anySatisfy(event -> assertThat(event.toString())
                        .contains("Leave out namespacePerTest(), and declare the extension static"));
    }

    static class Refused {
        @RegisterExtension
        static final JitneyExtension JITNEY = JitneyExtension.broker().namespacePerTest();

        @BeforeAll
        static void before(Jitney jitney) {
            throw new AssertionError("Expected no namespace, but got " + jitney + ".");
        }

        @Test
        void never() {
            throw new AssertionError("Expected this test not to run.");
        }
    }

    private static Seen first() {
        return SEEN.element();
    }

    private static Set<Integer> ports(String test) {
        return SEEN.stream()
                .filter(seen -> seen.test().equals(test))
                .map(Seen::port)
                .collect(Collectors.toSet());
    }

    private static EngineExecutionResults run(Class<?>... classes) {
        var builder = EngineTestKit.engine("junit-jupiter");
        for (Class<?> type : classes) {
            builder.selectors(selectClass(type));
        }
        return builder.execute();
    }
}
