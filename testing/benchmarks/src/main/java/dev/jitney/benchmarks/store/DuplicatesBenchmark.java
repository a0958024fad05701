package dev.jitney.benchmarks.store;

import dev.jitney.core.Command.SendMessages;
import dev.jitney.core.Reply;
import dev.jitney.model.AccessRule;
import dev.jitney.model.ExpiryEnforcement;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.Limits;
import dev.jitney.model.MessageContent;
import dev.jitney.model.MessageView;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.ReceiveMode;
import dev.jitney.model.Rejection;
import dev.jitney.model.SubQueue;
import dev.jitney.model.TierProfile;
import dev.jitney.runtime.Broker;
import dev.jitney.runtime.BrokerOptions;
import dev.jitney.runtime.Clock;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.NamespaceOptions;
import dev.jitney.runtime.Receiver;
import dev.jitney.runtime.ReceiverListener;
import dev.jitney.runtime.ReplyListener;
import dev.jitney.runtime.sharded.ShardedBroker;
import dev.jitney.runtime.store.MessagingStore;
import dev.jitney.store.rocksdb.RocksDbMessagingStore;
import dev.jitney.store.rocksdb.RocksDbOptions;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * What duplicate detection costs a send: a broker without a network, on RocksDB, with a queue that detects duplicates and
 * one that does not, which are sent to in turns. Before, the first one takes very many ids. Ids are random, as those of
 * client libraries are; processor time is that of the whole process.
 */
@Command(name = "duplicates-benchmark", mixinStandardHelpOptions = true, sortOptions = false)
public final class DuplicatesBenchmark implements Callable<Integer> {
    private static final int FILL_BATCH = 256;
    private static final int IN_FLIGHT = 1_000;
    private static final long WEEK_MS = 7L * 24 * 3_600_000;
    private static final long LOOK_AGAIN_NANOS = 10_000_000;
    private static final int EVERYTHING = 1 << 30;

    @Option(names = "--directory", required = true, description = "Where the store is made; it goes at the end.")
    private Path directory = Path.of("");

    @Option(names = "--ids", defaultValue = "10000000", description = "Ids in the history (default: ${DEFAULT-VALUE}).")
    private long ids;

    @Option(names = "--rounds", defaultValue = "5", description = "Rounds per queue (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Option(names = "--seconds", defaultValue = "5", description = "Length of a round (default: ${DEFAULT-VALUE}).")
    private int seconds;

    @Option(names = "--bytes", defaultValue = "1024", description = "Size of a body (default: ${DEFAULT-VALUE}).")
    private int bodyBytes;

    private final SplittableRandom random = new SplittableRandom(1);
    private final Semaphore slots = new Semaphore(IN_FLIGHT);
    private final AtomicLong refused = new AtomicLong();
    private final AtomicLong dropped = new AtomicLong();

    public static void main(String[] args) {
        System.exit(new CommandLine(new DuplicatesBenchmark()).execute(args));
    }

    @Override
    public Integer call() throws Exception {
        Files.createDirectories(directory);
        Path home = Files.createTempDirectory(directory, "duplicates-benchmark");
        BrokerOptions options = BrokerOptions.of(List.of(new NamespaceOptions(
                "bench",
                List.of(AccessRule.root("key")),
                Limits.of(TierProfile.STANDARD),
                ExpiryEnforcement.ON_RECEIVER)));
        try (MessagingStore store = RocksDbMessagingStore.open(home, RocksDbOptions.DEFAULTS);
                Broker broker = ShardedBroker.open(options, List.of(store), Clock.system())) {
            Entity plain = create(broker, "plain", false);
            Entity detecting = create(broker, "detecting", true);
            fill(detecting);
            System.out.printf("%10s %12s %14s %10s%n", "queue", "messages/s", "CPU us/message", "heap MiB");
            for (int round = 0; round < rounds; round++) {
                measure("plain", plain);
                measure("detecting", detecting);
            }
            System.out.printf("dropped %d, refused %d%n", dropped.get(), refused.get());
        } finally {
            StoreBenchmark.delete(home);
        }
        return 0;
    }

    private static Entity create(Broker broker, String name, boolean detectsDuplicates) {
        QueueDescription description = QueueDescription.named(name)
                .maxSizeInMegabytes(5_120)
                .requiresDuplicateDetection(detectsDuplicates)
                .duplicateDetectionHistoryTimeWindowMs(WEEK_MS)
                .build();
        return broker.namespace(null)
                .createQueue(description)
                .toCompletableFuture()
                .join();
    }

    private void fill(Entity queue) throws InterruptedException {
        Receiver drain = drain(queue);
        long began = System.nanoTime();
        MessageContent empty = content(0);
        for (long sent = 0; sent < ids; sent += FILL_BATCH) {
            List<IncomingMessage> batch = new ArrayList<>(FILL_BATCH);
            for (int i = 0; i < FILL_BATCH; i++) {
                batch.add(message(empty));
            }
            send(queue, batch, FILL_BATCH);
        }
        awaitAll();
        emptied(queue);
        drain.detach();
        System.out.printf(
                "%d ids in %.1f s, heap after a collection %d MiB%n",
                ids, (System.nanoTime() - began) / 1e9, heapMib());
    }

    private void measure(String name, Entity queue) throws InterruptedException {
        MessageContent content = content(bodyBytes);
        long cpu = processCpuNs();
        long began = System.nanoTime();
        long end = began + seconds * 1_000_000_000L;
        long sent = 0;
        while (System.nanoTime() < end) {
            send(queue, List.of(message(content)), 1);
            sent++;
        }
        awaitAll();
        double elapsed = System.nanoTime() - began;
        double cpuPerMessage = (processCpuNs() - cpu) / 1e3 / sent;
        Receiver drain = drain(queue);
        emptied(queue);
        drain.detach();
        System.out.printf("%10s %12.0f %14.2f %10d%n", name, sent * 1e9 / elapsed, cpuPerMessage, heapMib());
    }

    private void send(Entity queue, List<IncomingMessage> messages, int permits) throws InterruptedException {
        slots.acquire(permits);
        queue.submit(new SendMessages(messages), Runnable::run, new ReplyListener() {
            @Override
            public void onReply(Reply reply) {
                dropped.addAndGet(((Reply.Sent) reply).duplicates().size());
                slots.release(permits);
            }

            @Override
            public void onRejected(Rejection reason) {
                refused.addAndGet(permits);
                slots.release(permits);
            }
        });
    }

    private void awaitAll() throws InterruptedException {
        slots.acquire(IN_FLIGHT);
        slots.release(IN_FLIGHT);
    }

    private static void emptied(Entity queue) {
        while (queue.counts().active() > 0) {
            LockSupport.parkNanos(LOOK_AGAIN_NANOS);
        }
    }

    private static Receiver drain(Entity queue) {
        ReceiverListener nobody = new ReceiverListener() {
            @Override
            public void onDelivered(MessageView message) {
                // Gone is all that it has to be.
            }

            @Override
            public void onDrained(long deliveryLimit) {
                // Not asked for.
            }

            @Override
            public void onClosed(Rejection reason) {
                throw new IllegalStateException("Expected an open receiver, but: " + reason.description());
            }
        };
        Receiver receiver = queue.attach(
                SubQueue.MAIN, ReceiveMode.RECEIVE_AND_DELETE, Runnable::run, nobody, ReplyListener.IGNORE);
        receiver.setCredit(EVERYTHING, false);
        return receiver;
    }

    private IncomingMessage message(MessageContent content) {
        String id = Long.toHexString(random.nextLong()) + Long.toHexString(random.nextLong());
        return IncomingMessage.of(content).messageId(id).build();
    }

    private MessageContent content(int bytes) {
        byte[] body = new byte[bytes];
        random.nextBytes(body);
        ByteBuffer nothing = ByteBuffer.allocate(0);
        return MessageContent.of(true, 4, false, nothing, nothing, nothing, ByteBuffer.wrap(body));
    }

    private static long heapMib() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return (runtime.totalMemory() - runtime.freeMemory()) >> 20;
    }

    private static long processCpuNs() {
        return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                .getProcessCpuTime();
    }
}
