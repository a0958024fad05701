package dev.jitney.crash.paired;

import com.azure.messaging.servicebus.ServiceBusMessage;
import dev.jitney.paired.MessageBatch;
import dev.jitney.paired.MessageSender;
import dev.jitney.paired.MessagingFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Senders that continue after failures: single messages, lists and batches. */
final class PairedLoad implements AutoCloseable {
    private static final int TOGETHER = 5;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final List<Thread> threads = new ArrayList<>();
    private final AtomicInteger failures = new AtomicInteger();
    private final AtomicInteger successes = new AtomicInteger();
    private final AtomicReference<@Nullable Throwable> lastFailure = new AtomicReference<>();
    private volatile boolean stopped;

    /** Starts sending to an entity. */
    void send(MessagingFactory factory, String entity, PairedLedger ledger) {
        MessageSender sender = factory.createMessageSender(entity);
        Thread thread = new Thread(() -> work(sender, ledger), "send-" + entity);
        threads.add(thread);
        thread.start();
    }

    private void work(MessageSender sender, PairedLedger ledger) {
        for (int turn = 0; !stopped; turn++) {
            List<Integer> numbers = new ArrayList<>();
            for (int i = 0; i < (turn % 8 < 2 ? TOGETHER : 1); i++) {
                numbers.add(ledger.begin());
            }
            List<ServiceBusMessage> messages =
                    numbers.stream().map(ledger.messages()::create).toList();
            boolean success = false;
            try {
                switch (turn % 8) {
                    case 0 -> sendBatch(sender, messages);
                    case 1 -> sender.send(messages);
                    default -> sender.send(messages.get(0));
                }
                success = true;
                successes.incrementAndGet();
            } catch (RuntimeException e) {
                failures.incrementAndGet();
                lastFailure.set(e);
            }
            for (int number : numbers) {
                ledger.end(number, success);
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        sender.close();
    }

    private static void sendBatch(MessageSender sender, List<ServiceBusMessage> messages) {
        MessageBatch batch = sender.createMessageBatch();
        for (ServiceBusMessage message : messages) {
            if (!batch.tryAddMessage(message)) {
                sender.send(batch);
                batch = sender.createMessageBatch();
                batch.tryAddMessage(message);
            }
        }
        sender.send(batch);
    }

    /** Returns the number of failed calls. */
    int failures() {
        return failures.get();
    }

    /** Returns the number of successful calls. */
    int successes() {
        return successes.get();
    }

    @Nullable
    Throwable lastFailure() {
        return lastFailure.get();
    }

    /** Waits until all calls have ended. */
    @Override
    public void close() throws InterruptedException {
        stopped = true;
        for (Thread thread : threads) {
            thread.join();
        }
    }
}
