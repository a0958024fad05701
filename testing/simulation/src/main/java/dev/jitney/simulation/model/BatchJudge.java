package dev.jitney.simulation.model;

import dev.jitney.core.Lane;
import dev.jitney.runtime.store.Table;
import dev.jitney.simulation.Violation;
import dev.jitney.simulation.disk.Write;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Follows the rows of a batch. A message that is taken away is in the hand until it is put somewhere else; what is left in the
 * hand at the end has gone, and what was put without having been in the hand has come. All of that needs a reason.
 */
final class BatchJudge {
    private static final Lane[] LANES = {Lane.MAIN, Lane.DEAD_LETTER, Lane.TRANSFER_DEAD_LETTER, Lane.SCHEDULED};

    private final Ledger ledger;
    private final Reasons reasons;
    private final Outboxes outboxes;
    private final Publications publications;
    private final Entities entities;
    private final Map<Step, Long> steps = new EnumMap<>(Step.class);
    private final Looks looks;
    private final Map<Body, Content> bodies = new HashMap<>();
    private final List<Copy> hand = new ArrayList<>();
    private final List<Copy> arrived = new ArrayList<>();
    private final Set<Shelf> changed = new LinkedHashSet<>();
    private final Set<Shelf> touched = new LinkedHashSet<>();
    private long batch;

    /** Where content is that several copies share. */
    private record Body(long shelf, long number) {}

    /** What is in it. */
    private record Content(long uid, Map<String, String> properties) {}

    BatchJudge(Ledger ledger) {
        this.ledger = ledger;
        this.outboxes = new Outboxes(ledger);
        this.looks = new Looks(ledger, outboxes);
        this.publications = new Publications(ledger);
        this.reasons = new Reasons(ledger, this, outboxes, publications);
        this.entities = new Entities(ledger);
    }

    Map<Step, Long> steps() {
        return steps;
    }

    Looks looks() {
        return looks;
    }

    Outboxes outboxes() {
        return outboxes;
    }

    Entities entities() {
        return entities;
    }

    long batch() {
        return batch;
    }

    void count(Step step) {
        steps.merge(step, 1L, Long::sum);
    }

    /** The turn of a shard is over. */
    void turnEnds(int store, boolean trouble) {
        entities.turnEnds(store, trouble);
    }

    /** The shelf's counters have to be compared when the turn is over. */
    void touch(Shelf shelf) {
        touched.add(shelf);
    }

    /** Shelves of a store that have changed since this was asked last. */
    List<Shelf> takeTouched(int store) {
        List<Shelf> of = new ArrayList<>();
        for (Shelf shelf : touched) {
            if (shelf.store == store) {
                of.add(shelf);
            }
        }
        of.forEach(touched::remove);
        return of;
    }

    void judge(int store, List<Write> writes) {
        batch++;
        long nowMs = ledger.shard(store).nowMs();
        hand.clear();
        arrived.clear();
        changed.clear();
        outboxes.begin();
        publications.begin();
        ledger.states().begin();
        for (Write write : writes) {
            if (write.table() == Table.BODIES && write.kind() == Write.Kind.PUT) {
                bodies.put(
                        new Body(RowBytes.shelf(write.key()), RowBytes.int64(write.key(), 6)),
                        new Content(RowBytes.uid(write.argument()), LookBytes.content(write.argument(), 0)));
            }
        }
        for (Write write : writes) {
            switch (write.table()) {
                case ENTITIES, PARTS -> {
                    if (write.kind() == Write.Kind.DELETE) {
                        judgeSoFar(nowMs, ledger.shelves().ofEntity(RowBytes.entity(write.key())));
                    }
                    entities.follow(write);
                }
                case MESSAGES -> message(write, nowMs);
                case MESSAGE_STATES -> change(write, nowMs);
                case TRANSFERS -> transfer(write, nowMs);
                case TRANSFER_MARKS -> landed(outboxes.mark(write));
                case RULES -> {
                    judgeSoFar(nowMs, null);
                    ledger.rules().follow(write);
                }
                case SESSION_STATES -> ledger.states().follow(write);
                case FRAGMENTS -> totals(write);
                default -> {}
            }
        }
        judgeSoFar(nowMs, null);
        judgeHand(nowMs);
        outboxes.end();
        publications.end();
        ledger.idling().end();
        reasons.end();
        changed.forEach(this::compare);
        for (Write write : writes) {
            if (write.table() == Table.BODIES && write.kind() == Write.Kind.DELETE) {
                bodies.remove(new Body(RowBytes.shelf(write.key()), RowBytes.int64(write.key(), 6)));
            }
        }
    }

    /**
     * Before an entity goes or the rules of a topic change, and at the end.
     *
     * @param leaving the entity that goes, or null
     */
    private void judgeSoFar(long nowMs, @Nullable Shelf leaving) {
        arrived.removeIf(outboxes::isRefused);
        for (Copy copy : arrived) {
            reasons.arrival(copy, nowMs);
            if (Shelves.topicOf(copy.shelf.path) == null) {
                looks.comes(null, copy);
            }
        }
        arrived.clear();
        // What is due and has others to come to does so when all timers have run, also those that have entities go.
        List<Copy> due = new ArrayList<>();
        hand.removeIf(copy -> {
            boolean waits = copy.lane == Lane.SCHEDULED && copy.row.scheduledMs() <= nowMs && copy.shelf != leaving;
            if (waits) {
                due.add(copy);
            }
            return waits;
        });
        judgeHand(nowMs);
        hand.addAll(due);
    }

    private void judgeHand(long nowMs) {
        hand.forEach(copy -> reasons.removal(copy, nowMs));
        hand.clear();
    }

    private static Lane lane(byte[] key) {
        return LANES[key[6]];
    }

    private @Nullable Shelf shelf(byte[] key) {
        Shelf shelf = ledger.shelves().get(RowBytes.shelf(key));
        if (shelf == null) {
            throw new Violation(
                    "Expected an entity for every row, but there is none with number " + RowBytes.entity(key));
        }
        return shelf.gone ? null : shelf;
    }

    private void message(Write write, long nowMs) {
        if (write.kind() == Write.Kind.DELETE_RANGE) {
            entities.requireGone(RowBytes.entity(write.key()));
            return;
        }
        Shelf shelf = shelf(write.key());
        if (shelf == null) {
            if (write.kind() == Write.Kind.PUT) {
                throw new Violation("Expected nothing to be stored in an entity that is deleted.");
            }
            return; // what was left of it
        }
        changed.add(shelf);
        long number = RowBytes.int64(write.key(), 7);
        if (write.kind() == Write.Kind.PUT) {
            put(shelf, lane(write.key()), number, write.argument(), nowMs);
        } else {
            Copy copy = shelf.remove(lane(write.key()), number);
            if (copy == null) {
                throw new Violation("Expected number " + number + " of " + shelf.path + " to be there.");
            }
            if (copy.lane == Lane.SCHEDULED) {
                ledger.idling().used(shelf);
            }
            reasons.leaves(copy, nowMs);
            hand.add(copy);
        }
    }

    private void put(Shelf shelf, Lane lane, long number, byte[] value, long nowMs) {
        RowBytes.Message row = RowBytes.message(value);
        Map<String, String> own = row.content();
        Content content =
                own == null ? bodies.get(new Body(row.body(), row.bodyNumber())) : new Content(row.uid(), own);
        if (content == null) {
            throw new Violation("Expected the shared content of number " + number + " of " + shelf.path + ".");
        }
        long uid = content.uid;
        Copy copy = new Copy(uid, shelf, lane, number, row, content.properties, batch);
        copy.freeMs = nowMs;
        Copy from = takeFromHand(uid, shelf, number, copy.look);
        if (from != null) {
            reasons.move(from, copy, nowMs);
        } else {
            arrived.add(copy);
        }
        boolean isNew = (from == null || from.shelf != shelf) && !outboxes.isReturning(copy);
        if (isNew && (lane == Lane.MAIN || lane == Lane.DEAD_LETTER) && Shelves.topicOf(shelf.path) != null) {
            publications.arrives(copy);
        } else if (isNew && from != null) {
            looks.comes(from, copy);
        } else if (from != null) {
            looks.stays(from, copy);
        }
        if (isNew && (lane == Lane.MAIN || lane == Lane.SCHEDULED) && Shelves.topicOf(shelf.path) == null) {
            ledger.idling().used(shelf); // IDLE-9: to a subscription nothing is sent
        }
        if (lane == Lane.MAIN || lane == Lane.SCHEDULED) {
            reasons.newNumber(copy);
        }
        shelf.add(copy);
    }

    /**
     * The copy that may come to a shelf now, rather the one of that number than one that looks the same than any; another
     * one of the same message may have been settled.
     */
    private @Nullable Copy takeFromHand(long uid, Shelf to, long number, Look look) {
        Copy best = null;
        int bestLikeness = -1;
        for (int i = hand.size() - 1; i >= 0; i--) {
            Copy copy = hand.get(i);
            int likeness = copy.shelf == to && copy.number == number ? 2 : copy.look.equals(look) ? 1 : 0;
            if (copy.uid == uid && likeness > bestLikeness && reasons.mayCome(copy, to)) {
                best = copy;
                bestLikeness = likeness;
            }
        }
        hand.remove(best);
        return best;
    }

    private void change(Write write, long nowMs) {
        Shelf shelf = write.kind() == Write.Kind.PUT ? shelf(write.key()) : null;
        if (shelf != null) {
            changed.add(shelf);
            Copy copy = shelf.lane(lane(write.key())).get(RowBytes.int64(write.key(), 7));
            if (copy == null) {
                throw new Violation("Expected a message that changes to be there, in " + shelf.path + ".");
            }
            RowBytes.Change change = RowBytes.change(write.argument());
            reasons.change(copy, change, nowMs);
            shelf.sizeBytes -= copy.sizeBytes();
            Look look = LookBytes.look(copy.content, change.overrides().values());
            ledger.check(
                    copy.look.equals(look),
                    () -> "Expected a message to stay " + copy.look + ", but it becomes " + look,
                    copy);
            copy.changedBytes = change.overrides().sizeBytes();
            copy.deliveryCount = change.deliveryCount();
            copy.changedIn = batch;
            shelf.sizeBytes += copy.sizeBytes();
        }
    }

    private void transfer(Write write, long nowMs) {
        if (write.kind() == Write.Kind.DELETE_RANGE) {
            outboxes.drop(RowBytes.entity(write.key()));
            return;
        }
        Shelf source = shelf(write.key());
        if (source == null) {
            return;
        }
        changed.add(source);
        if (write.kind() == Write.Kind.DELETE) {
            outboxes.leave(source, write);
            return;
        }
        Flight flight = outboxes.depart(source, write);
        Copy from = takeFromHand(flight.uid, source, flight.number, flight.look);
        looks.departs(from, flight);
        reasons.departure(from, flight, nowMs);
    }

    private void landed(@Nullable Flight flight) {
        Shelf destination = flight == null ? null : ledger.shelves().ofEntity(flight.destinationId);
        if (flight != null && destination != null && !destination.gone && destination.settings.topic()) {
            publications.landed(flight.uid, destination);
        }
    }

    private void totals(Write write) {
        Shelf shelf = write.kind() == Write.Kind.PUT ? shelf(write.key()) : null;
        if (shelf != null) {
            shelf.written = RowBytes.totals(write.argument());
            changed.add(shelf);
        }
    }

    /** Counters equal contents, and numbers only grow. */
    private void compare(Shelf shelf) {
        RowBytes.Totals row = shelf.written;
        shelf.written = null;
        touched.add(shelf);
        if (shelf.gone) {
            return;
        }
        if (row == null) {
            throw new Violation("Expected the totals of " + shelf.path + " in the batch that changes its messages.");
        }
        expect(shelf, "active", shelf.lane(Lane.MAIN).size(), row.active());
        expect(shelf, "deferred", shelf.deferred, row.deferred());
        expect(shelf, "scheduled", shelf.lane(Lane.SCHEDULED).size(), row.scheduled());
        expect(shelf, "dead-lettered", shelf.lane(Lane.DEAD_LETTER).size(), row.deadLetter());
        expect(
                shelf,
                "transfer dead-lettered",
                shelf.lane(Lane.TRANSFER_DEAD_LETTER).size(),
                row.transferDeadLetter());
        if (!shelf.settings.topic() && !shelf.settings.sessions()) {
            expect(shelf, "size", shelf.sizeBytes + outboxes.sizeBytes(shelf), row.sizeBytes());
        }
        if (row.lastNumber() < shelf.lastNumber) {
            throw new Violation("Expected the numbers of " + shelf.path + " to grow, but after " + shelf.lastNumber
                    + " the last one is " + row.lastNumber() + ".");
        }
        shelf.lastNumber = row.lastNumber();
        if (!shelf.settings.sessions()) {
            for (Copy copy : shelf.lane(Lane.MAIN).headMap(row.mainHead()).values()) {
                if (!copy.deferred) {
                    throw new Violation("Expected no active message before the head " + row.mainHead() + ", but " + copy
                            + " is there: a restart would lose it.");
                }
            }
        }
    }

    private static void expect(Shelf shelf, String what, long there, long told) {
        if (there != told) {
            throw new Violation("Expected the counters of " + shelf.path + " to equal its contents, but " + what
                    + " is " + told + " where " + there + " are there.");
        }
    }
}
