package dev.jitney.simulation.model.batch;

import static dev.jitney.simulation.model.state.Checks.check;

import dev.jitney.core.Lane;
import dev.jitney.runtime.store.Table;
import dev.jitney.simulation.Violation;
import dev.jitney.simulation.disk.Write;
import dev.jitney.simulation.model.answer.Deliveries;
import dev.jitney.simulation.model.answer.SessionStates;
import dev.jitney.simulation.model.answer.Transactions;
import dev.jitney.simulation.model.entity.EntityRows;
import dev.jitney.simulation.model.entity.IdleDeletion;
import dev.jitney.simulation.model.entity.Routes;
import dev.jitney.simulation.model.entity.Rules;
import dev.jitney.simulation.model.row.PropertyBytes;
import dev.jitney.simulation.model.row.RowBytes;
import dev.jitney.simulation.model.row.VisibleProperties;
import dev.jitney.simulation.model.state.MessageCopy;
import dev.jitney.simulation.model.state.ModelState;
import dev.jitney.simulation.model.state.OutboxMessage;
import dev.jitney.simulation.model.state.StoredEntities;
import dev.jitney.simulation.model.state.StoredEntity;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The judge of a batch of rows. A deleted message is held in {@link #hand} until a row puts it elsewhere. At the end of
 * the batch, the messages in the hand are removed ones, and the messages put without having been in the hand are new
 * ones. Each change needs a reason.
 */
public final class BatchJudge {
    private static final Lane[] LANES = {Lane.MAIN, Lane.DEAD_LETTER, Lane.TRANSFER_DEAD_LETTER, Lane.SCHEDULED};

    private final ModelState model;
    private final Rules rules;
    private final IdleDeletion idling;
    private final SessionStates states;
    private final ChangeReasons reasons;
    private final Outboxes outboxes;
    private final Publications publications;
    private final EntityRows entityRows;
    private final PropertyRules propertyRules;
    private final DuplicateRules duplicateRules;
    private final Map<Body, Content> bodies = new HashMap<>();
    private final List<MessageCopy> hand = new ArrayList<>();
    private final List<MessageCopy> arrived = new ArrayList<>();
    private final Set<StoredEntity> changed = new LinkedHashSet<>();

    /** The key of content that several copies share. */
    private record Body(long entity, long number) {}

    /** The shared content of a message. */
    private record Content(long uid, Map<String, String> properties) {}

    public BatchJudge(
            ModelState model,
            Rules rules,
            IdleDeletion idling,
            SessionStates states,
            Routes routes,
            Deliveries deliveries,
            Transactions transactions) {
        this.model = model;
        this.rules = rules;
        this.idling = idling;
        this.states = states;
        this.outboxes = new Outboxes(model);
        this.propertyRules = new PropertyRules(model, rules, outboxes);
        this.duplicateRules = new DuplicateRules(model);
        this.publications = new Publications(model, rules, idling);
        this.reasons = new ChangeReasons(model, routes, deliveries, transactions, outboxes, publications);
        this.entityRows = new EntityRows(model, idling);
    }

    public Outboxes outboxes() {
        return outboxes;
    }

    public EntityRows entityRows() {
        return entityRows;
    }

    /** Called when the turn of a shard has ended. */
    public void turnEnds(int store, boolean trouble) {
        entityRows.turnEnds(store, trouble);
    }

    public void judge(int store, List<Write> writes) {
        model.nextBatch();
        long nowMs = model.timeline().shard(store).nowMs();
        hand.clear();
        arrived.clear();
        changed.clear();
        outboxes.begin();
        publications.begin();
        states.begin();
        for (Write write : writes) {
            if (write.table() == Table.BODIES && write.kind() == Write.Kind.PUT) {
                bodies.put(
                        new Body(RowBytes.entityAndFragment(write.key()), RowBytes.int64(write.key(), 6)),
                        new Content(RowBytes.uid(write.argument()), PropertyBytes.content(write.argument(), 0)));
            }
        }
        for (Write write : writes) {
            switch (write.table()) {
                case ENTITIES, PARTS -> {
                    if (write.kind() == Write.Kind.DELETE) {
                        judgeSoFar(nowMs, model.entities().ofEntity(RowBytes.entity(write.key())));
                    }
                    entityRows.follow(write);
                }
                case MESSAGES -> message(write, nowMs);
                case MESSAGE_STATES -> change(write, nowMs);
                case TRANSFERS -> transfer(write, nowMs);
                case TRANSFER_MARKS -> landed(outboxes.mark(write));
                case RULES -> {
                    judgeSoFar(nowMs, null);
                    rules.follow(write);
                }
                case SESSION_STATES -> states.follow(write);
                case DUPLICATE_IDS -> duplicateRules.follow(write, nowMs);
                case FRAGMENTS -> totals(write);
                default -> {}
            }
        }
        judgeSoFar(nowMs, null);
        judgeHand(nowMs);
        outboxes.end();
        publications.end();
        idling.end();
        reasons.end();
        changed.forEach(this::compare);
        for (Write write : writes) {
            if (write.table() == Table.BODIES && write.kind() == Write.Kind.DELETE) {
                bodies.remove(new Body(RowBytes.entityAndFragment(write.key()), RowBytes.int64(write.key(), 6)));
            }
        }
    }

    /**
     * Judges the rows so far. Called before an entity is deleted, before the rules of a topic change, and at the end.
     *
     * @param leaving the entity that is being deleted, or null
     */
    private void judgeSoFar(long nowMs, @Nullable StoredEntity leaving) {
        arrived.removeIf(outboxes::isRefused);
        for (MessageCopy copy : arrived) {
            reasons.arrival(copy, nowMs);
            if (StoredEntities.topicOf(copy.entity.path) == null) {
                propertyRules.comes(null, copy);
            }
        }
        arrived.clear();
        // Messages that are due go to other entities when all timers have run, including the timers that delete
        // entities.
        List<MessageCopy> due = new ArrayList<>();
        hand.removeIf(copy -> {
            boolean waits = copy.lane == Lane.SCHEDULED && copy.row.scheduledMs() <= nowMs && copy.entity != leaving;
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

    private @Nullable StoredEntity entity(byte[] key) {
        StoredEntity entity = model.entities().get(RowBytes.entityAndFragment(key));
        if (entity == null) {
            throw new Violation(
                    "Expected an entity for each row, but there is none with number " + RowBytes.entity(key));
        }
        return entity.gone ? null : entity;
    }

    private void message(Write write, long nowMs) {
        if (write.kind() == Write.Kind.DELETE_RANGE) {
            model.entities().requireGone(RowBytes.entity(write.key()));
            return;
        }
        StoredEntity entity = entity(write.key());
        if (entity == null) {
            if (write.kind() == Write.Kind.PUT) {
                throw new Violation("Expected no stored messages in a deleted entity, but got one.");
            }
            return; // a remaining message
        }
        changed.add(entity);
        long number = RowBytes.int64(write.key(), 7);
        if (write.kind() == Write.Kind.PUT) {
            put(entity, lane(write.key()), number, write.argument(), nowMs);
        } else {
            MessageCopy copy = entity.remove(lane(write.key()), number);
            if (copy == null) {
                throw new Violation(
                        "Expected deleted message " + number + " of " + entity.path + " to exist, but it does not.");
            }
            if (copy.lane == Lane.SCHEDULED) {
                idling.used(entity);
            }
            reasons.leaves(copy, nowMs);
            hand.add(copy);
        }
    }

    private void put(StoredEntity entity, Lane lane, long number, byte[] value, long nowMs) {
        RowBytes.Message row = RowBytes.message(value);
        Map<String, String> own = row.content();
        Content content =
                own == null ? bodies.get(new Body(row.body(), row.bodyNumber())) : new Content(row.uid(), own);
        if (content == null) {
            throw new Violation(
                    "Expected shared content for message " + number + " of " + entity.path + ", but there is none.");
        }
        long uid = content.uid;
        MessageCopy copy = new MessageCopy(uid, entity, lane, number, row, content.properties, model.batch());
        copy.freeMs = nowMs;
        MessageCopy from = takeFromHand(uid, entity, number, copy.visible);
        if (from != null) {
            reasons.move(from, copy, nowMs);
        } else {
            arrived.add(copy);
        }
        boolean isNew = (from == null || from.entity != entity) && !outboxes.isReturning(copy);
        if (isNew && (lane == Lane.MAIN || lane == Lane.DEAD_LETTER) && StoredEntities.topicOf(entity.path) != null) {
            publications.arrives(copy);
        } else if (isNew && from != null) {
            propertyRules.comes(from, copy);
        } else if (from != null) {
            propertyRules.stays(from, copy);
        }
        if (isNew && (lane == Lane.MAIN || lane == Lane.SCHEDULED) && StoredEntities.topicOf(entity.path) == null) {
            idling.used(entity); // IDLE-9: messages are not sent to subscriptions
        }
        if (lane == Lane.MAIN || lane == Lane.SCHEDULED) {
            reasons.newNumber(copy);
        }
        entity.add(copy);
    }

    /**
     * Takes a copy of a message from the hand that may move to an entity. Prefers the copy with the same number, then a
     * copy with the same properties, because another copy of the message may have been settled.
     */
    private @Nullable MessageCopy takeFromHand(long uid, StoredEntity to, long number, VisibleProperties visible) {
        MessageCopy best = null;
        int bestLikeness = -1;
        for (int i = hand.size() - 1; i >= 0; i--) {
            MessageCopy copy = hand.get(i);
            int likeness = copy.entity == to && copy.number == number ? 2 : copy.visible.equals(visible) ? 1 : 0;
            if (copy.uid == uid && likeness > bestLikeness && reasons.mayCome(copy, to)) {
                best = copy;
                bestLikeness = likeness;
            }
        }
        hand.remove(best);
        return best;
    }

    private void change(Write write, long nowMs) {
        StoredEntity entity = write.kind() == Write.Kind.PUT ? entity(write.key()) : null;
        if (entity != null) {
            changed.add(entity);
            MessageCopy copy = entity.lane(lane(write.key())).get(RowBytes.int64(write.key(), 7));
            if (copy == null) {
                throw new Violation("Expected a changed message to exist in " + entity.path + ", but it does not.");
            }
            RowBytes.Change change = RowBytes.change(write.argument());
            reasons.change(copy, change, nowMs);
            entity.sizeBytes -= copy.sizeBytes();
            VisibleProperties visible =
                    PropertyBytes.visible(copy.content, change.overrides().values());
            check(
                    copy.visible.equals(visible),
                    () -> "Expected a message with the properties " + copy.visible + ", but got " + visible,
                    copy);
            copy.changedBytes = change.overrides().sizeBytes();
            copy.deliveryCount = change.deliveryCount();
            copy.changedIn = model.batch();
            entity.sizeBytes += copy.sizeBytes();
        }
    }

    private void transfer(Write write, long nowMs) {
        if (write.kind() == Write.Kind.DELETE_RANGE) {
            outboxes.drop(RowBytes.entity(write.key()));
            return;
        }
        StoredEntity source = entity(write.key());
        if (source == null) {
            return;
        }
        changed.add(source);
        if (write.kind() == Write.Kind.DELETE) {
            outboxes.leave(source, write);
            return;
        }
        OutboxMessage transfer = outboxes.depart(source, write);
        MessageCopy from = takeFromHand(transfer.uid, source, transfer.number, transfer.visible);
        propertyRules.departs(from, transfer);
        reasons.departure(from, transfer, nowMs);
    }

    private void landed(@Nullable OutboxMessage transfer) {
        StoredEntity destination = transfer == null ? null : model.entities().ofEntity(transfer.destinationId);
        if (transfer != null && destination != null && !destination.gone && destination.settings.topic()) {
            publications.landed(transfer.uid, destination);
        }
    }

    private void totals(Write write) {
        StoredEntity entity = write.kind() == Write.Kind.PUT ? entity(write.key()) : null;
        if (entity != null) {
            entity.written = RowBytes.totals(write.argument());
            changed.add(entity);
        }
    }

    /** Checks that the stored counters equal the messages in an entity, and that sequence numbers only increase. */
    private void compare(StoredEntity entity) {
        RowBytes.Totals row = entity.written;
        entity.written = null;
        model.touch(entity);
        if (entity.gone) {
            return;
        }
        if (row == null) {
            throw new Violation("Expected the totals of " + entity.path
                    + " in the batch that changes its messages, but they are missing.");
        }
        expect(entity, "active", entity.lane(Lane.MAIN).size(), row.active());
        expect(entity, "deferred", entity.deferred, row.deferred());
        expect(entity, "scheduled", entity.lane(Lane.SCHEDULED).size(), row.scheduled());
        expect(entity, "dead-lettered", entity.lane(Lane.DEAD_LETTER).size(), row.deadLetter());
        expect(
                entity,
                "transfer dead-lettered",
                entity.lane(Lane.TRANSFER_DEAD_LETTER).size(),
                row.transferDeadLetter());
        if (!entity.settings.topic() && !entity.settings.sessions()) {
            expect(entity, "size", entity.sizeBytes + outboxes.sizeBytes(entity), row.sizeBytes());
        }
        if (row.lastNumber() < entity.lastNumber) {
            throw new Violation("Expected the last number of " + entity.path + " to increase, but after "
                    + entity.lastNumber + " it is " + row.lastNumber() + ".");
        }
        entity.lastNumber = row.lastNumber();
        if (!entity.settings.sessions()) {
            for (MessageCopy copy :
                    entity.lane(Lane.MAIN).headMap(row.mainHead()).values()) {
                if (!copy.deferred) {
                    throw new Violation("Expected no active message before main head " + row.mainHead() + ", but "
                            + copy + " exists, and a restart would lose it.");
                }
            }
        }
    }

    private static void expect(StoredEntity entity, String what, long there, long told) {
        if (there != told) {
            throw new Violation("Expected the counters of " + entity.path + " to equal its messages, but \"" + what
                    + "\" is " + told + " instead of " + there + ".");
        }
    }
}
