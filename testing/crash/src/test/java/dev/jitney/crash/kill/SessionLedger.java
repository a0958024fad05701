package dev.jitney.crash.kill;

import dev.jitney.crash.support.CrashLedger;
import dev.jitney.testing.client.ReceivedMessage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The messages and states that clients of a queue with sessions may expect, whatever happens to the broker. While a
 * receiver holds a session, its messages arrive in order without gaps. An accepted message is stored until its
 * completion is requested, and is not delivered again after its completion is confirmed. The state of a session is the
 * last confirmed state, or one requested since. Thread-safe.
 */
public final class SessionLedger extends CrashLedger {

    private final List<Session> sessions = new ArrayList<>();
    private int confirmed;
    private int delivered;
    private int states;
    private int life;

    /** The stage of a message. */
    private enum Stage {
        SENT,
        ACCEPTED,
        /** The completion was requested, so the message may be gone. */
        COMPLETING
    }

    /** One session. */
    private static final class Session {
        private final TreeMap<Integer, Stage> messages = new TreeMap<>();
        private final BitSet completed = new BitSet();
        private int next;
        private int state;
        private final Set<Integer> wantedStates = new HashSet<>();
        private @Nullable Hold holder;
    }

    /** One acceptance of a session by a receiver, with the messages delivered in it. */
    public static final class Hold {
        private final int session;
        private final TreeSet<Integer> seen = new TreeSet<>();

        private Hold(int session) {
            this.session = session;
        }

        int session() {
            return session;
        }

        public int count() {
            return seen.size();
        }
    }

    public SessionLedger(int sessionCount) {
        for (int i = 0; i < sessionCount; i++) {
            sessions.add(new Session());
        }
    }

    public static String sessionId(int session) {
        return "session-" + session;
    }

    static int sessionOf(String id) {
        return Integer.parseInt(id.substring(id.lastIndexOf('-') + 1));
    }

    public static String messageId(int session, int number) {
        return session + "/" + number;
    }

    /** Records a send. Returns the number of the message in the session. */
    public synchronized int send(int session) {
        Session s = sessions.get(session);
        int number = s.next++;
        s.messages.put(number, Stage.SENT);
        return number;
    }

    public synchronized void accepted(int session, int number) {
        confirmed++;
        sessions.get(session).messages.replace(number, Stage.SENT, Stage.ACCEPTED);
    }

    public synchronized Hold hold(String sessionId) {
        Session s = sessions.get(sessionOf(sessionId));
        if (s.holder != null) {
            complain(sessionId + " was accepted by two receivers.");
        }
        s.holder = new Hold(sessionOf(sessionId));
        return s.holder;
    }

    /** Returns how often all holds have ended together. */
    public synchronized int life() {
        return life;
    }

    /**
     * Ends all holds, because the broker was killed. Called before and after the kill, so that holds created in between
     * end as well.
     */
    public synchronized void endHolds() {
        life++;
        sessions.forEach(s -> s.holder = null);
    }

    /** Records a hold. Returns null if holds have ended since the given life, because this one may have ended with them. */
    public synchronized @Nullable Hold hold(String sessionId, int inLife) {
        return inLife == life ? hold(sessionId) : null;
    }

    /** Returns whether the hold has not ended. */
    synchronized boolean holds(Hold hold) {
        return sessions.get(hold.session).holder == hold;
    }

    /** Ends a hold, because its receiver closes it or its connection is closed. */
    public synchronized void free(Hold hold) {
        if (holds(hold)) {
            sessions.get(hold.session).holder = null;
        }
    }

    /** Records a delivery whose completion is requested immediately. Returns the number of the message. */
    public synchronized int delivered(Hold hold, ReceivedMessage message) {
        return delivered(hold, String.valueOf(message.messageId()));
    }

    /**
     * Records a delivery by the id of the message. Returns -1 if the hold has ended, because the message was delivered
     * in it.
     */
    public synchronized int delivered(Hold hold, String id) {
        if (!holds(hold)) {
            return -1;
        }
        delivered++;
        Session s = sessions.get(hold.session);
        int number = Integer.parseInt(id.substring(id.indexOf('/') + 1));
        if (!id.equals(messageId(hold.session, number))) {
            complain("Message " + id + " was delivered in " + sessionId(hold.session) + ".");
            return number;
        }
        if (s.completed.get(number)) {
            complain("Message " + id + " was delivered again after its completion was confirmed.");
        }
        if (!hold.seen.isEmpty() && hold.seen.last() >= number) {
            complain("Message " + id + " was delivered after number " + hold.seen.last() + ".");
        }
        s.messages.headMap(number).forEach((other, stage) -> {
            if (stage == Stage.ACCEPTED) {
                complain("Message " + id + " was delivered before number " + other
                        + ", which was accepted and is not completed.");
            }
        });
        hold.seen.add(number);
        s.messages.replace(number, Stage.COMPLETING);
        return number;
    }

    public synchronized void completed(Hold hold, int number) {
        confirmed++;
        Session s = sessions.get(hold.session);
        s.messages.remove(number);
        s.completed.set(number);
    }

    /** Records a request for a new state and returns the state. */
    public synchronized int changeState(Hold hold) {
        Session s = sessions.get(hold.session);
        int wanted = ++states;
        s.wantedStates.add(wanted);
        return wanted;
    }

    public synchronized void stateConfirmed(Hold hold, int state) {
        confirmed++;
        Session s = sessions.get(hold.session);
        s.wantedStates.removeIf(older -> older <= state);
        s.state = state;
    }

    /**
     * Compares the state that a receiver reads with the expected ones. The result becomes the known state. Does nothing
     * if the hold has ended.
     */
    public synchronized void compareState(Hold hold, int seen) {
        if (holds(hold)) {
            compareState(hold.session, seen);
        }
    }

    /** Compares a state with the expected ones. The result becomes the known state. */
    public synchronized void compareState(int session, int seen) {
        Session s = sessions.get(session);
        if (seen != s.state && !s.wantedStates.contains(seen)) {
            complain("The state of " + sessionId(session) + " is " + seen + ", but was expected to be " + s.state
                    + " or one of " + s.wantedStates + ".");
        }
        s.state = seen;
        s.wantedStates.clear();
    }

    /** Compares with the peeked messages of a restarted broker, which become the known state. */
    public synchronized void compare(List<ReceivedMessage> messages) {
        Set<String> seen = new HashSet<>();
        long[] last = new long[sessions.size()];
        int[] lastNumber = new int[sessions.size()];
        Arrays.fill(lastNumber, -1);
        for (ReceivedMessage message : messages) {
            String id = String.valueOf(message.messageId());
            int session = Integer.parseInt(id.substring(0, id.indexOf('/')));
            int number = Integer.parseInt(id.substring(id.indexOf('/') + 1));
            if (!seen.add(id)) {
                complain("Message " + id + " exists twice.");
            }
            if (sessions.get(session).completed.get(number)) {
                complain("Message " + id + " exists after its completion was confirmed.");
            }
            if (message.sequenceNumber() <= last[session] || number <= lastNumber[session]) {
                complain("Message " + id + " is out of order.");
            }
            last[session] = message.sequenceNumber();
            lastNumber[session] = number;
        }
        for (int i = 0; i < sessions.size(); i++) {
            Session s = sessions.get(i);
            s.holder = null;
            for (int number : List.copyOf(s.messages.keySet())) {
                if (seen.contains(messageId(i, number))) {
                    s.messages.put(number, Stage.ACCEPTED);
                } else {
                    Stage stage = s.messages.remove(number);
                    s.completed.set(number);
                    if (stage == Stage.ACCEPTED) {
                        complain("Message " + messageId(i, number) + " was accepted, but is lost.");
                    }
                }
            }
        }
    }

    /** Returns the number of messages that were accepted, and not received after that. */
    public synchronized int waiting() {
        return (int) sessions.stream()
                .flatMap(s -> s.messages.values().stream())
                .filter(stage -> stage == Stage.ACCEPTED)
                .count();
    }

    public synchronized int size() {
        return sessions.stream().mapToInt(s -> s.messages.size()).sum();
    }

    synchronized int confirmed() {
        return confirmed;
    }

    public synchronized int delivered() {
        return delivered;
    }
}
