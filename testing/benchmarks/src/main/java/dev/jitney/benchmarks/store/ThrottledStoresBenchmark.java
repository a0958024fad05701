package dev.jitney.benchmarks.store;

import dev.jitney.core.Command;
import dev.jitney.core.Reply;
import dev.jitney.model.AccessRule;
import dev.jitney.model.ExpiryEnforcement;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.Limits;
import dev.jitney.model.MessageContent;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.Rejection;
import dev.jitney.model.TierProfile;
import dev.jitney.runtime.Broker;
import dev.jitney.runtime.BrokerOptions;
import dev.jitney.runtime.Clock;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.NamespaceOptions;
import dev.jitney.runtime.ReplyListener;
import dev.jitney.runtime.sharded.ShardedBroker;
import dev.jitney.runtime.store.MessagingStore;
import dev.jitney.runtime.store.RowBatch;
import dev.jitney.store.rocksdb.RocksDbMessagingStore;
import dev.jitney.store.rocksdb.RocksDbOptions;
import java.io.PrintWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * PART-2: throughput of a partitioned queue and of an ordinary one over stores each of which takes so much per second and no
 * more, as slow disks do. So it shows what one machine with few cores cannot: the fragments add up.
 */
@CommandLine.Command(name = "throttled-stores", mixinStandardHelpOptions = true)
public final class ThrottledStoresBenchmark implements Callable<Integer> {
    @Spec
    private @Nullable CommandSpec spec;

    @Option(names = "--stores", defaultValue = "8", description = "How many stores (default: ${DEFAULT-VALUE}).")
    private int stores;

    @Option(
            names = "--store-rate",
            defaultValue = "2000",
            description = "Messages of 1 KiB that one store takes per second (default: ${DEFAULT-VALUE}).")
    private int storeRate;

    @Option(names = "--seconds", defaultValue = "5", description = "Length of a round (default: ${DEFAULT-VALUE}).")
    private int seconds;

    @Option(names = "--rounds", defaultValue = "3", description = "Rounds per queue (default: ${DEFAULT-VALUE}).")
    private int rounds;

    private final AtomicLong done = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();

    public static void main(String[] args) {
        System.exit(new CommandLine(new ThrottledStoresBenchmark()).execute(args));
    }

    @Override
    public Integer call() throws Exception {
        Path home = Files.createTempDirectory("throttled-stores");
        BrokerOptions options = BrokerOptions.of(List.of(new NamespaceOptions(
                "bench",
                List.of(AccessRule.root("key")),
                Limits.of(TierProfile.STANDARD),
                ExpiryEnforcement.ON_RECEIVER)));
        List<MessagingStore> all = new ArrayList<>();
        try {
            for (int i = 0; i < stores; i++) {
                all.add(throttled(RocksDbMessagingStore.open(
                        Files.createDirectory(home.resolve("store-" + i)), RocksDbOptions.DEFAULTS)));
            }
            try (Broker broker = ShardedBroker.open(options, all, Clock.system())) {
                Entity ordinary = create(broker, "ordinary", false);
                Entity partitioned = create(broker, "partitioned", true);
                out().printf(Locale.ROOT, "%d stores of %,d messages/s each%n", stores, storeRate);
                for (int round = 0; round < rounds; round++) {
                    out().printf(Locale.ROOT, "ordinary %,10.0f messages/s, ", measure(ordinary));
                    out().printf(Locale.ROOT, "partitioned %,10.0f messages/s%n", measure(partitioned));
                }
                out().printf(Locale.ROOT, "refused %d%n", refused.get());
            }
        } finally {
            for (MessagingStore store : all) {
                store.close();
            }
            StoreBenchmark.delete(home);
        }
        return 0;
    }

    private PrintWriter out() {
        if (spec == null) {
            throw new IllegalStateException("Expected to be called by the command line.");
        }
        return spec.commandLine().getOut();
    }

    /** The store with commits that take as long as their bytes do at its rate. */
    private MessagingStore throttled(MessagingStore store) {
        double nanosPerByte = 1e9 / (storeRate * 1_180.0); // about what a message of 1 KiB is with its rows
        return (MessagingStore) Proxy.newProxyInstance(
                MessagingStore.class.getClassLoader(), new Class<?>[] {MessagingStore.class}, (proxy, method, args) -> {
                    try {
                        if (!method.getName().equals("commit")) {
                            return method.invoke(store, args);
                        }
                        long end = System.nanoTime() + (long) (((RowBatch) args[0]).sizeBytes() * nanosPerByte);
                        Object result = method.invoke(store, args);
                        for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
                            LockSupport.parkNanos(left);
                        }
                        return result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private static Entity create(Broker broker, String name, boolean partitioned) {
        return broker.namespace(null)
                .createQueue(QueueDescription.named(name)
                        .maxSizeInMegabytes(5_120)
                        .enablePartitioning(partitioned)
                        .build())
                .toCompletableFuture()
                .join();
    }

    /** Messages per second that were acknowledged. */
    private double measure(Entity queue) throws InterruptedException {
        ByteBuffer nothing = ByteBuffer.allocate(0);
        MessageContent content =
                MessageContent.of(true, 4, false, nothing, nothing, nothing, ByteBuffer.allocate(1_024));
        IncomingMessage message = IncomingMessage.of(content).sizes(1_024, 0, 0).build();
        Command send = new Command.SendMessages(List.of(message));
        Semaphore slots = new Semaphore(storeRate); // what one store takes in a second
        done.set(0);
        long began = System.nanoTime();
        long end = began + seconds * 1_000_000_000L;
        while (System.nanoTime() < end) {
            slots.acquire();
            queue.submit(send, Runnable::run, new ReplyListener() {
                @Override
                public void onReply(Reply reply) {
                    done.incrementAndGet();
                    slots.release();
                }

                @Override
                public void onRejected(Rejection rejection) {
                    refused.incrementAndGet();
                    slots.release();
                }
            });
        }
        slots.acquire(storeRate);
        return done.get() * 1e9 / (System.nanoTime() - began);
    }
}
