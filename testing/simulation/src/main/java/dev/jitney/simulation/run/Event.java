package dev.jitney.simulation.run;

import dev.jitney.simulation.Chance;

/** What happens next, with how often it does, in shares of all. */
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
    UPDATE_QUEUE(4),
    KILL(2),
    KILL_IN_COMMIT(4),
    KILL_IN_READ(1),
    WRITE_FAILS(4),
    READ_FAILS(1),
    STALL(4),
    FILL_DISK(1),
    MAKE_ROOM(4),
    STOP_STORE(1),
    REST(3);

    private static final Event[] ALL = values();
    private static final int TOTAL = total();

    private final int share;

    Event(int share) {
        this.share = share;
    }

    private static int total() {
        int sum = 0;
        for (Event event : ALL) {
            sum += event.share;
        }
        return sum;
    }

    static Event choose(Chance chance) {
        int at = chance.below(TOTAL);
        for (Event event : ALL) {
            at -= event.share;
            if (at < 0) {
                return event;
            }
        }
        throw new IllegalStateException("Expected the shares to cover all.");
    }
}
