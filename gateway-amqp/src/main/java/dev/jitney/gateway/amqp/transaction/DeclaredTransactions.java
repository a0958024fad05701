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
 * The transactions declared on one connection, by id. They are valid on all sessions of the connection and on no other
 * connection (TX-11, wire reference 8.3). Runs on the event loop.
 */
public final class DeclaredTransactions {
    /** The limit of open transactions: far more than a client uses at a time. A declare beyond it is refused. */
    private static final int DECLARED_MAX = 1_000;

    private final ConnectionLoop loop;
    private final ConnectionAccess access;
    private final MemoryAccount account;
    private final DeliveryLedger deliveries;
    private final Predicate<SessionWire> carriesWork;
    private final Supplier<String> ids;
    private final Map<String, Declared> declared = new LinkedHashMap<>();

    /** One transaction with the link that declared it. */
    private static final class Declared {
        final Transaction transaction;
        final LinkWire coordinator;
        final PendingSettlements settlements = new PendingSettlements();

        /** The bytes of the transaction's messages, which the account of the connection holds. */
        long bytes;

        /** True if the transaction may span entities; never reset. */
        boolean across;

        Declared(Transaction transaction, LinkWire coordinator) {
            this.transaction = transaction;
            this.coordinator = coordinator;
        }
    }

    /**
     * @param account holds the memory of messages that wait for the end of a transaction
     * @param deliveries drops deliveries when the transaction that settled them is committed
     * @param carriesWork returns whether a session has links that carry messages of entities
     * @param ids returns names for new transactions
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

    /** Wraps the outcome of work in a transaction (wire reference 5.5). */
    public static DeliveryState wrap(TransactionalState state, DeliveryState outcome) {
        return new TransactionalState()
                .setTxnId(new Binary(bytes(key(state.getTxnId()))))
                .setOutcome(outcome instanceof Outcome inner ? inner : null);
    }

    /** Returns an id in its own array, because some clients send back the whole array (wire reference 8.2). */
    private static byte[] bytes(String id) {
        return id.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static String key(@Nullable Binary id) {
        return id == null ? "" : new String(id.asByteArray(), StandardCharsets.ISO_8859_1);
    }

    /**
     * Declares a transaction and returns its id.
     *
     * @param coordinator link that declares it
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
                    "Expected at most " + DECLARED_MAX
                            + " open transactions on a connection, but this is one more. Discharge one of them."));
        }
        if (!access.belongsTo(access.namespace())) { // from now on, its work belongs to one namespace
            throw new BrokerException(Rejection.of(ErrorCode.QUOTA_EXCEEDED));
        }
        String id = ids.get();
        declared.put(id, new Declared(access.namespace().beginTransaction(this), coordinator));
        return new Binary(bytes(id));
    }

    /** Discharges a transaction; its id is unknown from now on. */
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

    /** Returns the deliveries settled in the transaction of a state, or a new list if there is no such transaction. */
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

    /** Gives back the memory of transactions that have timed out or failed; their ids are still known. */
    public void giveBackEnded() {
        declared.values().forEach(this::giveBackIfEnded);
    }

    /** Returns whether there is no transaction. */
    public boolean isEmpty() {
        return declared.isEmpty();
    }

    /** Rolls back the transactions of a link that has ended (TX-10). */
    public void gone(LinkWire coordinator) {
        for (Map.Entry<String, Declared> entry : List.copyOf(declared.entrySet())) {
            if (entry.getValue().coordinator == coordinator) {
                declared.remove(entry.getKey());
                giveBack(entry.getValue());
                entry.getValue().transaction.rollback(loop.executor(), ReplyListener.IGNORE);
            }
        }
    }

    /** Runs an operation in the transaction of a state. */
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
                    "Expected memory for the messages of one more transaction, but open transactions of the"
                            + " connection hold"
                            + " all the memory that it may use. Commit or roll back one of them.");
            in.transaction.spoil(full);
            listener.onRejected(full);
        } else {
            in.transaction.submit(work.across(spans(in)), executor, listener);
        }
    }

    /** Takes the memory for messages, and for properties of outcomes, that wait for the end of the transaction. */
    private boolean takes(Declared in, Command command) {
        long bytes = 0;
        if (command instanceof Command.SendMessages send) {
            for (IncomingMessage message : send.messages()) {
                bytes += message.memoryBytes();
            }
        } else if (command instanceof Command.Settlement settlement) {
            bytes = settlement.propertyBytes();
            if (bytes == 0) {
                return true;
            }
        } else {
            return true;
        }
        boolean taken = account.tryHold(MemoryPurpose.TRANSACTIONS, bytes);
        in.bytes += taken ? bytes : 0;
        return taken;
    }

    /**
     * Returns whether the transaction may span entities. A client that needs this has its work links and the
     * coordinator on one AMQP session (wire reference 8.4); other clients have a session per link.
     */
    private boolean spans(Declared in) {
        if (!in.across) {
            in.across = carriesWork.test(in.coordinator.session());
        }
        return in.across;
    }

    /**
     * Notes that work was refused before it reached its transaction, which then cannot be committed. Does nothing
     * without a transaction.
     */
    public void refused(@Nullable DeliveryState state, Rejection reason) {
        if (state instanceof TransactionalState transactional) {
            Declared in = declared.get(key(transactional.getTxnId()));
            if (in != null) {
                in.transaction.spoil(reason);
            }
        }
    }

    /** Returns the target for the commands of a request in a transaction. */
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

            @Override
            public boolean isTransaction() {
                return true;
            }
        };
    }

    /** Returns the refusal of work in an unknown or ended transaction (wire reference 8.3). */
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
