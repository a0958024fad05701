package dev.jitney.runtime.partitioned;

import dev.jitney.core.Command;
import dev.jitney.core.Reply;
import dev.jitney.core.partition.KeyHash;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.MessageView;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.Receiver;
import dev.jitney.runtime.ReceiverListener;
import dev.jitney.runtime.ReplyListener;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * A request for a session of a partitioned entity. A request for a named session goes to its fragment. A request for
 * the next available session goes to all fragments, and the first one with a session wins (SESS-23). Afterwards this
 * is the receiver of that session.
 *
 * <p>Any thread may call it.
 */
final class FragmentedAccept implements WholeReceiver {
    /*
     * The reason for the lock: fragments answer on the executor of the connection, but the owner may set credit or
     * detach on any thread, and shards call isWaiting on their own threads. The lock cannot cause a deadlock: no
     * caller holds another lock of the runtime, and listeners and the list of sessions are called after the lock was
     * released. The exceptions are firstToAsk and askBehind, which take no lock.
     */
    private final Sessions sessions;
    private final FragmentTable fragments;
    private final Command.AcceptSession command;
    private final Executor executor;
    private final ReceiverListener listener;
    private final ReplyListener reply;

    /** The receivers at fragments that have not answered, and the winner, by fragment. */
    private final Map<Integer, Receiver> asking = new HashMap<>();

    private int open;
    private @Nullable Receiver winner;
    private int winningFragment = -1;
    private @Nullable Rejection refusal;
    private boolean ended;

    /**
     * The order in which fragments get requests for sessions, and the receivers that have one. Any thread may call
     * it.
     */
    interface Sessions {
        /** Returns the fragment that gets the first request for the next session. */
        int firstToAsk();

        /** Moves a fragment that has assigned a session to the end of the order for the next one. */
        void askBehind(int fragment);

        /** Removes a receiver that has ended. */
        void ended(long receiverId);
    }

    FragmentedAccept(
            Sessions sessions,
            FragmentTable fragments,
            Command.AcceptSession command,
            Executor executor,
            ReceiverListener listener,
            ReplyListener reply) {
        this.sessions = sessions;
        this.fragments = fragments;
        this.command = command;
        this.executor = executor;
        this.listener = listener;
        this.reply = reply;
    }

    @Override
    public synchronized long receiverId() {
        return winner == null ? command.receiverId() : winner.id();
    }

    @Override
    public synchronized int sessionFragment() {
        return winningFragment;
    }

    synchronized void begin() {
        String sessionId = command.sessionId();
        if (sessionId != null) {
            open = 1;
            ask(KeyHash.fragment(sessionId, fragments.count()));
        } else {
            open = fragments.count();
            int first = sessions.firstToAsk(); // round-robin (SESS-5)
            for (int i = 0; i < fragments.count(); i++) {
                ask((first + i) % fragments.count());
            }
        }
    }

    private void ask(int fragment) {
        Bid bid = new Bid(fragment);
        asking.put(
                fragment,
                fragments
                        .part(fragment)
                        .acceptPart(command.sessionId(), command.mode(), command.waitMs(), executor, bid, bid));
    }

    /** Releases the session that this fragment may have assigned. */
    private void giveBack(int fragment, Receiver receiver) {
        fragments.part(fragment).giveBack(receiver.id());
    }

    /** The listener for one fragment's answer, and then for the events of its receiver. */
    private final class Bid implements ReplyListener, ReceiverListener {
        private final int fragment;

        Bid(int fragment) {
            this.fragment = fragment;
        }

        @Override
        public void onReply(Reply accepted) {
            synchronized (FragmentedAccept.this) {
                open--;
                Receiver mine = asking.remove(fragment);
                if (ended || winner != null) {
                    if (mine != null) {
                        giveBack(fragment, mine); // another fragment won
                    }
                    return;
                }
                winner = mine;
                winningFragment = fragment;
                sessions.askBehind(fragment);
                asking.forEach(FragmentedAccept.this::giveBack);
                asking.clear();
            }
            reply.onReply(accepted);
        }

        @Override
        public void onRejected(Rejection rejection) {
            Rejection told;
            synchronized (FragmentedAccept.this) {
                open--;
                asking.remove(fragment);
                // A missing session in the other fragments is a better reason than one fragment that cannot answer.
                if (refusal == null || refusal.code().retryable() && refusal.code() != ErrorCode.TIMEOUT) {
                    refusal = rejection;
                }
                if (open > 0 || ended || winner != null) {
                    return;
                }
                ended = true;
                told = refusal;
            }
            sessions.ended(command.receiverId());
            reply.onRejected(told);
        }

        @Override
        public String holder() {
            return listener.holder();
        }

        @Override
        public boolean onDelivering(long bytes) {
            return listener.onDelivering(bytes);
        }

        @Override
        public void onNotDelivered(long bytes) {
            listener.onNotDelivered(bytes);
        }

        @Override
        public void onDelivered(MessageView message) {
            listener.onDelivered(message);
        }

        @Override
        public void onDelivered(List<MessageView> messages) {
            listener.onDelivered(messages);
        }

        @Override
        public void onDrained(long deliveryLimit) {
            listener.onDrained(deliveryLimit);
        }

        @Override
        public void onSuspended(Rejection reason) {
            synchronized (FragmentedAccept.this) {
                if (fragment != winningFragment) {
                    return;
                }
            }
            listener.onSuspended(reason);
        }

        @Override
        public void onClosed(Rejection reason) {
            synchronized (FragmentedAccept.this) {
                if (fragment != winningFragment) {
                    return; // the owner does not know it: another fragment won, or all refuse
                }
            }
            sessions.ended(command.receiverId());
            listener.onClosed(reason);
        }
    }

    @Override
    public synchronized boolean isWaiting() {
        return !ended;
    }

    @Override
    public synchronized void credit(Command.SetCredit credit) {
        if (winner != null) {
            winner.setCredit(credit.deliveryLimit(), credit.drain());
        }
    }

    @Override
    public synchronized void detach() {
        ended = true;
        asking.forEach(this::giveBack);
        asking.clear();
        if (winner != null) {
            winner.detach();
        }
    }
}
