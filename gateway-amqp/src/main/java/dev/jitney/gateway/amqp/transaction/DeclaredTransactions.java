package dev.jitney.gateway.amqp.transaction;

import dev.jitney.core.Command;
import dev.jitney.gateway.amqp.access.ConnectionAccess;
import dev.jitney.gateway.amqp.delivery.DeliveryLedger;
import dev.jitney.gateway.amqp.management.CommandTarget;
import dev.jitney.gateway.amqp.shared.ConnectionLoop;
import dev.jitney.gateway.amqp.wire.LinkWire;
import dev.jitney.gateway.amqp.wire.SessionWire;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.BrokerException;
import dev.jitney.runtime.ReplyListener;
import dev.jitney.runtime.Transaction;
import dev.jitney.runtime.Transaction.Work;
import dev.jitney.runtime.memory.MemoryAccount;
import dev.jitney.runtime.memory.MemoryPurpose;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.qpid.protonj2.types.Binary;
import org.apache.qpid.protonj2.types.messaging.Outcome;
import org.apache.qpid.protonj2.types.transactions.TransactionalState;
import org.apache.qpid.protonj2.types.transport.DeliveryState;
import org.jspecify.annotations.Nullable;

/**
 * The transactions declared on one connection, by id: they are known on all its sessions and on no other connection (TX-11,
 * wire reference 8.3). On the event loop.
 */
public final class DeclaredTransactions {
    /** Far more than a client works on at a time; a declare beyond it is refused. */
    private static final int DECLARED_MAX = 1_000;

    private final ConnectionLoop loop;
    private final ConnectionAccess access;
    private final MemoryAccount account;
    private final DeliveryLedger deliveries;
    private final Predicate<SessionWire> carriesWork;
    private final Supplier<String> ids;
    private final Map<String, Declared> declared = new LinkedHashMap<>();

    /** One transaction with the link that answers for it. */
    private static final class Declared {
        final Transaction transaction;
        final LinkWire coordinator;
        final PendingSettlements settlements = new PendingSettlements();

        /** Bytes of messages in it, which the account of the connection holds. */
        long bytes;

        /** Whether it may span entities, once that is sure. */
        boolean across;

        Declared(Transaction transaction, LinkWire coordinator) {
            this.transaction = transaction;
            this.coordinator = coordinator;
        }
    }

    /**
     * @param account holds the memory of messages that wait for the end of a transaction
     * @param deliveries forgets deliveries when the transaction is committed that settled them
     * @param carriesWork tells of a session whether messages of entities come or go over its links
     * @param ids gives names of new transactions
     */
    public DeclaredTransactions(
            ConnectionLoop loop,
            ConnectionAccess access,
            MemoryAccount account,
            DeliveryLedger deliveries,
            Predicate<SessionWire> carriesWork,
            Supplier<String> ids) {
        this.loop = loop;
        this.access = access;
        this.account = account;
        this.deliveries = deliveries;
        this.carriesWork = carriesWork;
        this.ids = ids;
    }

    /** The outcome of work in a transaction (wire reference 5.5). */
    public static DeliveryState wrap(TransactionalState state, DeliveryState outcome) {
        return new TransactionalState()
                .setTxnId(new Binary(bytes(key(state.getTxnId()))))
                .setOutcome(outcome instanceof Outcome inner ? inner : null);
    }

    /** An id in an array of its own, because some clients send back the whole array (wire reference 8.2). */
    private static byte[] bytes(String id) {
        return id.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static String key(@Nullable Binary id) {
        return id == null ? "" : new String(id.asByteArray(), StandardCharsets.ISO_8859_1);
    }

    /**
     * Begins a transaction and gives its id.
     *
     * @param coordinator the link that answers for it
     */
    public Binary declare(LinkWire coordinator) throws BrokerException {
        if (declared.size() >= DECLARED_MAX) {
            declared.values().removeIf(one -> {
                giveBackIfEnded(one);
                return one.transaction.isEnded();
            });
        }
        if (declared.size() >= DECLARED_MAX) {
            throw new BrokerException(new Rejection(
                    ErrorCode.QUOTA_EXCEEDED,
                    "Expected at most " + DECLARED_MAX + " open transactions on a connection."));
        }
        if (!access.belongsTo(access.namespace())) { // what it does from now on is of one namespace
            throw new BrokerException(Rejection.of(ErrorCode.QUOTA_EXCEEDED));
        }
        String id = ids.get();
        declared.put(id, new Declared(access.namespace().beginTransaction(), coordinator));
        return new Binary(bytes(id));
    }

    /** Ends a transaction; its id is unknown from now on. */
    public void discharge(@Nullable Binary id, boolean fail, ReplyListener listener) {
        Declared ended = declared.remove(key(id));
        if (ended == null) {
            listener.onRejected(Rejection.of(ErrorCode.TRANSACTION_UNKNOWN));
        } else if (fail) {
            giveBack(ended);
            ended.transaction.rollback(loop.executor(), listener);
        } else {
            ended.transaction.commit(
                    loop.executor(),
                    loop.replies(
                            done -> {
                                giveBack(ended);
                                listener.onReply(done);
                                ended.settlements.committed(deliveries);
                            },
                            rejection -> {
                                giveBack(ended);
                                listener.onRejected(rejection);
                            }));
        }
    }

    /** The deliveries settled in the transaction that a state names; a list of its own if there is no such transaction. */
    public PendingSettlements settlements(TransactionalState state) {
        Declared in = declared.get(key(state.getTxnId()));
        return in == null ? new PendingSettlements() : in.settlements;
    }

    private void giveBack(Declared ended) {
        account.hold(MemoryPurpose.TRANSACTIONS, -ended.bytes);
        ended.bytes = 0;
    }

    private void giveBackIfEnded(Declared one) {
        if (one.bytes > 0 && one.transaction.isEnded()) {
            giveBack(one);
        }
    }

    /** Gives back the memory of transactions that have ended by themselves; their ids are still known. */
    public void giveBackEnded() {
        declared.values().forEach(this::giveBackIfEnded);
    }

    /** Whether there is none. */
    public boolean isEmpty() {
        return declared.isEmpty();
    }

    /** Rolls back what was declared on a link that is gone (TX-10). */
    public void gone(LinkWire coordinator) {
        for (Map.Entry<String, Declared> entry : List.copyOf(declared.entrySet())) {
            if (entry.getValue().coordinator == coordinator) {
                declared.remove(entry.getKey());
                giveBack(entry.getValue());
                entry.getValue().transaction.rollback(loop.executor(), ReplyListener.IGNORE);
            }
        }
    }

    /** Does an operation in the transaction a state names. */
    public void submit(TransactionalState state, Work work, ReplyListener listener) {
        submit(state, work, loop.executor(), listener);
    }

    private void submit(TransactionalState state, Work work, Executor executor, ReplyListener listener) {
        Declared in = declared.get(key(state.getTxnId()));
        if (in == null || in.transaction.isEnded()) {
            listener.onRejected(notActive(state));
        } else if (!takes(in, work.command())) {
            Rejection full = new Rejection(
                    ErrorCode.SERVER_BUSY,
                    "Expected room for the messages of one more transaction, but open transactions of the connection hold"
                            + " all the memory it may have. Commit or roll back one of them.");
            in.transaction.spoil(full);
            listener.onRejected(full);
        } else {
            in.transaction.submit(work.across(spans(in)), executor, listener);
        }
    }

    /** Takes the memory for messages that wait for the end of the transaction. */
    private boolean takes(Declared in, Command command) {
        if (!(command instanceof Command.SendMessages send)) {
            return true;
        }
        long bytes = 0;
        for (IncomingMessage message : send.messages()) {
            bytes += message.content().sizeBytes();
        }
        boolean taken = account.tryHold(MemoryPurpose.TRANSACTIONS, bytes);
        in.bytes += taken ? bytes : 0;
        return taken;
    }

    /**
     * A client that means to span entities has its work links and the coordinator on one AMQP session (wire reference 8.4);
     * others have a session per link.
     */
    private boolean spans(Declared in) {
        if (!in.across) {
            in.across = carriesWork.test(in.coordinator.session());
        }
        return in.across;
    }

    /** Work that names a transaction was refused before it came to it; without a transaction nothing depends on it. */
    public void refused(@Nullable DeliveryState state, Rejection reason) {
        if (state instanceof TransactionalState transactional) {
            Declared in = declared.get(key(transactional.getTxnId()));
            if (in != null) {
                in.transaction.spoil(reason);
            }
        }
    }

    /** Where the commands of a request go that names a transaction. */
    public CommandTarget target(TransactionalState state) {
        return new CommandTarget() {
            @Override
            public void submit(Work work, Executor executor, ReplyListener listener) {
                DeclaredTransactions.this.submit(state, work, executor, listener);
            }

            @Override
            public void refused(Rejection reason) {
                DeclaredTransactions.this.refused(state, reason);
            }
        };
    }

    /** What work hears of an unknown or ended transaction (wire reference 8.3). */
    private static Rejection notActive(TransactionalState state) {
        return new Rejection(
                ErrorCode.INVALID_OPERATION,
                "No active Transaction was found for ID '" + printable(key(state.getTxnId()))
                        + "'. The Transaction may have timed out or attempted to span multiple top-level entities such as"
                        + " Queue or Topic. The server Transaction timeout is: 00:02:00.");
    }

    private static String printable(String id) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < Math.min(id.length(), 32); i++) {
            char c = id.charAt(i);
            out.append(c > ' ' && c < 0x7f ? c : '?');
        }
        return out.toString();
    }
}
