package dev.jitney.core.queue;

import dev.jitney.core.SharedBody;
import dev.jitney.core.StoredMessage;
import dev.jitney.model.EncodedValue;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An available or locked message, with the facts that decisions need. */
public interface QueuedMessageView {

    long sequenceNumber();

    /** Returns the expiry, milliseconds since the epoch; {@link dev.jitney.model.MessageView#NEVER} without one. */
    long expiresAtMs();

    /** Returns the body that it shares with other copies, or null. */
    @Nullable
    SharedBody sharedBody();

    @Nullable
    String sessionId();

    /** Returns the number of completed transfers (FWD-9). */
    int hops();

    int deliveryCount();

    /** Returns the size that counts towards quotas, in bytes, including overrides. */
    int sizeBytes();

    boolean deferred();

    /** Returns whether a change row exists. */
    boolean changed();

    /** Returns the application properties that settlements or the broker have set. */
    Map<String, EncodedValue> overrides();

    /** Returns its row if it is in memory; null if it must be read from the store. */
    @Nullable
    StoredMessage cached();
}
