package dev.jitney.runtime.testing;

import dev.jitney.runtime.Broker;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.Namespace;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The control of a broker by tests. Any thread may call it. */
public interface BrokerTesting {
    /** The maximum number of namespaces of a broker under test. */
    int NAMESPACES_MAX = 10_000;

    /** The maximum number of messages that {@link #reset} removes in a store. */
    int RESET_MESSAGES_MAX = 100_000;

    /** A broker that tests may control. */
    interface Tested {

        /** Returns the control, or null if its options do not permit it. */
        @Nullable
        BrokerTesting testing();
    }

    /** Returns the control of a broker, or null if it is not under test. */
    static @Nullable BrokerTesting of(Broker broker) {
        return broker instanceof Tested tested ? tested.testing() : null;
    }

    /** Returns the clock, whose message time {@link #changeTime} changes. */
    AdjustableClock clock();

    /** Returns the history of messages. */
    MessageHistory history();

    /**
     * Moves message time forward, and sets its speed.
     *
     * @param advance 0 or more
     * @param speed 0 to {@link AdjustableClock#SPEED_MAX}
     * @return completes when everything has happened that is due then, and what follows from it as far as clients do not keep the
     *     broker busy; fails with {@link dev.jitney.runtime.BrokerException} after half a minute
     * @throws IllegalArgumentException if a value is out of range
     */
    CompletionStage<Void> changeTime(Duration advance, double speed);

    /**
     * Removes all messages of a namespace in all states, its session states and its history of duplicate detection, and ends all locks,
     * in one commit of each store. Entities, rules and receivers stay.
     *
     * @return completes with the number of messages when this is durable, or fails with {@link
     *     dev.jitney.runtime.BrokerException} if a store has more than {@link #RESET_MESSAGES_MAX}
     */
    CompletionStage<Integer> reset(Namespace namespace);

    /**
     * Ends the locks of all messages and sessions of an entity, as if their time was over.
     *
     * @return completes when the locks have ended
     */
    CompletionStage<Void> loseLocks(Entity entity);

    /**
     * Ends the lock of the next message that the entity delivers with a lock, as soon as it is delivered. So the message is delivered
     * twice.
     *
     * @return completes when this is prepared
     */
    CompletionStage<Void> duplicateNextDelivery(Entity entity);

    /**
     * Refuses requests to a namespace as throttled for some time.
     *
     * @param time real time; {@link Duration#ZERO} ends it
     */
    void throttle(Namespace namespace, Duration time);

    /**
     * Returns what is on its way in a namespace: due timers, messages that wait for a connected receiver or for another entity, and locked
     * messages. Work that takes place at the moment is reported too.
     *
     * @return completes with sentences for people, empty if the namespace is idle
     */
    CompletionStage<List<String>> pending(Namespace namespace);
}
