package dev.jitney.runtime;

import java.util.Comparator;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** When which entities want their timers looked at. For the shard's thread. */
final class Alarms {
    private final PriorityQueue<Alarm> alarms = new PriorityQueue<>(Comparator.comparingLong(Alarm::atMs));

    private record Alarm(long atMs, EntitySlot slot) {}

    /** Sets one for the entity's next timer, unless there is an earlier one. */
    void arm(EntitySlot slot) {
        long atMs = slot.nextTimerMs();
        if (atMs < slot.armedAtMs) {
            slot.armedAtMs = atMs;
            alarms.add(new Alarm(atMs, slot));
        }
    }

    /** When the first one is due, {@link Long#MAX_VALUE} if there is none. */
    long nextMs() {
        Alarm first = alarms.peek();
        return first == null ? Long.MAX_VALUE : first.atMs;
    }

    /** Takes out one that is due, or null; the entity is to be armed again. */
    @Nullable
    EntitySlot pollDue(long nowMs) {
        while (nextMs() <= nowMs) {
            Alarm alarm = alarms.remove();
            if (alarm.atMs == alarm.slot.armedAtMs) { // else it was served already, armed for an earlier time
                alarm.slot.armedAtMs = Long.MAX_VALUE;
                return alarm.slot;
            }
        }
        return null;
    }

    void clear() {
        alarms.clear();
    }
}
