package dev.jitney.simulation.model;

import dev.jitney.core.Lane;
import dev.jitney.model.ReceiveMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Where clients say what they ask for, before they ask the broker; what they get here is who hears the answer. */
public final class Desk {
    private final Ledger ledger;

    Desk(Ledger ledger) {
        this.ledger = ledger;
    }

    public Request send(String path, List<Request.Sent> messages) {
        Request.Send send = new Request.Send(ledger, path, messages);
        for (Request.Sent message : messages) {
            ledger.sends().put(message.uid(), send);
            ledger.rules().tag(message);
        }
        return enter(send);
    }

    /** @param patient whether the client does not wait for the answer */
    public Request settle(String path, Request.Settling how, List<Lock> locks, boolean patient) {
        return enter(new Request.Settle(ledger, path, how, locks, patient));
    }

    public Request renew(String path, List<Lock> locks) {
        return enter(new Request.Renew(ledger, path, locks));
    }

    public Request cancel(String path, long[] numbers) {
        return enter(new StoredRequests.Cancel(ledger, path, numbers));
    }

    public Request purge(String path, Lane lane, int countMax) {
        return enter(new StoredRequests.Purge(ledger, path, lane, countMax));
    }

    public Request fetch(String path, Lane lane, long[] numbers, ReceiveMode mode, @Nullable Listener session) {
        Listener owner = session == null ? new Listener(ledger, path, lane, mode, false) : session;
        return enter(new StoredRequests.Fetch(ledger, path, lane, numbers, mode, owner));
    }

    public Request peek(String path, Lane lane, long from, int countMax) {
        return enter(new StoredRequests.Peek(ledger, path, lane, from, countMax));
    }

    /** A request whose success says nothing more. */
    public Request other(String path, String what, Runnable onDone, Runnable onUndone) {
        return enter(new Request.Other(ledger, path, what, onDone, onUndone));
    }

    /** A receiver that is being attached. */
    public Listener listener(String path, Lane lane, ReceiveMode mode, boolean ofSession) {
        Listener listener = new Listener(ledger, path, lane, mode, ofSession);
        ledger.listeners().add(listener);
        return listener;
    }

    /** The answer to the attaching of a receiver. */
    public Request attach(Listener listener) {
        return other(listener.path, "Attach", () -> listener.attached = true, () -> {
            listener.closed = true;
            ledger.listeners().remove(listener);
        });
    }

    /** The answer to a request for a session. */
    public Request accept(Listener listener, @Nullable String named) {
        return enter(new SessionRequests.Accept(ledger, listener, named));
    }

    public Request renewSession(Listener listener) {
        return enter(new SessionRequests.Renew(ledger, listener));
    }

    public Request setState(Listener listener, String session, byte @Nullable [] state) {
        return enter(new SessionRequests.SetState(ledger, listener, session, state));
    }

    public Request getState(String path, String session) {
        return enter(new SessionRequests.GetState(ledger, path, session));
    }

    // --- rules ---

    /** What is done to a rule. */
    public enum RuleWork {
        ADD,
        CHANGE,
        REMOVE
    }

    /**
     * A change of a rule.
     *
     * @param rule what it is from then on; null if it is removed
     */
    public Request rule(String subscription, RuleWork how, String name, @Nullable AskedRule rule) {
        return enter(new RuleChange(ledger, subscription, how, name.toLowerCase(Locale.ROOT), rule));
    }

    /** The rule that a subscription is going to be created with. */
    public void firstRule(String subscription, AskedRule rule) {
        ledger.rules().first(subscription, rule);
    }

    // --- transactions ---

    /** A transaction that begins with an entity. */
    public Dealing deal(String home) {
        Dealing dealing = new Dealing(ledger, home);
        ledger.dealings().add(dealing);
        return dealing;
    }

    /** Makes a request a part of a transaction. */
    public Request inside(Dealing dealing, Request request) {
        request.dealing = dealing;
        if (request instanceof Request.Send send) {
            dealing.sends.add(send);
        } else if (request instanceof Request.Settle settle) {
            dealing.settlements.add(settle);
        }
        return request;
    }

    /** The answer to the end of a transaction. */
    public Request outcome(Dealing dealing, boolean commit) {
        return enter(new Outcome(ledger, dealing, commit));
    }

    private <R extends Request> R enter(R request) {
        ledger.credits().enter(request);
        ledger.pending().add(request);
        return request;
    }

    // --- what clients know ---

    /** Locks that clients know, some of them ended. */
    public List<Lock> locks() {
        return ledger.deliveries().locks();
    }

    /** Receivers that are open or will be. */
    public List<Listener> openListeners() {
        return ledger.listeners();
    }

    /** Numbers of messages of an entity that clients may ask for by number: scheduled ones, or deferred ones. */
    public List<Long> numbers(String path, Lane lane) {
        List<Long> numbers = new ArrayList<>();
        for (Shelf shelf : ledger.shelves().of(path)) {
            if (lane == Lane.MAIN && shelf.deferred == 0) {
                continue;
            }
            for (Copy copy : shelf.lane(lane).values()) {
                if (lane == Lane.SCHEDULED || (copy.deferred && copy.lock == null)) {
                    numbers.add(copy.number);
                }
            }
        }
        return numbers;
    }

    /** Whether somebody takes messages of an entity for good. */
    public boolean isTakenFrom(String path) {
        return ledger.listeners().stream()
                .anyMatch(listener -> listener.mode == ReceiveMode.RECEIVE_AND_DELETE && listener.path.equals(path));
    }

    /** How many messages an entity holds. */
    public int size(String path) {
        int size = 0;
        for (Shelf shelf : ledger.shelves().of(path)) {
            for (Lane lane : Lane.values()) {
                size += shelf.lane(lane).size();
            }
        }
        return size;
    }
}
