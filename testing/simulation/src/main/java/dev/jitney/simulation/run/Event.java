package dev.jitney.simulation.run;

import dev.jitney.simulation.SeededRandom;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The kinds of events, with their relative frequencies. */
enum Event {
    TURN(340),
    PASS_A_MOMENT(60),
    PASS_TO_TIMER(40),
    PASS_LONG(4),
    TURN_BACK_CLOCK(2),
    SEND(100),
    SEND_BATCH(30),
    SCHEDULE(30),
    CANCEL(10),
    ATTACH(20),
    DETACH(8),
    WANT(70),
    COMPLETE(90),
    ABANDON(35),
    DEAD_LETTER(20),
    DEFER(20),
    RELEASE(12),
    SETTLE_SEVERAL(20),
    RENEW(20),
    FETCH_DEFERRED(20),
    PEEK(10),
    PURGE(4),
    ACCEPT_SESSION(25),
    RENEW_SESSION(8),
    SET_STATE(8),
    GET_STATE(4),
    DEAL(40),
    END_DEAL(14),
    UPDATE(8),
    DELETE(2),
    CREATE(6),
    CHANGE_RULE(12),
    KILL(2),
    KILL_IN_COMMIT(4),
    KILL_IN_READ(1),
    COMMIT_FAILS(4, 10),
    READ_FAILS(1),
    STALL(4),
    FILL_DISK(1),
    MAKE_ROOM(4),
    STOP_STORE(1),
    REST(3),
    KILL_NODE(0, 3),
    FREEZE(0, 3),
    CUT_OFF(0, 3),
    WIPE(0, 1),
    REMOVE_MEMBER(0, 2),
    ADD_MEMBER(0, 6),
    REPAIR(0, 12),
    HAND_OVER(0, 2),
    FOLLOW(0, 20),
    MAINTAIN(0, 25),
    VERIFY(0, 1),
    SET_CLOCK(0, 3),
    OLD_LEADER(0, 40);

    private static final Event[] SINGLE = lots(false);
    private static final Event[] CLUSTER = lots(true);

    private final int share;
    private final int clusterShare;

    Event(int share) {
        this(share, share);
    }

    /** An event with different frequencies on a single machine and in a cluster. */
    Event(int share, int clusterShare) {
        this.share = share;
        this.clusterShare = clusterShare;
    }

    /** Returns each event as many times as its frequency says. */
    private static Event[] lots(boolean cluster) {
        List<Event> lots = new ArrayList<>();
        for (Event event : values()) {
            lots.addAll(Collections.nCopies(cluster ? event.clusterShare : event.share, event));
        }
        return lots.toArray(Event[]::new);
    }

    static Event choose(StoreKind kind, SeededRandom random) {
        Event[] lots = kind == StoreKind.CLUSTER ? CLUSTER : SINGLE;
        return lots[random.below(lots.length)];
    }
}
