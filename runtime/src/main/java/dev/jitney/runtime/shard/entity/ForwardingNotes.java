package dev.jitney.runtime.shard.entity;

import dev.jitney.model.EntityAddress;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Notes about forwarding from one entity; only {@code shard.forward} reads and changes them. For the shard's thread. */
public final class ForwardingNotes {
    private @Nullable String destination;
    private String destinationPath = "";

    /** How long its dead-letters wait before they are tried again, 0 if they do not wait. */
    public long pauseMs;

    /** When they are tried again, milliseconds since the epoch. */
    public long resumeAtMs;

    /** When the entity is to be looked at again, milliseconds since the epoch. */
    public long wakeAtMs;

    /** The question another store has not answered yet, 0 if there is none. */
    public long question;

    /** Numbers of dead-letters that the destination in another store would take. */
    public Set<Long> welcome = new HashSet<>();

    /** Numbers of dead-letters that it would not take. */
    public Set<Long> unwelcome = new HashSet<>();

    /** The dead-letters that were passed by, and when they are tried again. */
    public final PassedByNotes passedBy = new PassedByNotes();

    /** The path of an entity as a description names it, which may be an address. */
    public String path(String named) {
        if (!named.equals(destination)) {
            destination = named;
            destinationPath = EntityAddress.parse(named.contains("://") ? named : "/" + named)
                    .path();
        }
        return destinationPath;
    }
}
