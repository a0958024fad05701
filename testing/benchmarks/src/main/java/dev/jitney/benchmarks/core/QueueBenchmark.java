package dev.jitney.benchmarks.core;

import dev.jitney.core.Command;
import dev.jitney.core.Decision;
import dev.jitney.core.FragmentId;
import dev.jitney.core.LockTokenSequence;
import dev.jitney.core.Output;
import dev.jitney.core.Situation;
import dev.jitney.core.queue.decide.QueueDecider;
import dev.jitney.core.queue.state.MemoryBudget;
import dev.jitney.core.queue.state.QueueApplier;
import dev.jitney.core.queue.state.QueueState;
import dev.jitney.model.ExpiryEnforcement;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.Limits;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.ReceiveMode;
import dev.jitney.model.SubQueue;
import dev.jitney.model.TierProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** The path of a message through the core: sent, delivered under a lock, completed; each command on its own. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 1)
public class QueueBenchmark {
    /** The messages between send and completion, as with a busy receiver. */
    private static final int MESSAGES = 100;

    private static final long RECEIVER = 1;

    private final NoRows rows = new NoRows();
    private final QueueState state = new QueueState(
            new FragmentId(1, 0),
            QueueDescription.named("orders").build(),
            Limits.of(TierProfile.STANDARD),
            ExpiryEnforcement.ON_RECEIVER,
            new MemoryBudget(64 << 20, 100_000, 4_096));
    private final QueueApplier applier = new QueueApplier(state, rows);
    private final Situation now = new Situation(Samples.NOW_MS, true, rows, new LockTokenSequence(1, 2));
    private final List<IncomingMessage> message = List.of(Samples.incoming());
    private final List<UUID> delivered = new ArrayList<>(MESSAGES);

    public QueueBenchmark() {
        run(new Command.AttachReceiver(RECEIVER, SubQueue.MAIN, ReceiveMode.PEEK_LOCK));
        run(new Command.SetCredit(RECEIVER, Long.MAX_VALUE / 2, false));
    }

    /** Sends, delivers and completes one message; the result is in nanoseconds for the three steps together. */
    @Benchmark
    @OperationsPerInvocation(MESSAGES)
    public int sendDeliverComplete() {
        for (int i = 0; i < MESSAGES; i++) {
            run(new Command.SendMessages(message));
        }
        delivered.clear();
        while (delivered.size() < MESSAGES) {
            apply(QueueDecider.decideDeliveries(state, now, MESSAGES));
        }
        for (UUID lockToken : delivered) {
            run(new Command.CompleteMessages(List.of(lockToken)));
        }
        return delivered.size();
    }

    private void run(Command command) {
        Decision decision = QueueDecider.decide(state, command, now);
        if (decision.rejection() != null) {
            throw new IllegalStateException("Expected no rejection, but got " + decision.rejection() + ".");
        }
        apply(decision);
    }

    private void apply(Decision decision) {
        decision.records().forEach(applier::apply);
        for (Output output : decision.outputs()) {
            if (output instanceof Output.Delivered delivery) {
                UUID lockToken = delivery.message().lockToken();
                if (lockToken != null) {
                    delivered.add(lockToken);
                }
            }
        }
    }
}
