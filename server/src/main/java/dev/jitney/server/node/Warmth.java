package dev.jitney.server.node;

import dev.jitney.core.Command;
import dev.jitney.core.Reply;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.MessageContent;
import dev.jitney.model.MessageView;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.ReceiveMode;
import dev.jitney.model.Rejection;
import dev.jitney.model.SubQueue;
import dev.jitney.runtime.Broker;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.Receiver;
import dev.jitney.runtime.ReceiverListener;
import dev.jitney.runtime.ReplyListener;
import dev.jitney.runtime.store.MemoryMessagingStore;
import dev.jitney.runtime.store.MessagingStore;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Loads the classes and compiles the code that a leader needs, before this node leads for the first time (CL-18). It opens a
 * broker and its gateways over stores in memory, without ports, and sends and receives a few messages.
 *
 * <p>It runs once, on a thread of the lowest priority, and stops after {@value #TIME_MS} ms, or as soon as the node leads. A
 * failure has no effect but a slower first leadership.
 */
public final class Warmth implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Warmth.class);
    private static final String QUEUE = "warm-up";
    private static final int ROUNDS = 50;
    private static final int MESSAGES = 10;
    private static final long TIME_MS = 10_000;
    private static final long STORE_BYTES = 4L << 20;

    private final Opening opening;
    private final int stores;
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile boolean stopped;

    /** Opens the broker and the gateways of a leader. */
    @FunctionalInterface
    public interface Opening {
        /** Opens them over stores, which stay open. */
        Opened open(List<MessagingStore> stores) throws Exception;
    }

    /**
     * An open broker with its gateways.
     *
     * @param broker the broker
     * @param close  closes the gateways and the broker
     */
    public record Opened(Broker broker, Runnable close) {}

    /**
     * @param stores  the number of stores of a leader
     * @param opening opens a broker with its gateways
     */
    public Warmth(int stores, Opening opening) {
        this.stores = stores;
        this.opening = opening;
    }

    /** Starts in the background. Called once. */
    public void start(String node) {
        Thread thread = new Thread(this::run, "cluster-warmth-" + node);
        thread.setDaemon(true);
        thread.setPriority(Thread.MIN_PRIORITY);
        thread.start();
    }

    private void run() {
        long begin = System.nanoTime();
        List<MessagingStore> memory = new ArrayList<>();
        for (int i = 0; i < stores; i++) {
            memory.add(new MemoryMessagingStore(STORE_BYTES));
        }
        try {
            Opened opened = opening.open(memory);
            try {
                use(opened.broker(), begin);
            } finally {
                opened.close().run();
            }
            LOG.debug(
                    "The code of a leader is loaded after {} ms.",
                    TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Exception | LinkageError e) {
            LOG.debug("Could not load the code of a leader in advance. The first leadership may take longer.", e);
        } finally {
            memory.forEach(MessagingStore::close);
            ended.countDown();
        }
    }

    private void use(Broker broker, long begin) throws InterruptedException, ExecutionException, TimeoutException {
        Entity queue = broker.namespaces()
                .get(0)
                .createQueue(QueueDescription.named(QUEUE).build())
                .toCompletableFuture()
                .get(TIME_MS, TimeUnit.MILLISECONDS);
        for (int i = 0; i < ROUNDS && !stopped; i++) {
            long leftMs = TIME_MS - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
            if (leftMs <= 0 || !isPassed(queue, leftMs)) {
                return;
            }
        }
    }

    /** Sends some messages and receives them. */
    private static boolean isPassed(Entity queue, long timeoutMs) throws InterruptedException {
        CountDownLatch settled = new CountDownLatch(MESSAGES);
        Receiver receiver = queue.attach(
                SubQueue.MAIN,
                ReceiveMode.PEEK_LOCK,
                Runnable::run,
                new Settling(queue, settled),
                ReplyListener.IGNORE);
        receiver.setCredit(MESSAGES, false);
        for (int i = 0; i < MESSAGES; i++) {
            queue.submit(new Command.SendMessages(List.of(message())), Runnable::run, ReplyListener.IGNORE);
        }
        boolean done = settled.await(timeoutMs, TimeUnit.MILLISECONDS);
        receiver.detach();
        return done;
    }

    private static IncomingMessage message() {
        ByteBuffer nothing = ByteBuffer.allocate(0);
        MessageContent content =
                MessageContent.of(true, 4, false, nothing, nothing, nothing, StandardCharsets.UTF_8.encode("warm"));
        return IncomingMessage.of(content).build();
    }

    /** Completes each message that it receives. */
    private record Settling(Entity queue, CountDownLatch settled) implements ReceiverListener {
        @Override
        public void onDelivered(MessageView message) {
            queue.submit(
                    new Command.CompleteMessages(List.of(Objects.requireNonNull(message.lockToken()))),
                    Runnable::run,
                    new ReplyListener() {
                        @Override
                        public void onReply(Reply reply) {
                            settled.countDown();
                        }

                        @Override
                        public void onRejected(Rejection rejection) {
                            settled.countDown();
                        }
                    });
        }

        @Override
        public void onDrained(long deliveryLimit) {
            // no drain is requested
        }

        @Override
        public void onClosed(Rejection reason) {
            // the wait has a limit
        }
    }

    /** Lets it end soon, because this node leads or stops. Does not wait. */
    public void stop() {
        stopped = true;
    }

    /**
     * Waits until it has ended.
     *
     * @return whether it has ended in time
     */
    boolean awaitEnd(long timeoutMs) throws InterruptedException {
        return ended.await(timeoutMs, TimeUnit.MILLISECONDS);
    }

    @Override
    public void close() {
        stop();
    }
}
