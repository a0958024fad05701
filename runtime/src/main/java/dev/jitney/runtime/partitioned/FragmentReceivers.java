package dev.jitney.runtime.partitioned;

import dev.jitney.core.Command;
import dev.jitney.core.Reply;
import dev.jitney.core.SessionHold;
import dev.jitney.core.partition.KeyHash;
import dev.jitney.model.Rejection;
import dev.jitney.model.SubQueue;
import dev.jitney.runtime.ConnectionReceivers;
import dev.jitney.runtime.ReceiverListener;
import dev.jitney.runtime.ReplyListener;
import dev.jitney.runtime.namespace.ServedEntity;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;

/** The receivers of a partitioned entity, each of which has one receiver at every fragment. Any thread may call it. */
final class FragmentReceivers implements FragmentedAccept.Sessions {
    private final ServedEntity whole;
    private final FragmentTable fragments;

    /** The receivers by their numbers. */
    private final Map<Long, WholeReceiver> receivers = new ConcurrentHashMap<>();

    /** The number of receivers that hold a session or wait for one. */
    private int listeners;

    private volatile int firstToAsk;

    FragmentReceivers(ServedEntity whole, FragmentTable fragments) {
        this.whole = whole;
        this.fragments = fragments;
    }

    /** Returns the fragment that gets the first request for the next session. */
    @Override
    public int firstToAsk() {
        return firstToAsk;
    }

    /** Moves a fragment that has assigned a session to the end of the order for the next one. */
    @Override
    public void askBehind(int fragment) {
        firstToAsk = (fragment + 1) % fragments.count();
    }

    int count() {
        return receivers.size();
    }

    /** Returns whether a receiver waits for messages now. */
    boolean areWaiting() {
        return receivers.values().stream().anyMatch(WholeReceiver::isWaiting);
    }

    /** Sets the credit of a receiver. */
    void credit(Command.SetCredit credit) {
        WholeReceiver receiver = receivers.get(credit.receiverId());
        if (receiver != null) {
            receiver.credit(credit);
        }
    }

    /** Replaces the number of a session's receiver by its number in the fragment. */
    Command translate(Command command) {
        if (command instanceof Command.OfSessionHolder holder && holder.session() != null) {
            return holder.withSession(translate(holder.session()));
        }
        return command;
    }

    private SessionHold translate(SessionHold session) {
        WholeReceiver receiver = receivers.get(session.receiverId());
        return receiver == null ? session : new SessionHold(receiver.receiverId(), session.sessionId());
    }

    /**
     * Returns the fragment of a claimed session. A rule action may have set the id of a session, and then the session is in
     * the fragment of its messages (PART-27, RULE-13). Only its holder knows which one that is.
     */
    int fragment(SessionHold session) {
        WholeReceiver receiver = receivers.get(session.receiverId());
        int held = receiver == null ? -1 : receiver.sessionFragment();
        return held >= 0 ? held : KeyHash.fragment(session.sessionId(), fragments.count());
    }

    void attach(
            ConnectionReceivers home, Command.AttachReceiver command, ReceiverListener listener, ReplyListener reply) {
        FragmentedReceiver receiver;
        do {
            receiver = new FragmentedReceiver(fanIn(home, command.subQueue()), command, listener);
            receivers.put(command.receiverId(), receiver);
        } while (!receiver.attach(new ReplyListener() {
            @Override
            public void onReply(Reply done) {
                reply.onReply(done);
            }

            @Override
            public void onRejected(Rejection rejection) {
                receivers.remove(command.receiverId());
                reply.onRejected(rejection);
            }
        }));
    }

    /** Returns the connection's prefetch for a sub-queue. */
    private PartitionFanIn fanIn(ConnectionReceivers home, SubQueue subQueue) {
        return (PartitionFanIn) home.prefetch(
                whole, subQueue, () -> new PartitionFanIn(home, whole, fragments.all(), subQueue, this::ended));
    }

    void acceptSession(
            Command.AcceptSession command, Executor executor, ReceiverListener listener, ReplyListener reply) {
        FragmentedAccept accept = new FragmentedAccept(this, fragments, command, executor, listener, reply);
        receivers.put(command.receiverId(), accept);
        listen(1);
        accept.begin();
    }

    /**
     * Starts or stops session listening in all fragments: it runs while any receiver holds or requests a session
     * (TTL-31).
     */
    private synchronized void listen(int more) {
        boolean before = listeners > 0;
        listeners += more;
        boolean now = listeners > 0;
        if (before != now) {
            for (ServedEntity part : fragments.all()) {
                if (!now) {
                    part.shard().stopWaiting(part);
                }
                tell(part, now);
            }
        }
    }

    /** Sets session listening in a fragment, and again after its store has restarted, which clears the setting. */
    private void tell(ServedEntity part, boolean listening) {
        part.enqueue(new Command.SetSessionListeners(listening), Runnable::run, new ReplyListener() {
            @Override
            public void onReply(Reply reply) {
                if (listening) {
                    repeatAfterRestart(part);
                }
            }

            @Override
            public void onRejected(Rejection rejection) {
                if (part.isDamaged()) {
                    part.shard().whenServingAnew(part, () -> tellAnew(part));
                } else if (rejection.code().retryable()) {
                    part.shard().whenServing(part, () -> tellAnew(part));
                }
            }
        });
    }

    private synchronized void repeatAfterRestart(ServedEntity part) {
        if (listeners > 0) {
            part.shard().whenServingAnew(part, () -> tellAnew(part));
        }
    }

    private synchronized void tellAnew(ServedEntity part) {
        if (listeners > 0) {
            tell(part, true);
        }
    }

    void forget(long receiverId) {
        WholeReceiver receiver = receivers.get(receiverId);
        ended(receiverId);
        if (receiver != null) {
            receiver.detach();
        }
    }

    /** Removes a receiver that has ended. */
    @Override
    public void ended(long receiverId) {
        if (receivers.remove(receiverId) instanceof FragmentedAccept) {
            listen(-1);
        }
    }
}
