package dev.jitney.runtime.shard.entity;

import dev.jitney.model.EntityAddress;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Notes about forwarding from one entity. Only {@code shard.forward} reads and changes them. For the shard's thread.
 */
public final class ForwardingNotes {
    private @Nullable String destination;
    private String destinationPath = "";

    /** The current pause before its dead-letters are retried, milliseconds; 0 if there is none. */
    public long pauseMs;

    /** The end of the pause, milliseconds since the epoch. */
    public long resumeAtMs;

    /** The time of the entity's next check, milliseconds since the epoch. */
    public long wakeAtMs;

    /** The number of the unanswered question to another store, 0 if there is none. */
    public long question;

    /** Numbers of dead-letters that the destination in another store would accept. */
    public Set<Long> welcome = new HashSet<>();

    /** Numbers of dead-letters that the destination in another store would refuse. */
    public Set<Long> unwelcome = new HashSet<>();

    /** The dead-letters that the destination refused, and the time of their retry. */
    public final PassedByNotes passedBy = new PassedByNotes();

    /** Returns the path of an entity named in a description, where it may be an address. */
    public String path(String named) {
        if (!named.equals(destination)) {
            destination = named;
            destinationPath = pathOf(named);
        }
        return destinationPath;
    }

    /** Returns the path of an entity named in a description. Any thread may call it. */
    public static String pathOf(String named) {
        return EntityAddress.parse(named.contains("://") ? named : "/" + named).path();
    }
}
