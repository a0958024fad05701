package dev.jitney.core;

import dev.jitney.model.ErrorCode;
import dev.jitney.model.Rejection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a command leads to: records to apply, what receivers are told, and a reply or a rejection. A rejection has
 * records only where asking itself changed something (DEFER-7).
 *
 * @param reply null exactly when {@code rejection} is not
 */
public record Decision(
        List<Record> records,
        List<Output> outputs,
        @Nullable Reply reply,
        @Nullable Rejection rejection) {

    /** Records and the plain answer. */
    public static Decision done(List<Record> records) {
        return new Decision(records, List.of(), Reply.Done.INSTANCE, null);
    }

    public static Decision of(List<Record> records, Reply reply) {
        return new Decision(records, List.of(), reply, null);
    }

    public static Decision of(List<Record> records, List<Output> outputs, Reply reply) {
        return new Decision(records, outputs, reply, null);
    }

    public static Decision reply(Reply reply) {
        return new Decision(List.of(), List.of(), reply, null);
    }

    public static Decision reject(ErrorCode code, String description) {
        return new Decision(List.of(), List.of(), null, new Rejection(code, description));
    }

    /** A refusal that finds out something on its way (T-25). */
    public static Decision rejectWith(List<Record> records, ErrorCode code) {
        return new Decision(records, List.of(), null, Rejection.of(code));
    }

    public static Decision reject(Rejection rejection) {
        return new Decision(List.of(), List.of(), null, rejection);
    }
}
