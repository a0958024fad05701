package dev.jitney.gateway.amqp.management;

import java.util.concurrent.Executor;

/**
 * A call whose answer may be large, so that it waits for memory.
 *
 * @param answerBytes memory that creating the answer may take, in bytes
 */
record LargeCall(Call call, long answerBytes) implements Call {
    /** The copies of messages in memory while they are encoded: the stored message and the answer. */
    private static final int COPIES = 2;

    /** The overhead of a message in an answer, in bytes. */
    private static final int MESSAGE_OVERHEAD_BYTES = 1024;

    /** Wraps a call whose answer contains messages or session states. */
    static LargeCall of(Call call, long contentBytes, int count) {
        return new LargeCall(call, COPIES * (contentBytes + (long) MESSAGE_OVERHEAD_BYTES * count));
    }

    @Override
    public void start(CommandTarget target, Executor executor, Answer answer) {
        call.start(target, executor, answer);
    }
}
