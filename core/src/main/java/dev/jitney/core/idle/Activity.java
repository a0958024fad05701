package dev.jitney.core.idle;

import dev.jitney.core.Command;
import dev.jitney.core.CommandKind;
import dev.jitney.core.Decision;
import dev.jitney.core.Lane;
import dev.jitney.core.Record;
import dev.jitney.core.RecordKind;
import dev.jitney.core.queue.QueueView;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.Rejection;
import java.util.List;

/**
 * The activity of an entity, which restarts its idle time (IDLE-7 to IDLE-9) and is shown as the time of the last access
 * (CNT-4).
 *
 * <p>Changes of descriptions and rules are activity too. They are not commands; the code that makes them records the
 * activity.
 */
public final class Activity {

    private Activity() {}

    /**
     * Returns whether a command was activity of its entity. Refused commands are not. Commands without an effect are: a
     * send that was dropped as a duplicate, or a receive, a peek or a wait for a session that found nothing.
     */
    public static boolean of(Command command, Decision decision) {
        Rejection refusal = decision.rejection();
        if (refusal != null) {
            return command.kind() == CommandKind.ACCEPT_SESSION && refusal.code() == ErrorCode.TIMEOUT;
        }
        return isUse(command);
    }

    /** Returns whether a command is activity if it is executed. A send of pings only is none (PAIR-32). */
    public static boolean isUse(Command command) {
        return command.kind().isUse() && !(command instanceof Command.SendMessages send && arePings(send));
    }

    private static boolean arePings(Command.SendMessages send) {
        for (IncomingMessage message : send.messages()) {
            if (!message.ping()) {
                return false;
            }
        }
        return true;
    }

    /** Returns whether records of a timer are activity: only the activation of scheduled messages is (IDLE-7). */
    public static boolean ofTime(List<Record> records) {
        for (Record record : records) {
            if (record.kind() == RecordKind.SCHEDULED_MESSAGE_ACTIVATED
                    || record.kind() == RecordKind.SCHEDULED_MESSAGE_PUBLISHED) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether a receiver waits for messages or sessions, which is one continuous receive (IDLE-7). */
    public static boolean isAwaited(QueueView queue) {
        return queue.isWaitedFor(Lane.MAIN)
                || queue.isWaitedFor(Lane.DEAD_LETTER)
                || queue.isWaitedFor(Lane.TRANSFER_DEAD_LETTER);
    }

    /**
     * Returns whether the entity is in use now, regardless of its last activity: a receiver waits, or messages are
     * scheduled.
     */
    public static boolean goesOn(QueueView queue) {
        return isAwaited(queue) || queue.counts().scheduled() > 0;
    }
}
