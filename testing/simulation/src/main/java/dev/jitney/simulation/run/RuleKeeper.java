package dev.jitney.simulation.run;

import dev.jitney.core.Reply;
import dev.jitney.model.rule.RuleDescription;
import dev.jitney.runtime.BrokerException;
import dev.jitney.runtime.Namespace;
import dev.jitney.simulation.SeededRandom;
import dev.jitney.simulation.Violation;
import dev.jitney.simulation.model.Ledger;
import dev.jitney.simulation.model.entity.AskedRule;
import dev.jitney.simulation.model.entity.RuleWork;
import dev.jitney.simulation.model.state.Request;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/** A client that adds, changes and removes rules of subscriptions. The number of concurrent changes is unlimited. */
final class RuleKeeper {
    /** The number of rule names. It is small, so that many changes affect the same rule. */
    private static final int NAMES = 3;

    private final World world;
    private final Ledger ledger;

    RuleKeeper(World world) {
        this.world = world;
        this.ledger = world.ledger();
    }

    /** Requests a change. The broker may refuse it because the rule already exists or does not exist. */
    Request change(SeededRandom random, String subscription) {
        Namespace namespace = world.namespace();
        String name = (random.perMille(200) ? "RULE-" : "rule-") + random.below(NAMES);
        RuleWork how = random.perMille(400) ? RuleWork.ADD : random.perMille(450) ? RuleWork.CHANGE : RuleWork.REMOVE;
        if (how == RuleWork.REMOVE) {
            Request request = ledger.requests().rule(subscription, how, name, null);
            answer(namespace.deleteRule(subscription, name), request);
            return request;
        }
        AskedRule asked = Actions.rule(name, random);
        Request request = ledger.requests().rule(subscription, how, name, asked);
        RuleDescription rule = asked.description();
        answer(
                how == RuleWork.ADD
                        ? namespace.createRule(subscription, rule)
                        : namespace.updateRule(subscription, rule),
                request);
        return request;
    }

    private void answer(CompletionStage<?> stage, Request request) {
        stage.whenComplete((done, failure) -> ledger.hear(() -> {
            if (failure == null) {
                request.onReply(Reply.Done.INSTANCE);
            } else {
                Throwable cause = failure.getCause();
                refuse(request, failure instanceof CompletionException && cause != null ? cause : failure);
            }
        }));
    }

    private static void refuse(Request request, Throwable failure) {
        if (!(failure instanceof BrokerException refused)) {
            throw new Violation("Expected a rejection of " + request + ", but got " + failure, failure);
        }
        request.onRejected(refused.rejection());
    }
}
