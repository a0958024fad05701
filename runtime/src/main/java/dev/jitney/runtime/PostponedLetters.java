package dev.jitney.runtime;

import dev.jitney.model.Rejection;
import dev.jitney.runtime.Mailbox.Letter;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/**
 * Letters whose work is too much for the turn in which they came: sends to topics whose rules take long. Each topic (and
 * each transaction, and each way between two entities) has a lane, in which letters stay in order; the lanes take turns. All
 * other letters pass them. For the shard's thread.
 *
 * <p>What waits here counts in the mailbox, so that senders are refused when too much waits.
 */
final class PostponedLetters {
    private final Mailbox mailbox;
    private final Map<Object, ArrayDeque<Letter>> lanes = new LinkedHashMap<>();

    PostponedLetters(Mailbox mailbox) {
        this.mailbox = mailbox;
    }

    boolean isEmpty() {
        return lanes.isEmpty();
    }

    /** Opens a letter, or has it wait. */
    void open(Letter letter, ShardWork shard) {
        if (lanes.isEmpty() && !shard.steps().isSpent()) { // nearly always: most letters need no lane
            if (!letter.goOn(shard)) {
                postpone(Objects.requireNonNull(letter.lane(shard)), letter);
            }
            return;
        }
        Object lane = letter.lane(shard);
        if (lane == null) {
            letter.open(shard);
            return;
        }
        boolean free = !lanes.containsKey(lane) && !shard.steps().isSpent();
        if (!free || !letter.goOn(shard)) {
            postpone(lane, letter);
        }
    }

    private void postpone(Object lane, Letter letter) {
        lanes.computeIfAbsent(lane, none -> new ArrayDeque<>()).add(letter);
        mailbox.keep(letter);
    }

    /**
     * Goes on with what waits, one letter of each lane at a time, while the turn has steps.
     *
     * @param enough whether the turn has done enough for other reasons
     * @return whether there was something to do
     */
    boolean goOn(ShardWork shard, BooleanSupplier enough) {
        boolean worked = false;
        while (!lanes.isEmpty() && !shard.steps().isSpent() && !(worked && enough.getAsBoolean())) {
            Iterator<Map.Entry<Object, ArrayDeque<Letter>>> first =
                    lanes.entrySet().iterator();
            Map.Entry<Object, ArrayDeque<Letter>> lane = first.next();
            Object key = lane.getKey();
            ArrayDeque<Letter> letters = lane.getValue();
            Letter letter = letters.remove(); // before it is opened: it answers for itself if that fails
            mailbox.release(letter);
            if (!letter.goOn(shard)) {
                letters.addFirst(letter);
                mailbox.keep(letter);
            }
            shard.finishLetter();
            first.remove();
            if (!letters.isEmpty()) {
                lanes.put(key, letters); // behind the others
            }
            worked = true;
        }
        return worked;
    }

    /** Nobody will open them. */
    void refuseAll(Function<Letter, Rejection> reason) {
        Map<Object, ArrayDeque<Letter>> refused = new LinkedHashMap<>(lanes);
        lanes.clear();
        refused.values()
                .forEach(letters -> letters.forEach(letter -> {
                    mailbox.release(letter);
                    letter.refuse(reason.apply(letter));
                }));
    }
}
