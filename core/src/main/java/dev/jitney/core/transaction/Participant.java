package dev.jitney.core.transaction;

import dev.jitney.core.Command;
import dev.jitney.core.Situation;
import dev.jitney.core.queue.QueueView;
import dev.jitney.core.topic.FanOut;

/** A queue, topic or subscription in the view of transactions. */
public interface Participant {

    /** Returns its number in the store. */
    long entityId();

    /** Returns its messages. */
    QueueView state();

    /** Returns the result of a send, with the evaluation of all its rules, without changing anything. */
    FanOut send(Command.SendMessages send, Situation now);
}
