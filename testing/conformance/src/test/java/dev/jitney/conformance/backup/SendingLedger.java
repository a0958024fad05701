package dev.jitney.conformance.backup;

import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import com.azure.messaging.servicebus.ServiceBusTransactionContext;
import dev.jitney.conformance.support.Sdk;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;

/** Clients that send without a pause, and the messages that they have begun to send and that were acknowledged. Thread-safe. */
final class SendingLedger {
    private static final int BATCH = 20;

    private final Queue<String> begun = new ConcurrentLinkedQueue<>();
    private final Queue<String> acknowledged = new ConcurrentLinkedQueue<>();
    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean stopped;

    /** Starts to send batches to a queue. The ids of messages begin with its name. */
    void send(Sdk sdk, String queue) {
        ServiceBusSenderClient sender = sdk.sender(queue);
        start(queue, number -> {
            List<String> ids = IntStream.range(0, BATCH)
                    .mapToObj(i -> queue + ":" + (number * BATCH + i))
                    .toList();
            begun.addAll(ids);
            sender.sendMessages(ids.stream()
                    .map(id -> new ServiceBusMessage(id).setMessageId(id))
                    .toList());
            acknowledged.addAll(ids);
        });
    }

    /** Starts to send one message to each of two queues in a transaction. The ids begin with their names. */
    void transact(Sdk sdk, String first, String second) {
        ServiceBusSenderClient via = sdk.sender(first);
        ServiceBusSenderClient other = sdk.sender(second);
        start(first + "+" + second, number -> {
            List<String> ids = List.of(first + ":" + number, second + ":" + number);
            begun.addAll(ids);
            ServiceBusTransactionContext transaction = via.createTransaction();
            via.sendMessage(new ServiceBusMessage(ids.get(0)).setMessageId(ids.get(0)), transaction);
            other.sendMessage(new ServiceBusMessage(ids.get(1)).setMessageId(ids.get(1)), transaction);
            via.commitTransaction(transaction);
            acknowledged.addAll(ids);
        });
    }

    /** Sends the messages of a number. */
    private interface Sending {
        void send(int number);
    }

    private void start(String name, Sending sending) {
        Thread thread = new Thread(
                () -> {
                    try {
                        for (int number = 0; !stopped; number++) {
                            sending.send(number);
                        }
                    } catch (RuntimeException | AssertionError e) {
                        failures.add(e);
                    }
                },
                "sender-" + name);
        threads.add(thread);
        thread.start();
    }

    /** Returns the ids of all messages that were acknowledged so far. */
    Set<String> acknowledged() {
        return new TreeSet<>(acknowledged);
    }

    /** Returns the ids of all messages whose sending has begun so far. */
    Set<String> begun() {
        return new TreeSet<>(begun);
    }

    /** Ends the clients, and returns their failures. */
    List<Throwable> stop() throws InterruptedException {
        stopped = true;
        for (Thread thread : threads) {
            thread.join();
        }
        return List.copyOf(failures);
    }
}
