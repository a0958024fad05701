package dev.jitney.runtime;

import dev.jitney.model.EntityAddress;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What {@link Forwarder} and {@link DeadLetterForwarder} note about an entity. For the shard's thread. */
final class ForwardingNotes {
    private @Nullable String destination;
    private String destinationPath = "";

    /** How long its dead-letters wait before they are tried again, 0 if they do not wait. */
    long pauseMs;

    long resumeAtMs;

    /** When it is to be looked at again, as {@link DeadLetterForwarder} has arranged it. */
    long wakeAtMs;

    /** The question another store has not answered yet, 0 if there is none. */
    long question;

    /** Numbers of dead-letters that the destination in another store would take, and of those that it would not. */
    Set<Long> welcome = new HashSet<>();

    Set<Long> unwelcome = new HashSet<>();

    /** The dead-letters that were passed by, and when they are tried again. */
    final PassedByNotes passedBy = new PassedByNotes();

    /** The path of an entity as a description names it, which may be an address. */
    String path(String named) {
        if (!named.equals(destination)) {
            destination = named;
            destinationPath = EntityAddress.parse(named.contains("://") ? named : "/" + named)
                    .path();
        }
        return destinationPath;
    }
}
