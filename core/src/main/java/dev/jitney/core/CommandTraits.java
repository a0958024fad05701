package dev.jitney.core;

/** The columns of the table of commands ({@link CommandKind}) and their values. */
public final class CommandTraits {

    private CommandTraits() {}

    /** The effect of a command that is not refused on the idle time of its entity. */
    public enum Activity {
        USE,
        /** The command only detaches, or only reads for operators. */
        IDLE
    }

    /** The cost of a command in throttling credits of its namespace (THR-2). */
    public enum Credits {
        /** One for each message that it sends; refused without credits. */
        PER_MESSAGE_SENT,
        /** One for each message that it names; refused without credits. */
        PER_MESSAGE_NAMED,
        /** One for each message of the answer, at least one; refused without credits. */
        PER_MESSAGE_FOUND,
        /** None; refused without credits anyway, because the deliveries will cost credits. */
        WHILE_CREDITS_LAST,
        /** One; never refused, because it frees space or keeps it free. */
        ONE_IN_ANY_CASE,
        /** None; never refused. */
        NO_CREDIT
    }

    /** The way in which an executed command is counted as operations and bytes (MET-1). */
    public enum Metering {
        /** Its messages, by size. */
        MESSAGES_IN,
        /** The messages of the answer, or an empty receive. */
        MESSAGES_OUT,
        /** Like {@link #MESSAGES_OUT}, but counted once for any number of fragments (PART-15). */
        MESSAGES_OUT_OF_ENTITY,
        /** One call. */
        CALL,
        /** One call for any number of fragments (PART-15). */
        CALL_OF_ENTITY,
        /** One call that sets the state of a session. */
        STATE_IN,
        /** One call that returns the state of a session. */
        STATE_OUT,
        /** Not counted: the command belongs to deliveries or is internal. */
        FREE;

        /** Returns whether the partitioned entity counts the command, and its fragments do not (PART-15). */
        public boolean isOfEntity() {
            return this == MESSAGES_OUT_OF_ENTITY || this == CALL_OF_ENTITY;
        }
    }

    /** The fragments of a partitioned entity that execute a command (PART-64). */
    public enum Routing {
        /** The fragment that the keys of its messages determine. */
        BY_KEY,
        /** The fragments that its lock tokens name; several fragments use two phases (LOCK-13). */
        BY_TOKEN,
        /**
         * The fragments that its sequence numbers name; several fragments use two phases (SCHED-4). A request for
         * messages of a session goes to the fragment of the session (SESS-14).
         */
        BY_NUMBER,
        /** The fragment of the session. */
        BY_SESSION,
        /** The fragments of the receiver that it names. */
        BY_RECEIVER,
        /**
         * The first fragment with messages, from a sequence number on (PEEK-9), or the fragment of the session if the
         * command names one.
         */
        FIRST_WITH_MESSAGES,
        /** The fragment of the sequence number from which it reads; after its end the next fragment follows. */
        BY_POSITION,
        /** The fragment of the session after which it reads; after its end the next available fragment follows. */
        BY_SESSION_PLACE,
        /** The fragment that a send of its message would get now. */
        LIKE_SEND,
        /** All fragments; their counts are added up. */
        ALL_COUNTS,
        /** All fragments; their sessions are merged into one list. */
        ALL_SESSIONS,
        /** No fragment: partitioned entities refuse the command (PURGE-2). */
        REFUSED,
        /** One fragment, to which the command is sent directly, and never to a partitioned entity. */
        OF_ONE_FRAGMENT
    }

    /** The kinds of entities that accept a command. Queues accept all commands. */
    public enum TakenBy {
        /** Queues, topics and subscriptions. */
        ALL,
        /** Like {@link #ALL}, but a topic only for scheduled messages and its transfer dead-letter queue. */
        ALL_BUT_COPIES,
        /** Queues and subscriptions, and topics for their transfer dead-letter queue. */
        TOPIC_FOR_TRANSFER_DEAD_LETTERS,
        /** Queues and topics. */
        NO_SUBSCRIPTION,
        /** Queues and subscriptions. */
        NO_TOPIC
    }

    /** The direction of messages: a command sends messages, requests messages, or does neither. */
    public enum Direction {
        IN,
        OUT,
        NEITHER
    }

    /** The need of a command for capacity for more messages. */
    public enum Capacity {
        MORE,
        NO_MORE
    }
}
