package dev.jitney.runtime.partitioned;

import dev.jitney.core.Command;
import dev.jitney.core.Reply;
import dev.jitney.core.SessionHold;
import dev.jitney.model.Rejection;
import dev.jitney.model.SubQueue;
import dev.jitney.runtime.ConnectionReceivers;
import dev.jitney.runtime.ReceiverListener;
import dev.jitney.runtime.ReplyListener;
import dev.jitney.runtime.namespace.ServedEntity;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;

/** The receivers of a partitioned entity, of which each stands for one at each fragment. Any thread may call it. */
final class FragmentReceivers implements FragmentedAccept.Sessions {
    private final ServedEntity whole;
    private final FragmentTable fragments;

    /** By their numbers. */
    private final Map<Long, WholeReceiver> receivers = new ConcurrentHashMap<>();

    /** How many have a session or wait for one. */
    private int listeners;

    private volatile int firstToAsk;

    FragmentReceivers(ServedEntity whole, FragmentTable fragments) {
        this.whole = whole;
        this.fragments = fragments;
    }

    /** The fragment that is asked first for the next session. */
    @Override
    public int firstToAsk() {
        return firstToAsk;
    }

    /** A fragment has given a session: it is the last to be asked for the next one. */
    @Override
    public void askBehind(int fragment) {
        firstToAsk = (fragment + 1) % fragments.count();
    }

    int count() {
        return receivers.size();
    }

    /** Whether somebody wants to receive now. */
    boolean areWaiting() {
        return receivers.values().stream().anyMatch(WholeReceiver::isWaiting);
    }

    /** Tells one what its owner wants. */
    void credit(Command.SetCredit credit) {
        WholeReceiver receiver = receivers.get(credit.receiverId());
        if (receiver != null) {
            receiver.credit(credit);
        }
    }

    /** Holders of sessions have another number in the fragment. */
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

    /** The one that fetches from the fragments for a connection. */
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

    /** TTL-31: who has or wants a session in one fragment listens to the sessions in all of them. */
    private synchronized void listen(int more) {
        boolean before = listeners > 0;
        listeners += more;
        boolean now = listeners > 0;
        if (before != now) {
            for (ServedEntity part : fragments.all()) {
                tell(part, now);
            }
        }
    }

    /** A fragment whose store starts anew has forgotten it. */
    private void tell(ServedEntity part, boolean listening) {
        part.enqueue(new Command.SetSessionListeners(listening), Runnable::run, new ReplyListener() {
            @Override
            public void onReply(Reply reply) {
                // It knows.
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

    /** A receiver has come to its end. */
    @Override
    public void ended(long receiverId) {
        if (receivers.remove(receiverId) instanceof FragmentedAccept) {
            listen(-1);
        }
    }
}
