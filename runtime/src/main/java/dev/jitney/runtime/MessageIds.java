package dev.jitney.runtime;

import java.util.UUID;

/** Ids for messages whose senders gave none (MSG-3). Any thread may call it. */
public final class MessageIds {
    private MessageIds() {}

    /** A random id of 32 characters. */
    public static String fresh() {
        return UUID.randomUUID().toString().replace("-", "");
    }
}
