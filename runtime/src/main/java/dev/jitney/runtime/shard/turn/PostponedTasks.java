package dev.jitney.runtime.shard.turn;

import dev.jitney.model.Rejection;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/**
 * Tasks whose work is too much for the turn in which they came: sends to topics whose rules take long. Each topic (and
 * each transaction, and each way between two entities) has a lane, in which tasks stay in order; the lanes take turns. All
 * other tasks pass them. For the shard's thread.
 *
 * <p>Tasks that wait here count in the mailbox, so that senders are refused when too much waits.
 */
public final class PostponedTasks {
    private final Mailbox mailbox;
    private final TurnSteps steps;

    private final Map<Object, ArrayDeque<ShardTask>> lanes = new LinkedHashMap<>();

    /** @param steps what rules have cost in the turn */
    public PostponedTasks(Mailbox mailbox, TurnSteps steps) {
        this.mailbox = mailbox;
        this.steps = steps;
    }

    /** Whether no task waits. */
    public boolean isEmpty() {
        return lanes.isEmpty();
    }

    /** Runs a task, or has it wait. */
    public void run(ShardTask task) {
        if (lanes.isEmpty() && !steps.isSpent()) { // nearly always: most tasks need no lane
            if (!task.resume()) {
                postpone(Objects.requireNonNull(task.lane()), task);
            }
            return;
        }
        Object lane = task.lane();
        if (lane == null) {
            task.run();
            return;
        }
        boolean free = !lanes.containsKey(lane) && !steps.isSpent();
        if (!free || !task.resume()) {
            postpone(lane, task);
        }
    }

    private void postpone(Object lane, ShardTask task) {
        lanes.computeIfAbsent(lane, none -> new ArrayDeque<>()).add(task);
        mailbox.keep(task);
    }

    /**
     * Goes on with what waits, one task of each lane at a time, while the turn has steps.
     *
     * @param enough whether the turn has done enough for other reasons
     * @param afterEach is run after each task
     * @return whether there was something to do
     */
    public boolean resume(BooleanSupplier enough, Runnable afterEach) {
        boolean worked = false;
        while (!lanes.isEmpty() && !steps.isSpent() && !(worked && enough.getAsBoolean())) {
            Iterator<Map.Entry<Object, ArrayDeque<ShardTask>>> first =
                    lanes.entrySet().iterator();
            Map.Entry<Object, ArrayDeque<ShardTask>> lane = first.next();
            Object key = lane.getKey();
            ArrayDeque<ShardTask> tasks = lane.getValue();
            ShardTask task = tasks.remove(); // before it is run: it answers for itself if that fails
            mailbox.release(task);
            if (!task.resume()) {
                tasks.addFirst(task);
                mailbox.keep(task);
            }
            afterEach.run();
            first.remove();
            if (!tasks.isEmpty()) {
                lanes.put(key, tasks); // behind the others
            }
            worked = true;
        }
        return worked;
    }

    /** Nobody will run them. */
    public void refuseAll(Function<ShardTask, Rejection> reason) {
        Map<Object, ArrayDeque<ShardTask>> refused = new LinkedHashMap<>(lanes);
        lanes.clear();
        refused.values()
                .forEach(tasks -> tasks.forEach(task -> {
                    mailbox.release(task);
                    task.refuse(reason.apply(task));
                }));
    }
}
