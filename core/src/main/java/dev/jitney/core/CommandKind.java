package dev.jitney.core;

import static dev.jitney.core.CommandTraits.Activity.IDLE;
import static dev.jitney.core.CommandTraits.Activity.USE;
import static dev.jitney.core.CommandTraits.Capacity.MORE;
import static dev.jitney.core.CommandTraits.Capacity.NO_MORE;
import static dev.jitney.core.CommandTraits.Credits.NO_CREDIT;
import static dev.jitney.core.CommandTraits.Credits.ONE_IN_ANY_CASE;
import static dev.jitney.core.CommandTraits.Credits.PER_MESSAGE_FOUND;
import static dev.jitney.core.CommandTraits.Credits.PER_MESSAGE_NAMED;
import static dev.jitney.core.CommandTraits.Credits.PER_MESSAGE_SENT;
import static dev.jitney.core.CommandTraits.Credits.WHILE_CREDITS_LAST;
import static dev.jitney.core.CommandTraits.Direction.IN;
import static dev.jitney.core.CommandTraits.Direction.NEITHER;
import static dev.jitney.core.CommandTraits.Direction.OUT;
import static dev.jitney.core.CommandTraits.Metering.CALL;
import static dev.jitney.core.CommandTraits.Metering.CALL_OF_ENTITY;
import static dev.jitney.core.CommandTraits.Metering.FREE;
import static dev.jitney.core.CommandTraits.Metering.MESSAGES_IN;
import static dev.jitney.core.CommandTraits.Metering.MESSAGES_OUT;
import static dev.jitney.core.CommandTraits.Metering.MESSAGES_OUT_OF_ENTITY;
import static dev.jitney.core.CommandTraits.Metering.STATE_IN;
import static dev.jitney.core.CommandTraits.Metering.STATE_OUT;
import static dev.jitney.core.CommandTraits.Routing.ALL_COUNTS;
import static dev.jitney.core.CommandTraits.Routing.ALL_SESSIONS;
import static dev.jitney.core.CommandTraits.Routing.BY_KEY;
import static dev.jitney.core.CommandTraits.Routing.BY_NUMBER;
import static dev.jitney.core.CommandTraits.Routing.BY_POSITION;
import static dev.jitney.core.CommandTraits.Routing.BY_RECEIVER;
import static dev.jitney.core.CommandTraits.Routing.BY_SESSION;
import static dev.jitney.core.CommandTraits.Routing.BY_SESSION_PLACE;
import static dev.jitney.core.CommandTraits.Routing.BY_TOKEN;
import static dev.jitney.core.CommandTraits.Routing.FIRST_WITH_MESSAGES;
import static dev.jitney.core.CommandTraits.Routing.LIKE_SEND;
import static dev.jitney.core.CommandTraits.Routing.OF_ONE_FRAGMENT;
import static dev.jitney.core.CommandTraits.Routing.REFUSED;
import static dev.jitney.core.CommandTraits.TakenBy.ALL;
import static dev.jitney.core.CommandTraits.TakenBy.ALL_BUT_COPIES;
import static dev.jitney.core.CommandTraits.TakenBy.NO_SUBSCRIPTION;
import static dev.jitney.core.CommandTraits.TakenBy.NO_TOPIC;
import static dev.jitney.core.CommandTraits.TakenBy.TOPIC_FOR_TRANSFER_DEAD_LETTERS;

import dev.jitney.core.CommandTraits.Activity;
import dev.jitney.core.CommandTraits.Capacity;
import dev.jitney.core.CommandTraits.Credits;
import dev.jitney.core.CommandTraits.Direction;
import dev.jitney.core.CommandTraits.Metering;
import dev.jitney.core.CommandTraits.Routing;
import dev.jitney.core.CommandTraits.TakenBy;

/**
 * The kinds of commands, one for each type of {@link Command}. This is the only table of their traits;
 * {@link CommandTraits} documents the columns and their values.
 *
 * <p>A dispatch is a switch over all kinds, or over all values of a trait, without a default, so that a missing kind does
 * not compile.
 */
public enum CommandKind {
    // activity, credits, metering, routing on a partitioned entity, accepting entities, direction, capacity
    SEND_MESSAGES(USE, PER_MESSAGE_SENT, MESSAGES_IN, BY_KEY, NO_SUBSCRIPTION, IN, MORE),
    CANCEL_SCHEDULED_MESSAGES(USE, ONE_IN_ANY_CASE, CALL_OF_ENTITY, BY_NUMBER, NO_SUBSCRIPTION, NEITHER, NO_MORE),
    ATTACH_RECEIVER(USE, WHILE_CREDITS_LAST, FREE, OF_ONE_FRAGMENT, TOPIC_FOR_TRANSFER_DEAD_LETTERS, OUT, NO_MORE),
    SET_CREDIT(USE, NO_CREDIT, FREE, BY_RECEIVER, ALL, NEITHER, NO_MORE),
    DETACH_RECEIVER(IDLE, NO_CREDIT, FREE, OF_ONE_FRAGMENT, ALL, NEITHER, NO_MORE),
    COMPLETE_MESSAGES(USE, NO_CREDIT, FREE, BY_TOKEN, ALL, NEITHER, NO_MORE),
    ABANDON_MESSAGES(USE, NO_CREDIT, FREE, BY_TOKEN, ALL, NEITHER, NO_MORE),
    RELEASE_MESSAGES(USE, NO_CREDIT, FREE, BY_TOKEN, ALL, NEITHER, NO_MORE),
    DEFER_MESSAGES(USE, NO_CREDIT, FREE, BY_TOKEN, ALL, NEITHER, NO_MORE),
    DEAD_LETTER_MESSAGES(USE, NO_CREDIT, FREE, BY_TOKEN, ALL, NEITHER, NO_MORE),
    RENEW_LOCKS(USE, ONE_IN_ANY_CASE, CALL_OF_ENTITY, BY_TOKEN, ALL, NEITHER, NO_MORE),
    RECEIVE_DEFERRED_MESSAGES(
            USE, PER_MESSAGE_NAMED, MESSAGES_OUT, BY_NUMBER, TOPIC_FOR_TRANSFER_DEAD_LETTERS, OUT, NO_MORE),
    PEEK_MESSAGES(
            USE, PER_MESSAGE_FOUND, MESSAGES_OUT_OF_ENTITY, FIRST_WITH_MESSAGES, ALL_BUT_COPIES, NEITHER, NO_MORE),
    SEARCH_MESSAGES(IDLE, NO_CREDIT, FREE, BY_POSITION, ALL_BUT_COPIES, NEITHER, NO_MORE),
    EXPLAIN_SEND(IDLE, NO_CREDIT, FREE, LIKE_SEND, NO_SUBSCRIPTION, NEITHER, NO_MORE),
    CHANGE_MESSAGE(USE, NO_CREDIT, FREE, BY_NUMBER, ALL_BUT_COPIES, NEITHER, NO_MORE),
    GET_LOCKED_MESSAGE(USE, NO_CREDIT, FREE, BY_TOKEN, ALL, NEITHER, NO_MORE),
    BATCH_DELETE_MESSAGES(USE, ONE_IN_ANY_CASE, CALL, REFUSED, TOPIC_FOR_TRANSFER_DEAD_LETTERS, NEITHER, NO_MORE),
    ACCEPT_SESSION(USE, WHILE_CREDITS_LAST, CALL, OF_ONE_FRAGMENT, NO_TOPIC, OUT, NO_MORE),
    RENEW_SESSION_LOCK(USE, ONE_IN_ANY_CASE, CALL, BY_SESSION, NO_TOPIC, NEITHER, NO_MORE),
    GET_SESSION_STATE(USE, ONE_IN_ANY_CASE, STATE_OUT, BY_SESSION, NO_TOPIC, NEITHER, NO_MORE),
    SET_SESSION_STATE(USE, ONE_IN_ANY_CASE, STATE_IN, BY_SESSION, NO_TOPIC, NEITHER, NO_MORE),
    LIST_SESSIONS(USE, ONE_IN_ANY_CASE, CALL_OF_ENTITY, ALL_SESSIONS, NO_TOPIC, NEITHER, NO_MORE),
    BROWSE_SESSIONS(IDLE, NO_CREDIT, FREE, BY_SESSION_PLACE, NO_TOPIC, NEITHER, NO_MORE),
    READ_SESSION(IDLE, NO_CREDIT, FREE, BY_SESSION, NO_TOPIC, NEITHER, NO_MORE),
    CHANGE_SESSION(USE, NO_CREDIT, FREE, BY_SESSION, NO_TOPIC, NEITHER, NO_MORE),
    SET_SESSION_LISTENERS(USE, NO_CREDIT, FREE, OF_ONE_FRAGMENT, NO_TOPIC, NEITHER, NO_MORE),
    TWO_PHASE(USE, NO_CREDIT, FREE, OF_ONE_FRAGMENT, NO_TOPIC, NEITHER, NO_MORE),
    GET_COUNTS(IDLE, NO_CREDIT, FREE, ALL_COUNTS, ALL, NEITHER, NO_MORE);

    private final Activity activity;
    private final Credits credits;
    private final Metering metering;
    private final Routing routing;
    private final TakenBy takenBy;
    private final Direction direction;
    private final Capacity capacity;

    CommandKind(
            Activity activity,
            Credits credits,
            Metering metering,
            Routing routing,
            TakenBy takenBy,
            Direction direction,
            Capacity capacity) {
        this.activity = activity;
        this.credits = credits;
        this.metering = metering;
        this.routing = routing;
        this.takenBy = takenBy;
        this.direction = direction;
        this.capacity = capacity;
    }

    /** Returns whether the command counts as use of the entity, which is then not idle (IDLE-7 to IDLE-9). */
    public boolean isUse() {
        return activity == USE;
    }

    /** Returns the cost in throttling credits of the namespace (THR-2). */
    public Credits credits() {
        return credits;
    }

    /** Returns the way in which the command is counted as operations and bytes (MET-1). */
    public Metering metering() {
        return metering;
    }

    /** Returns the fragments of a partitioned entity that execute the command (PART-64). */
    public Routing routing() {
        return routing;
    }

    /** Returns the kinds of entities that accept the command. */
    public TakenBy takenBy() {
        return takenBy;
    }

    /** Returns whether the command requires an entity that allows sending, or one that allows receiving. */
    public Direction direction() {
        return direction;
    }

    /** Returns whether the command adds messages, and is therefore refused while too many messages wait to be stored. */
    public boolean needsCapacity() {
        return capacity == MORE;
    }
}
