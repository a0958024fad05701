package dev.jitney.testkit;

import java.time.Duration;

/** The settings of a queue that a namespace begins with. Not thread-safe. */
public final class QueueDefinition extends ReceivableDefinition<QueueDefinition> {

    QueueDefinition(String name) {
        super(name);
    }

    /** Drops messages whose message id was sent before within this window, 20 seconds to 7 days. */
    public QueueDefinition duplicateDetection(Duration window) {
        return duplicates(window);
    }
}
