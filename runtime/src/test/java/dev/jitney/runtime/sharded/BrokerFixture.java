package dev.jitney.runtime.sharded;

import dev.jitney.core.Command;
import dev.jitney.core.Reply;
import dev.jitney.model.AccessRule;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.ExpiryEnforcement;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.Limits;
import dev.jitney.model.MessageContent;
import dev.jitney.model.MessageCounts;
import dev.jitney.model.MessageView;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.ReceiveMode;
import dev.jitney.model.Rejection;
import dev.jitney.model.SubQueue;
import dev.jitney.model.TierProfile;
import dev.jitney.runtime.BrokerException;
import dev.jitney.runtime.BrokerOptions;
import dev.jitney.runtime.Clock;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.Namespace;
import dev.jitney.runtime.NamespaceOptions;
import dev.jitney.runtime.Receiver;
import dev.jitney.runtime.ReceiverListener;
import dev.jitney.runtime.ReplyListener;
import dev.jitney.runtime.shard.Shard;
import dev.jitney.runtime.store.InMemoryMessagingStore;
import dev.jitney.runtime.store.MessagingStore;
import dev.jitney.runtime.store.StoreException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A broker over in-memory stores whose shards run when the test requests it, with a manual clock. */
public final class BrokerFixture {
    /** The first of {@link #stores}. */
    public InMemoryMessagingStore store;

    public List<InMemoryMessagingStore> stores;
    public ShardedBroker broker;
    public long nowMs = 1_700_000_000_000L;
    private final BrokerOptions options;

    public BrokerFixture() throws StoreException {
        this(options("ns"), new InMemoryMessagingStore());
    }

    public BrokerFixture(BrokerOptions options, InMemoryMessagingStore store) throws StoreException {
        this(options, List.of(store));
    }

    /** A broker with a shard per store. */
    public BrokerFixture(BrokerOptions options, List<InMemoryMessagingStore> stores) throws StoreException {
        this.options = options;
        this.stores = stores;
        this.store = stores.get(0);
        this.broker = load();
    }

    private ShardedBroker load() throws StoreException {
        return ShardedBroker.load(options, List.copyOf(stores), new Clock() {
            @Override
            public long nowMs() {
                return nowMs;
            }

            @Override
            public long pauseNanos() {
                return nowMs * 1_000_000;
            }
        });
    }

    public static BrokerOptions options(String... namespaces) {
        return BrokerOptions.of(Arrays.stream(namespaces)
                .map(name -> new NamespaceOptions(
                        name,
                        List.of(AccessRule.root("key")),
                        Limits.of(TierProfile.STANDARD),
                        ExpiryEnforcement.ON_RECEIVER))
                .toList());
    }

    /** Ends the broker as kill -9 would and starts another one on the committed data. */
    public void crash() throws StoreException {
        stores = stores.stream().map(InMemoryMessagingStore::crash).toList();
        store = stores.get(0);
        broker = load();
    }

    public Namespace namespace() {
        return broker.namespace(null);
    }

    /** Returns a broker that runs when {@link #start} is called. */
    public static ShardedBroker load(BrokerOptions options, List<MessagingStore> stores, Clock clock)
            throws StoreException {
        return ShardedBroker.load(options, stores, clock);
    }

    /** Starts the threads of the shards. */
    public static void start(ShardedBroker broker) {
        broker.start();
    }

    /** Runs one turn of each shard; returns whether any had a task. */
    public boolean turn() {
        return broker.turn();
    }

    /** Returns the shard of a store. */
    public Shard shard(int store) {
        return broker.shard(store);
    }

    /** Runs turns until no task is left. */
    public void settle() {
        for (int i = 0; broker.turn(); i++) {
            if (i > 10_000) {
                throw new AssertionError("Expected the shard to come to rest, but it still has tasks.");
            }
        }
    }

    /** Advances the clock in steps that let failed stores be tried again. */
    public void letPass(long ms) {
        for (long end = nowMs + ms; nowMs < end; ) {
            nowMs = Math.min(end, nowMs + 250);
            settle();
        }
    }

    public Entity create(String path) {
        return create(QueueDescription.named(path).build());
    }

    public Entity create(QueueDescription description) {
        CompletionStage<Entity> created = namespace().createQueue(description);
        settle();
        return get(created);
    }

    public Entity entity(String path) {
        return Objects.requireNonNull(namespace().entity(path));
    }

    /** Returns the description of a queue. */
    public static QueueDescription describe(Entity queue) {
        return (QueueDescription) queue.description();
    }

    public static <T> T get(CompletionStage<T> stage) {
        if (!stage.toCompletableFuture().isDone()) {
            throw new AssertionError("Expected an answer by now.");
        }
        return stage.toCompletableFuture().join();
    }

    public static ErrorCode failure(CompletionStage<?> stage) {
        try {
            get(stage);
        } catch (CompletionException e) {
            return ((BrokerException) e.getCause()).rejection().code();
        }
        throw new AssertionError("Expected a failure, but it succeeded.");
    }

    public Answer submit(Entity entity, Command command) {
        Answer answer = new Answer();
        entity.submit(command, Runnable::run, answer);
        return answer;
    }

    public Answer send(Entity entity, String... bodies) {
        return submit(
                entity,
                new Command.SendMessages(
                        Arrays.stream(bodies).map(BrokerFixture::message).toList()));
    }

    public static IncomingMessage message(String body) {
        ByteBuffer nothing = ByteBuffer.allocate(0);
        MessageContent content =
                MessageContent.of(true, 4, false, nothing, nothing, nothing, StandardCharsets.UTF_8.encode(body));
        return IncomingMessage.of(content).build();
    }

    public MessageCounts counts(Entity entity) {
        Answer answer = submit(entity, new Command.GetCounts());
        settle();
        return ((Reply.Counts) answer.reply()).counts();
    }

    public Listening listen(Entity entity, int credit) {
        Listening listening = new Listening();
        listening.receiver =
                entity.attach(SubQueue.MAIN, ReceiveMode.PEEK_LOCK, Runnable::run, listening, listening.attached);
        listening.receiver.setCredit(credit, false);
        return listening;
    }

    /** The answer to one command; a second answer is an error. */
    public static final class Answer implements ReplyListener {
        private @Nullable Reply reply;
        private @Nullable Rejection rejection;

        public boolean isThere() {
            return reply != null || rejection != null;
        }

        /** Returns whether the command succeeded. */
        public boolean isDone() {
            return reply != null;
        }

        public Reply reply() {
            return Objects.requireNonNull(reply, () -> "Expected a reply, but got " + rejection);
        }

        public Rejection rejection() {
            return Objects.requireNonNull(rejection, () -> "Expected a rejection, but got " + reply);
        }

        @Override
        public void onReply(Reply value) {
            once();
            reply = value;
        }

        @Override
        public void onRejected(Rejection value) {
            once();
            rejection = value;
        }

        private void once() {
            if (isThere()) {
                throw new AssertionError("Expected one answer, but got a second one.");
            }
        }
    }

    /** The events of one receiver. */
    public static final class Listening implements ReceiverListener {
        public final Answer attached = new Answer();
        public final List<MessageView> messages = new ArrayList<>();
        public final List<Long> drained = new ArrayList<>();

        @Nullable
        public Rejection closed;

        public Receiver receiver;

        /** The content of deliveries that were announced and have not arrived, in bytes. */
        private long announcedBytes;

        @SuppressWarnings("NullAway.Init")
        public Listening() {}

        @Override
        public String holder() {
            return "a test";
        }

        @Override
        public synchronized boolean onDelivering(long bytes) {
            announcedBytes += bytes;
            return true;
        }

        @Override
        public synchronized void onNotDelivered(long bytes) {
            announcedBytes -= bytes;
        }

        @Override
        public void onDelivered(MessageView message) {
            alive();
            onNotDelivered(message.content().sizeBytes());
            if (announcedBytes < 0) {
                throw new AssertionError("Expected an announcement of the message before it arrives.");
            }
            messages.add(message);
        }

        @Override
        public void onDrained(long deliveryLimit) {
            alive();
            drained.add(deliveryLimit);
        }

        @Nullable
        public Rejection suspended;

        @Override
        public void onSuspended(Rejection reason) {
            alive();
            suspended = reason;
        }

        @Override
        public void onClosed(Rejection reason) {
            alive();
            closed = reason;
        }

        private void alive() {
            if (closed != null) {
                throw new AssertionError("Expected nothing after the end of the receiver.");
            }
        }
    }
}
