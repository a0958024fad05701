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
 * What clients may expect of a queue with sessions, whatever happens to the broker: within a hold the messages of a session
 * come in order and none is left out; what was accepted is there until its completion is asked for; what was confirmed
 * does not come back; the state of a session is the one last confirmed, or the one asked for since. Thread-safe.
 */
public final class SessionLedger extends CrashLedger {

    private final List<Session> sessions = new ArrayList<>();
    private int confirmed;
    private int delivered;
    private int states;
    private int life;

    /** How far a message has come. */
    private enum Stage {
        SENT,
        ACCEPTED,
        /** Its completion was asked for, so it may be gone. */
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

    /** One hold of one session: what came in it. */
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

    /** A message is on its way; returns its number within the session. */
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
            complain(sessionId + " was given to two receivers.");
        }
        s.holder = new Hold(sessionOf(sessionId));
        return s.holder;
    }

    /** Counts how often all holds have ended at once. */
    public synchronized int life() {
        return life;
    }

    /** The broker is gone, and no session is held. To be called before and after: what is held in between ends, too. */
    public synchronized void endHolds() {
        life++;
        sessions.forEach(s -> s.holder = null);
    }

    /** The same as without the last parameter; null if holds have ended since that life, so that this may be one of them. */
    public synchronized @Nullable Hold hold(String sessionId, int inLife) {
        return inLife == life ? hold(sessionId) : null;
    }

    /** Whether it has not ended. */
    synchronized boolean holds(Hold hold) {
        return sessions.get(hold.session).holder == hold;
    }

    /** The holder asks to close, or its connection is gone. */
    public synchronized void free(Hold hold) {
        if (holds(hold)) {
            sessions.get(hold.session).holder = null;
        }
    }

    /** A message came to the holder; its completion is asked for at once. Returns its number. */
    public synchronized int delivered(Hold hold, ReceivedMessage message) {
        return delivered(hold, String.valueOf(message.messageId()));
    }

    /** The same by the message's id; -1 if the hold has ended, and the message was given in it. */
    public synchronized int delivered(Hold hold, String id) {
        if (!holds(hold)) {
            return -1;
        }
        delivered++;
        Session s = sessions.get(hold.session);
        int number = Integer.parseInt(id.substring(id.indexOf('/') + 1));
        if (!id.equals(messageId(hold.session, number))) {
            complain("Message " + id + " came in " + sessionId(hold.session) + ".");
            return number;
        }
        if (s.completed.get(number)) {
            complain("Message " + id + " came again after its completion was confirmed.");
        }
        if (!hold.seen.isEmpty() && hold.seen.last() >= number) {
            complain("Message " + id + " came after " + hold.seen.last() + ".");
        }
        s.messages.headMap(number).forEach((other, stage) -> {
            if (stage == Stage.ACCEPTED) {
                complain("Message " + id + " came before " + other + ", which was accepted and is not completed.");
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

    /** A new state is asked for; returns it. */
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

    /** Compares the state that a holder sees with what is known, and takes it for known, unless the hold has ended. */
    public synchronized void compareState(Hold hold, int seen) {
        if (holds(hold)) {
            compareState(hold.session, seen);
        }
    }

    /** Compares a state with what is known, and takes it for known. */
    public synchronized void compareState(int session, int seen) {
        Session s = sessions.get(session);
        if (seen != s.state && !s.wantedStates.contains(seen)) {
            complain("The state of " + sessionId(session) + " is " + seen + ", but was " + s.state + " or one of "
                    + s.wantedStates + ".");
        }
        s.state = seen;
        s.wantedStates.clear();
    }

    /** Compares with what a restarted broker shows by peek, and takes that for known. */
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
                complain("Message " + id + " is there twice.");
            }
            if (sessions.get(session).completed.get(number)) {
                complain("Message " + id + " is there after its completion was confirmed.");
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
                        complain("Message " + messageId(i, number) + " was accepted and is lost.");
                    }
                }
            }
        }
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
