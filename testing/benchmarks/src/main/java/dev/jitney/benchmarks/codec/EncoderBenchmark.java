package dev.jitney.benchmarks.codec;

import dev.jitney.codec.IncomingMessageDecoder;
import dev.jitney.codec.MessageFormatException;
import dev.jitney.codec.OutgoingMessageEncoder;
import dev.jitney.gateway.amqp.message.ProtonBuffers;
import dev.jitney.model.EncodedValue;
import dev.jitney.model.MessageContent;
import dev.jitney.model.MessageEnvelope;
import dev.jitney.model.MessageState;
import dev.jitney.model.MessageView;
import dev.jitney.runtime.MessageIds;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What it costs to write a stored message for a receiver. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class EncoderBenchmark {
    private static final int BODY_SIZE = 1_024;
    private static final long ENQUEUED_MS = 1_700_000_000_500L;

    private final OutgoingMessageEncoder encoder = new OutgoingMessageEncoder();

    private final MessageView plain = view(SampleMessages.message(BODY_SIZE, 5, false), MessageView.NEVER, Map.of());
    private final MessageView expiring =
            view(SampleMessages.message(BODY_SIZE, 5, true), ENQUEUED_MS + 60_000, Map.of());
    private final MessageView capped = view(SampleMessages.message(BODY_SIZE, 5, true), ENQUEUED_MS + 10_000, Map.of());
    private final MessageView deadLettered = view(
            SampleMessages.message(BODY_SIZE, 5, false),
            MessageView.NEVER,
            Map.of(
                    "DeadLetterReason", EncodedValue.ofString("MaxDeliveryCountExceeded"),
                    "DeadLetterErrorDescription", EncodedValue.ofString("Delivered ten times.")));

    private static MessageView view(ProtonBuffer sent, long expiresAtMs, Map<String, EncodedValue> overrides) {
        return new MessageView(
                MessageEnvelope.builder()
                        .sequenceNumber(4_711)
                        .enqueuedSequenceNumber(4_711)
                        .enqueuedTimeMs(ENQUEUED_MS)
                        .expiresAtMs(expiresAtMs)
                        .propertyOverrides(overrides)
                        .build(),
                MessageState.ACTIVE,
                UUID.fromString("01020304-0506-0708-090a-0b0c0d0e0f10"),
                ENQUEUED_MS + 60_000,
                content(sent));
    }

    private static MessageContent content(ProtonBuffer sent) {
        try {
            return new IncomingMessageDecoder(MessageIds::fresh)
                    .decode(ProtonBuffers.reader(sent), IncomingMessageDecoder.FORMAT_SINGLE)
                    .get(0)
                    .content();
        } catch (MessageFormatException impossible) {
            throw new IllegalStateException("Expected a sample that can be decoded.", impossible);
        }
    }

    /** Everything of the sender goes out as it came. */
    @Benchmark
    public ProtonBuffer plain() {
        return ProtonBuffers.wrap(encoder.encode(plain));
    }

    /** The properties already tell the time to live. */
    @Benchmark
    public ProtonBuffer expiring() {
        return ProtonBuffers.wrap(encoder.encode(expiring));
    }

    /** The properties are written anew with another time to live. */
    @Benchmark
    public ProtonBuffer capped() {
        return ProtonBuffers.wrap(encoder.encode(capped));
    }

    /** The application properties are merged with two others. */
    @Benchmark
    public ProtonBuffer deadLettered() {
        return ProtonBuffers.wrap(encoder.encode(deadLettered));
    }
}
