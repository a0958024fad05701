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
import org.jspecify.annotations.Nullable;

/**
 * The reference model: what is stored, who holds what, and what was promised.
 *
 * <p>It follows the batches that become durable and what clients hear, in the order in which they do, and judges every step by
 * the rules of the service. So it never has to guess whether something that failed has happened: the disk says so, and the step
 * is judged like any other.
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

    /** What went wrong in an answer, whose listener the broker shields itself from. */
    private @Nullable Violation heard;

    /**
     * @param partitions how many fragments a partitioned entity has
     * @param creditsPerSecond what clients may spend before they are throttled; 0 for as much as they like
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

    /** What is to be true of all of it. */
    public Audit audit() {
        return audit;
    }

    /** Where clients ask. */
    public ClientRequests requests() {
        return requests;
    }

    /** The clock is about to be set back. */
    public void clockGoesBack(long nowMs) {
        deliveries.clockGoesBack(nowMs);
    }

    /** What clients spend. */
    public Credits credits() {
        return credits;
    }

    /** How often copies have come and gone, and why. */
    public Map<Step, Long> steps() {
        return model.steps();
    }

    // --- what the simulator tells ---

    /**
     * A shard begins a turn.
     *
     * @param clock what the shard sees
     * @param stopped whether an operator has stopped its store, so that nothing happens in it
     */
    public void turnBegins(int store, Clock clock, boolean stopped) {
        credits.tick();
        timeline.shard(store).begin(clock, stopped, timeline.disturbances(), timeline.requests());
    }

    /** A batch of a store is written; what is asked for until it is durable has no part in it. */
    public void written(int store) {
        timeline.shard(store).written(timeline.requests());
    }

    /** A batch of a store has become durable. */
    public void durable(int store, List<Write> writes) {
        timeline.judging(store);
        guard(() -> judge.judge(store, writes));
        timeline.judged();
    }

    /**
     * A turn has ended; what it has taken must have been told.
     *
     * @return entities whose counters may have changed
     */
    public List<String> turnEnds(int store, boolean trouble) {
        requireNothingWrong();
        ShardTurns shard = timeline.shard(store);
        check(
                !trouble || shard.isTroubled() || shard.isDisturbed(timeline.disturbances()),
                "Expected the shard to work while nothing is wrong",
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

    /** Whether the counters of an entity can be seen: of a partitioned one they are shown of what works (PART-58). */
    private boolean isShown(StoredEntity entity) {
        StoredEntity whole = entity.whole;
        return whole == null
                ? !entity.path.isEmpty()
                : !whole.gone
                        && model.entities().of(entity.path).stream()
                                .noneMatch(part -> timeline.shard(part.store).isTroubled());
    }

    /** A store is open again and has shown what it has. */
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

    /** A store that was open again could not be read after all. */
    public void storeIsNotBack(int store) {
        timeline.shard(store).notBack();
    }

    /** Something went wrong: answers may be refusals for a while. */
    public void disturb() {
        timeline.disturb();
    }

    /** A process reads what the stores have. */
    public void processBegins(long nowMs) {
        timeline.shards().forEach(shard -> shard.restart(nowMs));
        credits.restart();
    }

    /** The process has gone with all that it had in memory. */
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

    /** Subscriptions whose rules have changed in the turn of a store that has ended. */
    public List<String> changedRules(int store) {
        return rules.takeChanged(store);
    }

    // --- what clients do ---

    /** An entity is to be created or changed. */
    public void ask(EntityDescription description, @Nullable String name) {
        if (model.entities().of(description.path()).isEmpty()) {
            model.askToCreate(description.path());
        }
        judge.entityRows().ask(description, String.valueOf(name));
    }

    /** What the next description that is asked for is to have as its user metadata, so that its row tells which one it is. */
    public String nextName() {
        return judge.entityRows().nextName();
    }

    /** An entity is to be deleted. */
    public void askToDelete(String path) {
        model.askToDelete(path);
    }

    /** A commit has taken long, in which the clock may have gone on. */
    public void hasStalled() {
        credits.blur();
        deliveries.hasStalled();
    }

    /** Hears an answer where nothing may be thrown; what is wrong with it is told at the end of the turn. */
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
