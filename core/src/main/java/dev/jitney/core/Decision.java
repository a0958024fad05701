package dev.jitney.core;

import dev.jitney.model.ErrorCode;
import dev.jitney.model.Rejection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of a command: records to apply, outputs for receivers, and a reply or a rejection. A rejection has records
 * only if the refused request itself changes state (DEFER-7).
 *
 * @param reply null exactly when {@code rejection} is not
 */
public record Decision(
        List<Record> records,
        List<Output> outputs,
        @Nullable Reply reply,
        @Nullable Rejection rejection) {

    /** Returns a decision with records and the reply without data. */
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

    /** Returns a refusal with records, for messages that are found to have expired (T-25). */
    public static Decision rejectWith(List<Record> records, ErrorCode code) {
        return new Decision(records, List.of(), null, Rejection.of(code));
    }

    public static Decision reject(Rejection rejection) {
        return new Decision(List.of(), List.of(), null, rejection);
    }
}
