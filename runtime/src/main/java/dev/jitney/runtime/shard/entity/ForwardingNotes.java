package dev.jitney.runtime.shard.entity;

import dev.jitney.model.EntityAddress;
import dev.jitney.runtime.shard.forward.DeadLetterForwarder;
import dev.jitney.runtime.shard.forward.Forwarder;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What {@link Forwarder} and {@link DeadLetterForwarder} note about an entity. For the shard's thread. */
public final class ForwardingNotes {
    private @Nullable String destination;
    private String destinationPath = "";

    /** How long its dead-letters wait before they are tried again, 0 if they do not wait. */
    public long pauseMs;

    public long resumeAtMs;

    /** When it is to be looked at again, as {@link DeadLetterForwarder} has arranged it. */
    public long wakeAtMs;

    /** The question another store has not answered yet, 0 if there is none. */
    public long question;

    /** Numbers of dead-letters that the destination in another store would take, and of those that it would not. */
    public Set<Long> welcome = new HashSet<>();

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
