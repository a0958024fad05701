package dev.jitney.core.idle;

import dev.jitney.core.Command;
import dev.jitney.core.CommandKind;
import dev.jitney.core.Decision;
import dev.jitney.core.Lane;
import dev.jitney.core.Record;
import dev.jitney.core.RecordKind;
import dev.jitney.core.queue.QueueView;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.Rejection;
import java.util.List;

/**
 * What restarts the count of an entity that goes away when it is idle (IDLE-7 to IDLE-9), and what keeps it from being idle
 * at all. The same is the last access that is shown of every entity (CNT-4).
 *
 * <p>Changes of descriptions and rules are activity too; they are no commands, and whoever makes them says so.
 */
public final class Activity {

    private Activity() {}

    /**
     * Whether a command was activity of the entity it was meant for. What was refused is not; what was asked for and ended
     * with nothing is: a send that was dropped as a duplicate, a receive, a peek or a wait for a session that found none.
     */
    public static boolean of(Command command, Decision decision) {
        Rejection refusal = decision.rejection();
        if (refusal != null) {
            return command.kind() == CommandKind.ACCEPT_SESSION && refusal.code() == ErrorCode.TIMEOUT;
        }
        return isUse(command);
    }

    /** Whether a command is activity if it is carried out. */
    public static boolean isUse(Command command) {
        return command.kind().isUse();
    }

    /** Whether something that time has brought about is activity: only that scheduled messages became active (IDLE-7). */
    public static boolean ofTime(List<Record> records) {
        for (Record record : records) {
            if (record.kind() == RecordKind.SCHEDULED_MESSAGE_ACTIVATED
                    || record.kind() == RecordKind.SCHEDULED_MESSAGE_PUBLISHED) {
                return true;
            }
        }
        return false;
    }

    /** Whether somebody waits for messages or sessions: a receive that goes on as long as that (IDLE-7). */
    public static boolean isAwaited(QueueView queue) {
        return queue.isWaitedFor(Lane.MAIN)
                || queue.isWaitedFor(Lane.DEAD_LETTER)
                || queue.isWaitedFor(Lane.TRANSFER_DEAD_LETTER);
    }

    /** Whether the entity is not idle now, whenever it was used last: it is waited for, or scheduled messages wait. */
    public static boolean goesOn(QueueView queue) {
        return isAwaited(queue) || queue.counts().scheduled() > 0;
    }
}
