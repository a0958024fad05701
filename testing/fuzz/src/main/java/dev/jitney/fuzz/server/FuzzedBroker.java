package dev.jitney.fuzz.server;

import dev.jitney.core.Command;
import dev.jitney.core.Reply;
import dev.jitney.model.AccessRule;
import dev.jitney.model.EntityDescription;
import dev.jitney.model.ExpiryEnforcement;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.Limits;
import dev.jitney.model.MessageContent;
import dev.jitney.model.MessageCounts;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.Rejection;
import dev.jitney.model.RuleDescription;
import dev.jitney.model.RuleFilter.TrueRuleFilter;
import dev.jitney.model.SubscriptionDescription;
import dev.jitney.model.TierProfile;
import dev.jitney.model.TopicDescription;
import dev.jitney.runtime.Broker;
import dev.jitney.runtime.BrokerOptions;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.Namespace;
import dev.jitney.runtime.NamespaceOptions;
import dev.jitney.runtime.ReplyListener;
import dev.jitney.runtime.sharded.ShardedBroker;
import dev.jitney.runtime.store.InMemoryMessagingStore;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A broker with an entity of each sort to play with, {@value #QUEUE}, {@value #SESSIONS}, {@value #PARTITIONED}, {@value
 * #DUPLICATES}, {@value #FORWARDING} and {@value #TOPIC} with a subscription, and one that no input names: its description
 * and its messages must be the same at any time.
 */
public final class FuzzedBroker implements AutoCloseable {
    public static final String QUEUE = "q";
    public static final String SESSIONS = "s";
    public static final String PARTITIONED = "p";
    public static final String DUPLICATES = "d";

    /** Sends everything on to {@value #QUEUE}. */
    public static final String FORWARDING = "f";

    public static final String TOPIC = "t";
    public static final String SUBSCRIPTION = "a";
    public static final String KEY = "SAS_KEY_VALUE";

    private static final String BYSTANDER = "bystander-7d1f2a";
    private static final int BYSTANDER_MESSAGES = 3;
    private static final long PATIENCE_SECONDS = 20;
    private static final long NOW_MS = 1_795_244_503_000L;

    private static final List<QueueDescription> QUEUES = List.of(
            QueueDescription.named(QUEUE).build(),
            QueueDescription.named(SESSIONS).requiresSession(true).build(),
            QueueDescription.named(PARTITIONED).enablePartitioning(true).build(),
            QueueDescription.named(DUPLICATES).requiresDuplicateDetection(true).build(),
            QueueDescription.named(FORWARDING).forwardTo(QUEUE).build());

    private final Broker broker;
    private final EntityDescription bystander;

    public FuzzedBroker() throws Exception {
        long startNs = System.nanoTime();
        broker = ShardedBroker.open(
                BrokerOptions.of(List.of(new NamespaceOptions(
                        "first",
                        List.of(AccessRule.root(KEY)),
                        Limits.of(TierProfile.STANDARD),
                        ExpiryEnforcement.BACKGROUND))),
                List.of(new InMemoryMessagingStore()),
                () -> NOW_MS + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs));
        bystander = QueueDescription.named(BYSTANDER).maxDeliveryCount(7).build();
        get(namespace().createQueue((QueueDescription) bystander));
        for (int i = 0; i < BYSTANDER_MESSAGES; i++) {
            ask(BYSTANDER, new Command.SendMessages(List.of(message("untouched"))));
        }
        restore();
    }

    public Broker broker() {
        return broker;
    }

    public Namespace namespace() {
        return broker.namespace(null);
    }

    /** Makes the entities anew that inputs play with, those of them that are not there, or not what they were. */
    public void restore() throws Exception {
        for (QueueDescription queue : QUEUES) {
            if (!isThere(queue.path(), QueueDescription.class)) {
                get(namespace().createQueue(queue));
            }
        }
        if (!isThere(TOPIC, TopicDescription.class)) {
            get(namespace().createTopic(TopicDescription.named(TOPIC).build()));
        }
        if (!isThere(TOPIC + "/Subscriptions/" + SUBSCRIPTION, SubscriptionDescription.class)) {
            get(namespace()
                    .createSubscription(
                            SubscriptionDescription.of(TOPIC, SUBSCRIPTION).build(),
                            new RuleDescription("$Default", TrueRuleFilter.INSTANCE, null)));
        }
    }

    /** Whether there is an entity of that sort. One of another sort, which an input has put in its place, is deleted. */
    private boolean isThere(String path, Class<? extends EntityDescription> sort) throws Exception {
        Entity entity = namespace().entity(path);
        if (entity != null && !sort.isInstance(entity.description())) {
            get(namespace().deleteEntity(path));
            return false;
        }
        return entity != null;
    }

    /** Fails if anything has become of the bystander, or if a well-behaved client is not served. */
    public void checkBystander() throws Exception {
        Entity entity = Objects.requireNonNull(namespace().entity(BYSTANDER), "the bystander has gone");
        MessageCounts counts = ((Reply.Counts) ask(BYSTANDER, new Command.GetCounts())).counts();
        if (!entity.description().equals(bystander)
                || counts.active() != BYSTANDER_MESSAGES
                || counts.deadLetter() != 0
                || counts.scheduled() != 0) {
            throw new AssertionError(
                    "Expected the bystander to be left alone, but it has " + counts + ", " + entity.description());
        }
        if (broker.trouble() != null) {
            throw new AssertionError("Expected a healthy broker, but: " + broker.trouble());
        }
    }

    /** Waits until everything that was asked of the shard before has been done. */
    public void settle() throws Exception {
        ask(BYSTANDER, new Command.GetCounts());
    }

    /** Sends a message to an entity; null if it was taken, else why not. */
    public @Nullable Rejection send(String path, IncomingMessage message) throws Exception {
        CompletableFuture<@Nullable Rejection> answer = new CompletableFuture<>();
        Objects.requireNonNull(namespace().entity(path))
                .submit(new Command.SendMessages(List.of(message)), Runnable::run, new ReplyListener() {
                    @Override
                    public void onReply(Reply reply) {
                        answer.complete(null);
                    }

                    @Override
                    public void onRejected(Rejection rejection) {
                        answer.complete(rejection);
                    }
                });
        return answer.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    private Reply ask(String path, Command command) throws Exception {
        CompletableFuture<Reply> answer = new CompletableFuture<>();
        Objects.requireNonNull(namespace().entity(path)).submit(command, Runnable::run, new ReplyListener() {
            @Override
            public void onReply(Reply reply) {
                answer.complete(reply);
            }

            @Override
            public void onRejected(Rejection rejection) {
                answer.completeExceptionally(new AssertionError("Expected an answer, but got " + rejection));
            }
        });
        return answer.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    private static <T> T get(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    private static IncomingMessage message(String body) {
        ByteBuffer nothing = ByteBuffer.allocate(0);
        MessageContent content =
                MessageContent.of(true, 4, false, nothing, nothing, nothing, StandardCharsets.UTF_8.encode(body));
        return IncomingMessage.of(content).build();
    }

    @Override
    public void close() {
        broker.close();
    }
}
