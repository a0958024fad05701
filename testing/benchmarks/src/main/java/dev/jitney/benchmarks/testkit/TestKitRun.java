package dev.jitney.benchmarks.testkit;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import dev.jitney.testkit.Jitney;
import dev.jitney.testkit.JitneyBroker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * One run of the test kit, in a Java machine of its own. It prints a line {@code name value} for each figure.
 *
 * <p>Arguments: the number of tests, and the number of namespaces that exist at the same time.
 */
public final class TestKitRun {
    private static final int STARTS = 7;
    private static final double MILLIS = 1e6;

    private TestKitRun() {}

    /** Measures, prints and ends the process, in which threads of the SDK continue. */
    public static void main(String[] args) {
        measure(Integer.parseInt(args[0]), Integer.parseInt(args[1]));
        System.exit(0);
    }

    private static void measure(int tests, int namespaces) {
        long start = System.nanoTime();
        JitneyBroker broker = JitneyBroker.start();
        print("firstStartMs", since(start));
        start = System.nanoTime();
        try (Jitney jitney = broker.newNamespace(n -> n.queue("orders"))) {
            jitney.queue("orders").send("first");
            print("firstTestMs", since(start));
        }
        broker.close();
        print("nextStartMs", median(STARTS, TestKitRun::nextStart));
        // Before the SDK, whose caches would count.
        memory(namespaces);
        try (JitneyBroker shared = JitneyBroker.start()) {
            start = System.nanoTime();
            for (int i = 0; i < tests; i++) {
                testWithKit(shared);
            }
            print("kitTestsS", since(start) / 1e3);
            print("namespaceMs", median(200, () -> namespace(shared)));
        }
        try (JitneyBroker shared = JitneyBroker.start()) {
            start = System.nanoTime();
            for (int i = 0; i < tests; i++) {
                testWithSdk(shared);
            }
            print("sdkTestsS", since(start) / 1e3);
        }
    }

    private static double nextStart() {
        long start = System.nanoTime();
        JitneyBroker broker = JitneyBroker.start();
        double took = since(start);
        broker.close();
        return took;
    }

    private static double namespace(JitneyBroker broker) {
        long start = System.nanoTime();
        Jitney jitney = broker.newNamespace(n -> n.queue("orders"));
        double took = since(start);
        jitney.close();
        return took;
    }

    private static void testWithKit(JitneyBroker broker) {
        try (Jitney jitney = broker.newNamespace(n -> n.queue("orders"))) {
            jitney.queue("orders").send("{\"id\":7}", m -> m.property("customer", "c2"));
            jitney.awaitIdle();
            jitney.queue("orders").assertContains("\"id\":7");
            jitney.queue("orders").assertNoDeadLetters();
        }
    }

    private static void testWithSdk(JitneyBroker broker) {
        try (Jitney jitney = broker.newNamespace(n -> n.queue("orders"));
                ServiceBusSenderClient sender = new ServiceBusClientBuilder()
                        .connectionString(jitney.connectionString())
                        .sender()
                        .queueName("orders")
                        .buildClient();
                ServiceBusReceiverClient receiver = new ServiceBusClientBuilder()
                        .connectionString(jitney.connectionString())
                        .receiver()
                        .queueName("orders")
                        .disableAutoComplete()
                        .buildClient()) {
            sender.sendMessage(new ServiceBusMessage("{\"id\":7}"));
            ServiceBusReceivedMessage received = receiver.receiveMessages(1, Duration.ofSeconds(10)).stream()
                    .findFirst()
                    .orElseThrow();
            receiver.complete(received);
            jitney.awaitIdle();
            jitney.queue("orders").assertEmpty();
        }
    }

    /** Measures the heap that namespaces with a queue and a message take while they exist. */
    private static void memory(int namespaces) {
        try (JitneyBroker broker = JitneyBroker.start()) {
            long before = usedBytes();
            List<Jitney> made = new ArrayList<>();
            for (int i = 0; i < namespaces; i++) {
                Jitney jitney = broker.newNamespace(n -> n.queue("orders"));
                jitney.queue("orders").send("one message");
                made.add(jitney);
            }
            print("namespacesMB", (usedBytes() - before) / 1e6);
            made.forEach(Jitney::close);
            print("afterNamespacesMB", (usedBytes() - before) / 1e6);
        }
    }

    private static long usedBytes() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    /** A measured action; returns milliseconds. */
    private interface Measured {
        double run();
    }

    private static double median(int times, Measured action) {
        double[] values = new double[times];
        Arrays.setAll(values, i -> action.run());
        Arrays.sort(values);
        return values[times / 2];
    }

    private static double since(long startNs) {
        return (System.nanoTime() - startNs) / MILLIS;
    }

    private static void print(String name, double value) {
        System.out.println(name + " " + value);
    }
}
