package dev.jitney.runtime;

import java.util.UUID;

/** Ids for messages sent without one (MSG-3). Any thread may call it. */
public final class MessageIds {
    private MessageIds() {}

    /** Returns a random id of 32 characters. */
    public static String fresh() {
        return UUID.randomUUID().toString().replace("-", "");
    }
}
