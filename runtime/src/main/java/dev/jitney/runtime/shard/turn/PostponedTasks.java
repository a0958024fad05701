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
 * Tasks of one kind with too much work for one turn: sends to topics with slow rules, or peeks and batch deletes that
 * pass many messages. Each topic, each transaction, each pair of a source and a destination, and each client with peeks
 * and batch deletes has a lane. The lanes take turns. All other tasks overtake them. For the shard's
 * thread.
 *
 * <p>Postponed tasks count in the mailbox, so that sends are refused when too much waits.
 */
public final class PostponedTasks {
    private final Mailbox mailbox;
    private final TurnBudget budget;

    private final boolean ordered;

    private final Map<Object, ArrayDeque<ShardTask>> lanes = new LinkedHashMap<>();
    private int count;

    /**
     * @param budget the limit of these tasks in a turn
     * @param ordered whether the tasks of a lane run one after the other; otherwise they take turns, too
     */
    public PostponedTasks(Mailbox mailbox, TurnBudget budget, boolean ordered) {
        this.mailbox = mailbox;
        this.budget = budget;
        this.ordered = ordered;
    }

    /** Returns whether no task waits. */
    public boolean isEmpty() {
        return lanes.isEmpty();
    }

    /** Returns the number of tasks that wait. */
    public int count() {
        return count;
    }

    /** Returns the number of tasks that wait in a lane. */
    public int count(Object lane) {
        ArrayDeque<ShardTask> tasks = lanes.get(lane);
        return tasks == null ? 0 : tasks.size();
    }

    /** Runs a task, or postpones it. */
    public void run(ShardTask task) {
        if (lanes.isEmpty() && !budget.isSpent()) { // the usual case: most tasks need no lane
            if (!resume(task)) {
                postpone(Objects.requireNonNull(task.lane()), task);
            }
            return;
        }
        Object lane = task.lane();
        if (lane == null) {
            task.run();
            return;
        }
        boolean free = !lanes.containsKey(lane) && !budget.isSpent();
        if (!free || !resume(task)) {
            postpone(lane, task);
        }
    }

    private boolean resume(ShardTask task) {
        boolean finished = task.resume();
        budget.ran(finished);
        return finished;
    }

    private void postpone(Object lane, ShardTask task) {
        lanes.computeIfAbsent(lane, none -> new ArrayDeque<>()).add(task);
        count++;
        mailbox.keep(task);
    }

    /**
     * Continues with postponed tasks, one of each lane at a time, within the budget of the turn.
     *
     * @param enough returns whether the turn has reached another limit
     * @param afterEach runs after each task
     * @return whether there was something to do
     */
    public boolean resume(BooleanSupplier enough, Runnable afterEach) {
        boolean worked = false;
        while (!lanes.isEmpty() && !budget.isSpent() && !(worked && enough.getAsBoolean())) {
            Iterator<Map.Entry<Object, ArrayDeque<ShardTask>>> first =
                    lanes.entrySet().iterator();
            Map.Entry<Object, ArrayDeque<ShardTask>> lane = first.next();
            Object key = lane.getKey();
            ArrayDeque<ShardTask> tasks = lane.getValue();
            ShardTask task = tasks.remove(); // remove it first: a failing task sends its own reply
            count--;
            mailbox.release(task);
            if (!resume(task)) {
                if (ordered) {
                    tasks.addFirst(task);
                } else {
                    tasks.addLast(task);
                }
                count++;
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

    /** Refuses all postponed tasks, because they will not run. */
    public void refuseAll(Function<ShardTask, Rejection> reason) {
        Map<Object, ArrayDeque<ShardTask>> refused = new LinkedHashMap<>(lanes);
        lanes.clear();
        count = 0;
        refused.values()
                .forEach(tasks -> tasks.forEach(task -> {
                    mailbox.release(task);
                    task.refuse(reason.apply(task));
                }));
    }
}
