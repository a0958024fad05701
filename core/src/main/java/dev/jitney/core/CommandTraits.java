package dev.jitney.core;

/** The columns of the table of commands ({@link CommandKind}), and what their values mean. */
public final class CommandTraits {

    private CommandTraits() {}

    /** Whether a command is use of its entity, if it is not refused. */
    public enum Activity {
        USE,
        /** It only leaves, or only asks for counters. */
        IDLE
    }

    /** What a command costs of the throttling credits of its namespace (THR-2). */
    public enum Credits {
        /** One for each message that it brings; refused without credits. */
        PER_MESSAGE_SENT,
        /** One for each message that it names; refused without credits. */
        PER_MESSAGE_NAMED,
        /** One for each message of the answer, at least one; refused without credits. */
        PER_MESSAGE_FOUND,
        /** None; refused without credits all the same, because deliveries will cost some. */
        WHILE_CREDITS_LAST,
        /** One; never refused, because it makes or keeps room. */
        ONE_IN_ANY_CASE,
        /** None; never refused. */
        NO_CREDIT
    }

    /** How a command that was carried out is counted as operations and bytes (MET-1). */
    public enum Metering {
        /** Its messages, by their sizes. */
        MESSAGES_IN,
        /** The messages of the answer, or a receive that ended empty. */
        MESSAGES_OUT,
        /** As {@link #MESSAGES_OUT}, once however many fragments are asked (PART-15). */
        MESSAGES_OUT_OF_ENTITY,
        /** One call. */
        CALL,
        /** One call, however many fragments are asked (PART-15). */
        CALL_OF_ENTITY,
        /** One call that brings the state of a session. */
        STATE_IN,
        /** One call that is answered with the state of a session. */
        STATE_OUT,
        /** Nothing: it belongs to deliveries, or serves the broker. */
        FREE;

        /** Whether a partitioned entity counts it, and not its fragments (PART-15). */
        public boolean isOfEntity() {
            return this == MESSAGES_OUT_OF_ENTITY || this == CALL_OF_ENTITY;
        }
    }

    /** Which fragments of a partitioned entity carry a command out (PART-64). */
    public enum Routing {
        /** Those that the keys of its messages tell. */
        BY_KEY,
        /** Those that its lock tokens tell; if they are several, in two phases (LOCK-13). */
        BY_TOKEN,
        /**
         * Those that its sequence numbers tell; if they are several, in two phases (SCHED-4). What asks for messages of a
         * session goes to the fragment of the session (SESS-14).
         */
        BY_NUMBER,
        /** The one that has the session. */
        BY_SESSION,
        /** Those of the receiver that it names. */
        BY_RECEIVER,
        /** The first, from a sequence number on, that has messages (PEEK-9); the one of the session if it names one. */
        FIRST_WITH_MESSAGES,
        /** All; their counters are added up. */
        ALL_COUNTS,
        /** All; their sessions are one list. */
        ALL_SESSIONS,
        /** None: partitioned entities refuse it (PURGE-2). */
        REFUSED,
        /** It is sent to a fragment, never to a partitioned entity. */
        OF_ONE_FRAGMENT
    }

    /** Which kinds of entities take a command. Queues take all. */
    public enum TakenBy {
        /** Topics and subscriptions take it too. */
        ALL,
        /** As {@link #ALL}, but of a topic only about scheduled messages and the transfer dead-letter queue. */
        ALL_BUT_COPIES,
        /** Subscriptions take it too, and topics if it is about their transfer dead-letter queue. */
        TOPIC_FOR_TRANSFER_DEAD_LETTERS,
        /** Topics take it too. */
        NO_SUBSCRIPTION,
        /** Subscriptions take it too. */
        NO_TOPIC
    }

    /** Whether a command brings messages in or asks for messages to be handed out. */
    public enum Direction {
        IN,
        OUT,
        NEITHER
    }

    /** Whether a command needs capacity for more messages. */
    public enum Capacity {
        MORE,
        NO_MORE
    }
}
