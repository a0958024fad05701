package dev.jitney.benchmarks.codec;

import dev.jitney.codec.IncomingMessageDecoder;
import dev.jitney.codec.MessageFormatException;
import dev.jitney.gateway.amqp.message.ProtonBuffers;
import dev.jitney.model.IncomingMessage;
import dev.jitney.runtime.MessageIds;
import java.util.List;
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

/** The cost of decoding the payload of a transfer into a message for the core. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class DecoderBenchmark {
    private static final int BODY_SIZE = 1_024;
    private static final int BATCH_SIZE = 100;

    private final IncomingMessageDecoder decoder = new IncomingMessageDecoder(MessageIds::fresh);

    private final ProtonBuffer plain = SampleMessages.message(BODY_SIZE, 0, false);
    private final ProtonBuffer withProperties = SampleMessages.message(BODY_SIZE, 5, true);
    private final ProtonBuffer batch = SampleMessages.batch(BATCH_SIZE, BODY_SIZE);

    @Benchmark
    public List<IncomingMessage> plain() throws MessageFormatException {
        return decoder.decode(ProtonBuffers.reader(plain), IncomingMessageDecoder.FORMAT_SINGLE);
    }

    /** Decodes five application properties and a time to live. */
    @Benchmark
    public List<IncomingMessage> withProperties() throws MessageFormatException {
        return decoder.decode(ProtonBuffers.reader(withProperties), IncomingMessageDecoder.FORMAT_SINGLE);
    }

    /** Decodes a batch of a hundred messages with three application properties each. */
    @Benchmark
    public List<IncomingMessage> batchOfHundred() throws MessageFormatException {
        return decoder.decode(ProtonBuffers.reader(batch), IncomingMessageDecoder.FORMAT_BATCH);
    }
}
