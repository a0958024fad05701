package dev.jitney.simulation.model;

import dev.jitney.core.Lane;
import dev.jitney.model.ReceiveMode;
import dev.jitney.simulation.model.answer.Answers;
import dev.jitney.simulation.model.answer.Credits;
import dev.jitney.simulation.model.answer.Deliveries;
import dev.jitney.simulation.model.answer.SessionRequests;
import dev.jitney.simulation.model.answer.SessionStates;
import dev.jitney.simulation.model.answer.StoredRequests;
import dev.jitney.simulation.model.answer.TransactionOutcome;
import dev.jitney.simulation.model.answer.Transactions;
import dev.jitney.simulation.model.entity.AskedRule;
import dev.jitney.simulation.model.entity.RuleChange;
import dev.jitney.simulation.model.entity.RuleWork;
import dev.jitney.simulation.model.entity.Rules;
import dev.jitney.simulation.model.state.Listener;
import dev.jitney.simulation.model.state.Lock;
import dev.jitney.simulation.model.state.MessageCopy;
import dev.jitney.simulation.model.state.ModelState;
import dev.jitney.simulation.model.state.Request;
import dev.jitney.simulation.model.state.StoredEntity;
import dev.jitney.simulation.model.state.TransactionModel;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The requests of clients. Clients register each request here before they send it to the broker, and pass the returned
 * listener along with it.
 */
public final class ClientRequests {
    private final ModelState model;
    private final Credits credits;
    private final Rules rules;
    private final SessionStates states;
    private final Answers answers;
    private final Deliveries deliveries;
    private final Transactions transactions;

    ClientRequests(
            ModelState model,
            Credits credits,
            Rules rules,
            SessionStates states,
            Answers answers,
            Deliveries deliveries,
            Transactions transactions) {
        this.model = model;
        this.credits = credits;
        this.rules = rules;
        this.states = states;
        this.answers = answers;
        this.deliveries = deliveries;
        this.transactions = transactions;
    }

    public Request send(String path, List<Request.Sent> messages) {
        Request.Send send = new Request.Send(answers, path, messages);
        for (Request.Sent message : messages) {
            model.sends().put(message.uid(), send);
            rules.tag(message);
        }
        return enter(send);
    }

    /**
     * Registers a settlement.
     *
     * @param allowsDelay whether the commit may be delayed, because the client does not wait for the reply
     */
    public Request settle(String path, Request.Settling how, List<Lock> locks, boolean allowsDelay) {
        return enter(new Request.Settle(answers, path, how, locks, allowsDelay));
    }

    public Request renew(String path, List<Lock> locks) {
        return enter(new Request.Renew(answers, path, locks));
    }

    public Request cancel(String path, long[] numbers) {
        return enter(new StoredRequests.Cancel(answers, path, numbers));
    }

    public Request purge(String path, Lane lane, int countMax) {
        return enter(new StoredRequests.Purge(answers, model, path, lane, countMax));
    }

    public Request fetch(String path, Lane lane, long[] numbers, ReceiveMode mode, @Nullable Listener session) {
        Listener owner = session == null ? new Listener(deliveries, path, lane, mode, false) : session;
        return enter(new StoredRequests.Fetch(answers, deliveries, path, lane, numbers, mode, owner));
    }

    public Request peek(String path, Lane lane, long from, int countMax) {
        return enter(new StoredRequests.Peek(answers, path, lane, from, countMax));
    }

    /** Registers a request whose reply contains no data. */
    public Request other(String path, String what, Runnable onDone, Runnable onUndone) {
        return enter(new Request.Other(answers, path, what, onDone, onUndone));
    }

    /** Registers a receiver that is being attached. */
    public Listener listener(String path, Lane lane, ReceiveMode mode, boolean ofSession) {
        Listener listener = new Listener(deliveries, path, lane, mode, ofSession);
        model.listeners().add(listener);
        return listener;
    }

    /** Registers the attaching of a receiver. */
    public Request attach(Listener listener) {
        return other(listener.path, "Attach", () -> listener.attached = true, () -> {
            listener.closed = true;
            model.listeners().remove(listener);
        });
    }

    /** Registers a request for a session. */
    public Request accept(Listener listener, @Nullable String named) {
        return enter(new SessionRequests.Accept(answers, model, listener, named));
    }

    public Request renewSession(Listener listener) {
        return enter(new SessionRequests.Renew(answers, model, listener));
    }

    public Request setState(Listener listener, String session, byte @Nullable [] state) {
        return enter(new SessionRequests.SetState(answers, states, listener, session, state));
    }

    public Request getState(String path, String session) {
        return enter(new SessionRequests.GetState(answers, states, path, session));
    }

    // --- rules ---

    /**
     * Registers a change of a rule.
     *
     * @param rule the rule after the change; null if it is removed
     */
    public Request rule(String subscription, RuleWork how, String name, @Nullable AskedRule rule) {
        return enter(new RuleChange(answers, model, rules, subscription, how, name.toLowerCase(Locale.ROOT), rule));
    }

    /** Registers the rule that a subscription will be created with. */
    public void firstRule(String subscription, AskedRule rule) {
        rules.first(subscription, rule);
    }

    // --- transactions ---

    /** Registers a transaction whose first operation is on this entity. */
    public TransactionModel begin(String home) {
        TransactionModel transaction = new TransactionModel(model.timeline(), home);
        model.openTransactions().add(transaction);
        return transaction;
    }

    /** Makes a request a part of a transaction. */
    public Request inside(TransactionModel transaction, Request request) {
        request.transaction = transaction;
        if (request instanceof Request.Send send) {
            transaction.sends.add(send);
        } else if (request instanceof Request.Settle settle) {
            transaction.settlements.add(settle);
        }
        return request;
    }

    /** Registers the commit or rollback of a transaction. */
    public Request outcome(TransactionModel transaction, boolean commit) {
        return enter(new TransactionOutcome(answers, transactions, transaction, commit));
    }

    private <R extends Request> R enter(R request) {
        credits.enter(request);
        model.pending().add(request);
        return request;
    }

    // --- what clients know ---

    /** Returns the locks that clients know. Some of them have ended. */
    public List<Lock> locks() {
        return deliveries.locks();
    }

    /** Returns the receivers that are open or are being attached. */
    public List<Listener> openListeners() {
        return model.listeners();
    }

    /** Returns the sequence numbers of scheduled or deferred messages of an entity that clients may use. */
    public List<Long> numbers(String path, Lane lane) {
        List<Long> numbers = new ArrayList<>();
        for (StoredEntity entity : model.entities().of(path)) {
            if (lane == Lane.MAIN && entity.deferred == 0) {
                continue;
            }
            for (MessageCopy copy : entity.lane(lane).values()) {
                if (lane == Lane.SCHEDULED || (copy.deferred && copy.lock == null)) {
                    numbers.add(copy.number);
                }
            }
        }
        return numbers;
    }

    /** Returns whether an entity has a receiver in receive-and-delete mode. */
    public boolean isTakenFrom(String path) {
        return model.listeners().stream()
                .anyMatch(listener -> listener.mode == ReceiveMode.RECEIVE_AND_DELETE && listener.path.equals(path));
    }

    /** Returns the number of messages in an entity. */
    public int size(String path) {
        int size = 0;
        for (StoredEntity entity : model.entities().of(path)) {
            for (Lane lane : Lane.values()) {
                size += entity.lane(lane).size();
            }
        }
        return size;
    }
}
