package dev.jitney.benchmarks.core;

import dev.jitney.benchmarks.filter.SampleMessage;
import dev.jitney.core.Command;
import dev.jitney.core.Decision;
import dev.jitney.core.FragmentId;
import dev.jitney.core.LockTokenSequence;
import dev.jitney.core.Situation;
import dev.jitney.core.queue.decide.QueueDecider;
import dev.jitney.core.queue.state.MemoryBudget;
import dev.jitney.core.queue.state.QueueApplier;
import dev.jitney.core.queue.state.QueueState;
import dev.jitney.core.queue.state.SharedBodies;
import dev.jitney.core.topic.AsQueue;
import dev.jitney.core.topic.FanOut;
import dev.jitney.core.topic.Subscriber;
import dev.jitney.core.topic.decide.TopicDecider;
import dev.jitney.core.topic.state.TopicSubscriptions;
import dev.jitney.model.ExpiryEnforcement;
import dev.jitney.model.Limits;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.SubscriptionDescription;
import dev.jitney.model.TierProfile;
import dev.jitney.model.TopicDescription;
import dev.jitney.model.rule.RuleDescription;
import dev.jitney.model.rule.RuleFilter;
import dev.jitney.model.rule.RuleFilter.CorrelationRuleFilter;
import dev.jitney.model.rule.RuleFilter.SqlRuleFilter;
import dev.jitney.model.rule.RuleValue;
import dev.jitney.runtime.rows.StoreRowWriter;
import dev.jitney.runtime.store.RowBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The cost of a message that is sent to a topic with ten subscriptions that all take it, and to a queue: decided,
 * applied, its rows encoded. The rules read every message again; a property that the first rule has decoded is shared
 * with the others.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class FanoutBenchmark {
    private static final int SUBSCRIPTIONS = 10;

    /** The number of messages. Each run sends them to empty entities, which keep all of them. */
    private static final int MESSAGES = 1_000;

    private static final Limits LIMITS = Limits.of(TierProfile.STANDARD);
    private static final TopicDescription TOPIC =
            TopicDescription.named("orders").build();

    /** The kind of the rules. */
    @Param({"TRUE", "SQL", "CORRELATION"})
    public Rules rules = Rules.TRUE;

    private static final NoRows NOTHING = new NoRows();
    private final RowBatch batch = new RowBatch();
    private final StoreRowWriter rows = new StoreRowWriter(batch);
    private final Situation now = new Situation(Samples.NOW_MS, true, NOTHING, new LockTokenSequence(1, 2));
    private final Command.SendMessages send =
            new Command.SendMessages(List.of(new SampleMessage("tenant-1").incoming()));

    private QueueState queue = state(QueueDescription.named("orders").build(), 1, null);
    private QueueState topic = queue;
    private SharedBodies bodies = new SharedBodies(topic, rows, NOTHING);
    private TopicSubscriptions audience = new TopicSubscriptions(LIMITS, UUID::randomUUID);
    private final List<QueueApplier> appliers = new ArrayList<>();

    /** The kinds of rules; all ten subscriptions have the same kind. */
    public enum Rules {
        TRUE,
        SQL,
        CORRELATION;

        private RuleFilter filter(int subscription) {
            return switch (this) {
                case TRUE -> new RuleFilter.TrueRuleFilter();
                case SQL -> new SqlRuleFilter("color = 'red' AND quantity > " + subscription, Map.of());
                case CORRELATION ->
                    new CorrelationRuleFilter(
                            null,
                            null,
                            null,
                            null,
                            "order-created",
                            null,
                            null,
                            null,
                            Map.of("color", RuleValue.ofString("red")));
            };
        }
    }

    private static QueueState state(QueueDescription description, long id, @Nullable SharedBodies shared) {
        FragmentId fragment = new FragmentId(id, 0);
        MemoryBudget budget = new MemoryBudget(64 << 20, 100_000, 65_536);
        return shared == null
                ? new QueueState(fragment, description, LIMITS, ExpiryEnforcement.ON_RECEIVER, budget)
                : new QueueState(fragment, description, LIMITS, ExpiryEnforcement.ON_RECEIVER, budget, shared, NOTHING);
    }

    /** Empties all entities. */
    @Setup(Level.Invocation)
    public void empty() {
        queue = state(QueueDescription.named("orders").build(), 1, null);
        topic = state(AsQueue.of(TOPIC), 1, null);
        bodies = new SharedBodies(topic, rows, NOTHING);
        audience = new TopicSubscriptions(LIMITS, UUID::randomUUID);
        appliers.clear();
        for (int i = 0; i < SUBSCRIPTIONS; i++) {
            SubscriptionDescription description =
                    SubscriptionDescription.of("orders", "s" + i).build();
            QueueState state = state(AsQueue.of(description, TOPIC), 2 + i, bodies);
            audience.putSubscriber(new Subscriber(2 + i, description, state));
            audience.putRule(2 + i, new RuleDescription("r", rules.filter(i), null));
            appliers.add(new QueueApplier(state, rows));
        }
        audience.matches(send.messages().get(0), 1, Samples.NOW_MS); // compiles the rules
    }

    @Benchmark
    @OperationsPerInvocation(MESSAGES)
    public long sendToTopic() {
        QueueApplier applier = new QueueApplier(topic, rows);
        batch.clear();
        for (int i = 0; i < MESSAGES; i++) {
            FanOut publication = TopicDecider.send(topic, TOPIC, audience, send, 0, now);
            publication.records().forEach(applier::apply);
            for (FanOut.Copy copy : publication.copies()) {
                appliers.get((int) copy.subscriber().entityId() - 2).apply(copy.record());
            }
        }
        bodies.flush();
        return topic.lastSequenceNumber();
    }

    @Benchmark
    @OperationsPerInvocation(MESSAGES)
    public long sendToQueue() {
        QueueApplier applier = new QueueApplier(queue, rows);
        batch.clear();
        for (int i = 0; i < MESSAGES; i++) {
            Decision decision = QueueDecider.decide(queue, send, now);
            decision.records().forEach(applier::apply);
        }
        return queue.lastSequenceNumber();
    }
}
