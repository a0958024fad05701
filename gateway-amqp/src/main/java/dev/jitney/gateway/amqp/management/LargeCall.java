package dev.jitney.gateway.amqp.management;

import java.util.concurrent.Executor;

/**
 * A call whose answer may be large, so that it waits for room.
 *
 * @param answerBytes the memory that making the answer may take, in bytes
 */
record LargeCall(Call call, long answerBytes) implements Call {
    /** Messages are in memory twice while they are encoded: as they were stored, and in the answer. */
    private static final int COPIES = 2;

    /** What surrounds a message in an answer. */
    private static final int MESSAGE_OVERHEAD_BYTES = 1024;

    /** A call whose answer has messages or states. */
    static LargeCall of(Call call, long contentBytes, int count) {
        return new LargeCall(call, COPIES * (contentBytes + (long) MESSAGE_OVERHEAD_BYTES * count));
    }

    @Override
    public void start(CommandTarget target, Executor executor, Answer answer) {
        call.start(target, executor, answer);
    }
}
