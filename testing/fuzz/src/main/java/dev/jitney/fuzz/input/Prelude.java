package dev.jitney.fuzz.input;

import dev.jitney.fuzz.server.FuzzedBroker;
import dev.jitney.model.AccessRule;

/** The valid frames that a client sends before the fuzzed ones. */
public final class Prelude {
    /** A connection with a credential. */
    public static final byte[] OPENED = Frames.join(
            Frames.SASL, Frames.saslPlain(AccessRule.ROOT_NAME, FuzzedBroker.KEY), Frames.AMQP, Frames.open());

    /**
     * A session on channel 0 with links that inputs use by their handles: 0 sends to the queue, 1 receives from it, 2
     * and 3 are the queue's management, 4 and 5 that of the subscription. 6 and 7 are {@code $cbs}, 8 sends to the
     * topic, 9 to the queue with sessions, 10 to the coordinator of transactions, and 11 receives from a session. 12
     * and 13 are the management of the queue with sessions, 14 sends to the partitioned queue, and 15 receives from it.
     * 16 sends to the queue that detects duplicates, 17 to the queue that forwards, and 18 receives from the
     * subscription and settles as it sends.
     */
    public static final byte[] LINKED = Frames.join(
            OPENED,
            Frames.begin(0),
            Frames.sender(0, "to-q", FuzzedBroker.QUEUE),
            Frames.receiver(1, "from-q", FuzzedBroker.QUEUE, "here"),
            Frames.flow(1, 5),
            Frames.sender(2, "ask-q", FuzzedBroker.QUEUE + "/$management"),
            Frames.receiver(3, "answer-q", FuzzedBroker.QUEUE + "/$management", "reply-q"),
            Frames.flow(3, 100),
            Frames.sender(4, "ask-a", subscription() + "/$management"),
            Frames.receiver(5, "answer-a", subscription() + "/$management", "reply-a"),
            Frames.flow(5, 100),
            Frames.sender(6, "ask-cbs", "$cbs"),
            Frames.receiver(7, "answer-cbs", "$cbs", "reply-cbs"),
            Frames.flow(7, 100),
            Frames.sender(8, "to-t", FuzzedBroker.TOPIC),
            Frames.sender(9, "to-s", FuzzedBroker.SESSIONS),
            AmqpTransactions.coordinator(10),
            Frames.sessionReceiver(11, "from-s", FuzzedBroker.SESSIONS, "x"),
            Frames.flow(11, 3),
            Frames.sender(12, "ask-s", FuzzedBroker.SESSIONS + "/$management"),
            Frames.receiver(13, "answer-s", FuzzedBroker.SESSIONS + "/$management", "reply-s"),
            Frames.flow(13, 100),
            Frames.sender(14, "to-p", FuzzedBroker.PARTITIONED),
            Frames.receiver(15, "from-p", FuzzedBroker.PARTITIONED, "here"),
            Frames.flow(15, 3),
            Frames.sender(16, "to-d", FuzzedBroker.DUPLICATES),
            Frames.sender(17, "to-f", FuzzedBroker.FORWARDING),
            Frames.receiver(18, "from-a", subscription(), "here"),
            Frames.flow(18, 3));

    /** The first handle without a link. */
    static final int FREE_HANDLE = 19;

    private Prelude() {}

    static String subscription() {
        return FuzzedBroker.TOPIC + "/Subscriptions/" + FuzzedBroker.SUBSCRIPTION;
    }
}
