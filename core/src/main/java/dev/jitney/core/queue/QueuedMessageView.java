package dev.jitney.core.queue;

import dev.jitney.core.SharedBody;
import dev.jitney.core.StoredMessage;
import dev.jitney.model.EncodedValue;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A message that is available or locked, as far as decisions need to know it. */
public interface QueuedMessageView {

    long sequenceNumber();

    /** When it expires, milliseconds since the epoch; {@link dev.jitney.model.MessageView#NEVER} if never. */
    long expiresAtMs();

    /** The body it shares with other copies, or null. */
    @Nullable
    SharedBody sharedBody();

    @Nullable
    String sessionId();

    /** How many transfers have brought it here (FWD-9). */
    int hops();

    int deliveryCount();

    /** Size it counts with, in bytes, overrides included. */
    int sizeBytes();

    boolean deferred();

    /** Whether a change row exists. */
    boolean changed();

    /** Application properties that settlements or the broker have set. */
    Map<String, EncodedValue> overrides();

    /** Its row, if memory has it; null if it is to be read from the store. */
    @Nullable
    StoredMessage cached();
}
