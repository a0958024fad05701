package dev.jitney.core.transaction;

import dev.jitney.core.Command;
import dev.jitney.core.Situation;
import dev.jitney.core.queue.QueueView;
import dev.jitney.core.topic.FanOut;

/** A queue, topic or subscription as transactions see it. */
public interface Participant {

    /** Its number in the store. */
    long entityId();

    /** Its messages. */
    QueueView state();

    /** What sending to it leads to, judged by all its rules; nothing is changed. */
    FanOut send(Command.SendMessages send, Situation now);
}
