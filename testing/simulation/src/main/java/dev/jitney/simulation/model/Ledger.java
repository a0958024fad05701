package dev.jitney.simulation.model;

import static dev.jitney.simulation.model.state.Checks.check;
import static dev.jitney.simulation.model.state.Checks.guard;

import dev.jitney.model.EntityDescription;
import dev.jitney.runtime.Clock;
import dev.jitney.simulation.Violation;
import dev.jitney.simulation.disk.Write;
import dev.jitney.simulation.model.answer.Answers;
import dev.jitney.simulation.model.answer.Credits;
import dev.jitney.simulation.model.answer.DelayedCommits;
import dev.jitney.simulation.model.answer.Deliveries;
import dev.jitney.simulation.model.answer.SessionStates;
import dev.jitney.simulation.model.answer.Transactions;
import dev.jitney.simulation.model.answer.UncertainRequests;
import dev.jitney.simulation.model.batch.BatchJudge;
import dev.jitney.simulation.model.entity.IdleDeletion;
import dev.jitney.simulation.model.entity.Routes;
import dev.jitney.simulation.model.entity.Rules;
import dev.jitney.simulation.model.state.ModelState;
import dev.jitney.simulation.model.state.ShardTurns;
import dev.jitney.simulation.model.state.Step;
import dev.jitney.simulation.model.state.StoredEntity;
import dev.jitney.simulation.model.state.Timeline;
import dev.jitney.simulation.model.state.TransactionModel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The reference model: stored messages, locks, and the replies and deliveries that clients expect.
 *
 * <p>The model follows durable batches, and replies and deliveries to clients, in the order in which they occur. It
 * checks every step against the rules of the service. It never guesses whether a failed request took effect: the rows
 * on the disk show it, and the model checks them like all others.
 */
public final class Ledger {
    private final Timeline timeline;
    private final ModelState model;
    private final Credits credits;
    private final Rules rules;
    private final IdleDeletion idling;
    private final SessionStates states;
    private final DelayedCommits delayedCommits;
    private final Answers answers;
    private final Deliveries deliveries;
    private final Transactions transactions;
    private final UncertainRequests uncertain;
    private final BatchJudge judge;
    private final Audit audit;
    private final ClientRequests requests;

    /** The first violation found in a reply, because the broker catches exceptions of the reply's listener. */
    private @Nullable Violation heard;

    /**
     * Creates the model.
     *
     * @param partitions the number of fragments of a partitioned entity
     * @param creditsPerSecond the throttling credits of clients per second; 0 for no limit
     */
    public Ledger(int stores, int partitions, int creditsPerSecond, Clock clock) {
        timeline = new Timeline(stores, clock);
        model = new ModelState(timeline, partitions);
        credits = new Credits(model, creditsPerSecond, clock);
        rules = new Rules(model);
        idling = new IdleDeletion(model);
        states = new SessionStates(model);
        delayedCommits = new DelayedCommits(model);
        Routes routes = new Routes(model, rules);
        answers = new Answers(model, credits, rules, idling, routes);
        deliveries = new Deliveries(model, credits, idling);
        transactions = new Transactions(model, answers, routes);
        uncertain = new UncertainRequests(model, answers);
        judge = new BatchJudge(model, rules, idling, states, routes, deliveries, transactions);
        audit = new Audit(model, rules, idling, deliveries, judge.outboxes());
        requests = new ClientRequests(model, credits, rules, states, answers, deliveries, transactions);
    }

    /** Returns the checks of the whole state. */
    public Audit audit() {
        return audit;
    }

    /** Returns the requests of clients. */
    public ClientRequests requests() {
        return requests;
    }

    /** Sets the condition under which the newest process may release outputs (CL-9). */
    public void setLease(BooleanSupplier held) {
        timeline.setLease(held);
    }

    /** Called before the clock is set back. */
    public void clockGoesBack(long nowMs) {
        deliveries.clockGoesBack(nowMs);
    }

    /** Returns the throttling credits of the namespace. */
    public Credits credits() {
        return credits;
    }

    /** Returns the number of message changes by kind. */
    public Map<Step, Long> steps() {
        return model.steps();
    }

    // --- called by the simulator ---

    /**
     * Called when a shard begins a turn.
     *
     * @param clock the clock of the shard
     * @param stopped whether an operator has stopped its store, so that the turn does nothing
     */
    public void turnBegins(int store, Clock clock, boolean stopped) {
        credits.tick();
        timeline.shard(store).begin(clock, stopped, timeline.disturbances(), timeline.requests());
    }

    /**
     * Called when a batch of a store is written. Requests made between this call and the end of the sync are not in the
     * batch.
     */
    public void written(int store) {
        timeline.shard(store).written(timeline.requests());
    }

    /** Called when a batch of a store has become durable. */
    public void durable(int store, List<Write> writes) {
        timeline.judging(store);
        guard(() -> judge.judge(store, writes));
        timeline.judged();
    }

    /**
     * Called when a turn has ended. Messages received and deleted in the turn must have been delivered by now.
     *
     * @return the paths of entities whose counters may have changed
     */
    public List<String> turnEnds(int store, boolean trouble) {
        requireNothingWrong();
        ShardTurns shard = timeline.shard(store);
        check(
                !trouble || shard.isTroubled() || shard.isDisturbed(timeline.disturbances()),
                "Expected the shard to work while there is no fault in store",
                store);
        if (!trouble) {
            idling.turnEnds(store);
        }
        shard.end(trouble);
        if (!trouble && !delayedCommits.turnEnds(store)) {
            deliveries.leaversAreGone(store);
        }
        List<String> paths = new ArrayList<>();
        judge.turnEnds(store, trouble);
        for (StoredEntity entity : model.takeTouched(store)) {
            deliveries.turnEnded(entity);
            if (!entity.gone && !trouble && isShown(entity) && !paths.contains(entity.path)) {
                paths.add(entity.path);
            }
        }
        model.entities().turnEnds(store);
        return paths;
    }

    /**
     * Returns whether the counters of an entity can be compared. For a partitioned entity, they contain only the
     * available fragments (PART-58).
     */
    private boolean isShown(StoredEntity entity) {
        StoredEntity whole = entity.whole;
        return whole == null
                ? !entity.path.isEmpty()
                : !whole.gone
                        && model.entities().of(entity.path).stream()
                                .noneMatch(part -> timeline.shard(part.store).isTroubled());
    }

    /** Called when a store is open again and all its durable batches were reported. */
    public void storeIsBack(int store) {
        uncertain.settle(store);
        for (TransactionModel transaction : List.copyOf(model.openTransactions())) {
            List<StoredEntity> of = model.entities().of(transaction.home);
            if (transaction.hasWorked() && (of.isEmpty() || of.get(0).store == store)) {
                transactions.end(transaction);
            }
        }
        deliveries.storeIsBack(store);
        idling.lose(store);
        timeline.shard(store).back();
    }

    /** Called when a store was opened again and then could not be read. */
    public void storeIsNotBack(int store) {
        timeline.shard(store).notBack();
    }

    /** Called when a fault occurs. For some time after it, replies may be rejections. */
    public void disturb() {
        timeline.disturb();
    }

    /** Called when a process starts and reads the stores. */
    public void processBegins(long nowMs) {
        timeline.processBegins();
        timeline.shards().forEach(shard -> shard.restart(nowMs));
        credits.restart();
    }

    /** Called when the process and its memory are gone. */
    public void processEnds() {
        requireNothingWrong();
        model.uncertain().addAll(model.pending());
        model.pending().clear();
        for (int store = 0; store < timeline.stores(); store++) {
            model.entities().turnEnds(store);
            uncertain.settle(store);
        }
        uncertain.clear();
        List.copyOf(model.openTransactions()).forEach(transactions::end);
        judge.entityRows().fragments().processEnds();
        deliveries.processEnded();
        model.listeners().clear();
        for (int store = 0; store < timeline.stores(); store++) {
            idling.lose(store);
        }
        disturb();
    }

    /** Returns the subscriptions of a store that exist on its disk. */
    public List<String> subscriptions(int store) {
        return rules.subscriptions(store);
    }

    /** Returns the subscriptions whose rules have changed in the last turn of a store. */
    public List<String> changedRules(int store) {
        return rules.takeChanged(store);
    }

    // --- called by clients ---

    /** Called before an entity is created or changed. */
    public void ask(EntityDescription description, @Nullable String name) {
        if (model.entities().of(description.path()).isEmpty()) {
            model.askToCreate(description.path());
        }
        judge.entityRows().ask(description, String.valueOf(name));
    }

    /** Returns the user metadata for the next description. It identifies the row of that description. */
    public String nextName() {
        return judge.entityRows().nextName();
    }

    /** Called before an entity is deleted. */
    public void askToDelete(String path) {
        model.askToDelete(path);
    }

    /** Called after a long commit, during which the clock may have moved. */
    public void hasStalled() {
        credits.blur();
        deliveries.hasStalled();
    }

    /** Checks a reply where no exception may be thrown. A violation is thrown at the end of the turn. */
    public void hear(Runnable answer) {
        try {
            answer.run();
        } catch (Violation e) {
            heard = heard == null ? e : heard;
        }
    }

    private void requireNothingWrong() {
        if (heard != null) {
            throw heard;
        }
    }
}
