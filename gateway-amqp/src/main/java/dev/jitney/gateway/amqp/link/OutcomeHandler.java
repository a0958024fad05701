package dev.jitney.gateway.amqp.link;

import dev.jitney.gateway.amqp.delivery.ClientOutcome;
import dev.jitney.gateway.amqp.delivery.Outcomes;
import dev.jitney.gateway.amqp.delivery.PendingCompletions;
import dev.jitney.gateway.amqp.delivery.UnsettledDeliveries;
import dev.jitney.gateway.amqp.transaction.DeclaredTransactions;
import dev.jitney.gateway.amqp.transaction.PendingSettlements;
import dev.jitney.model.EntityAddress;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.Transaction.Work;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.apache.qpid.protonj2.types.messaging.Accepted;
import org.apache.qpid.protonj2.types.messaging.Rejected;
import org.apache.qpid.protonj2.types.transactions.TransactionalState;
import org.apache.qpid.protonj2.types.transport.DeliveryState;
import org.apache.qpid.protonj2.types.transport.ErrorCondition;
import org.apache.qpid.protonj2.types.transport.Role;

/**
 * The handler for the outcomes that a client sends for the deliveries of one link. It applies and answers them (wire
 * reference 5.2, 5.5). For the event loop.
 *
 * <p>Accepted deliveries wait until the end of the bytes being read, so that one command completes them together.
 */
final class OutcomeHandler implements PendingCompletions.Link {
    private final LinkOutput link;
    private final Entity entity;
    private final EntityAddress address;
    private final UnaryOperator<Rejection> refused;
    private final LinkContext context;

    /** The deliveries that the client has accepted in the bytes being read. */
    private final List<UnsettledDeliveries.Entry> accepted = new ArrayList<>();

    private boolean acceptedSettled;

    /**
     * @param refused translates the refusal of a settlement for the client
     */
    OutcomeHandler(LinkOutput link, Entity entity, EntityAddress address, UnaryOperator<Rejection> refused) {
        this.link = link;
        this.entity = entity;
        this.address = address;
        this.refused = refused;
        context = link.context();
    }

    /** Handles an outcome for deliveries of the link. */
    void onOutcome(List<UnsettledDeliveries.Entry> deliveries, ClientOutcome outcome) {
        if (outcome.state() instanceof Accepted && entity.settlesTogether()) {
            accept(deliveries, outcome.settled());
            return;
        }
        completeAccepted();
        Rejection invalid = outcome.invalid();
        if (invalid != null) {
            if (outcome.state() instanceof TransactionalState transactional) {
                context.transactions().refused(transactional, invalid);
            }
            refuse(deliveries, invalid, outcome.settled());
        } else if (outcome.settlement() == null) {
            context.deliveries().forget(deliveries); // released without an outcome; the lock expires
        } else if (outcome.state() instanceof TransactionalState transactional) {
            settleIn(transactional, deliveries, outcome.settlement(), outcome.settled());
        } else {
            Outcomes.Settlement settlement = outcome.settlement();
            outcome.portions(deliveries).forEach(portion -> settle(portion, outcome, settlement));
        }
    }

    /**
     * Collects accepted deliveries: clients complete one message at a time, but many of these outcomes arrive together.
     */
    private void accept(List<UnsettledDeliveries.Entry> deliveries, boolean settled) {
        if (settled != acceptedSettled) {
            completeAccepted();
            acceptedSettled = settled;
        }
        if (accepted.isEmpty()) {
            context.completions().add(this);
        }
        accepted.addAll(deliveries);
    }

    @Override
    public void completeAccepted() {
        if (!accepted.isEmpty()) {
            List<UnsettledDeliveries.Entry> all = List.copyOf(accepted);
            accepted.clear();
            settle(all, ClientOutcome.completion(acceptedSettled), Outcomes.COMPLETION);
        }
    }

    /**
     * Settles deliveries in a transaction. Each delivery is a separate operation, so that every answer reports the
     * outcome of its delivery.
     */
    private void settleIn(
            TransactionalState transactional,
            List<UnsettledDeliveries.Entry> deliveries,
            Outcomes.Settlement settlement,
            boolean settled) {
        if (settled) {
            context.deliveries().forget(deliveries);
        }
        DeliveryState success = DeclaredTransactions.wrap(transactional, settlement.acknowledgement());
        PendingSettlements pending = context.transactions().settlements(transactional);
        for (UnsettledDeliveries.Entry delivery : deliveries) {
            UUID token = delivery.lockToken();
            if (token == null) { // received and deleted, so there is nothing to settle (RECV-2)
                Rejection refusal = new Rejection(
                        ErrorCode.INVALID_OPERATION,
                        "Expected a peek-locked message, but this one was received and deleted. It cannot be"
                                + " settled.");
                context.transactions().refused(transactional, refusal);
                reject(List.of(delivery), refusal, settled);
                continue;
            }
            context.transactions()
                    .submit(
                            transactional,
                            Work.on(entity, settlement.command().apply(List.of(token))),
                            context.loop()
                                    .replies(
                                            done -> {
                                                if (!settled) {
                                                    pending.add(delivery);
                                                    answerUnsettled(delivery, success);
                                                }
                                            },
                                            rejection -> reject(List.of(delivery), refused.apply(rejection), settled)));
        }
    }

    /**
     * Answers an outcome in a transaction. A rollback reverts the outcome, so the delivery stays unsettled until the
     * commit.
     */
    private void answerUnsettled(UnsettledDeliveries.Entry delivery, DeliveryState state) {
        context.deliveries().unclaim(List.of(delivery));
        if (link.mayAnswer()) {
            context.frames().answer(link.wire().session(), Role.SENDER, delivery.deliveryId(), state);
            context.loop().wantFlush();
        }
    }

    private void settle(
            List<UnsettledDeliveries.Entry> deliveries, ClientOutcome outcome, Outcomes.Settlement settlement) {
        List<UUID> tokens = new ArrayList<>(deliveries.size());
        for (UnsettledDeliveries.Entry delivery : deliveries) {
            UUID token = delivery.lockToken();
            if (token != null) {
                tokens.add(token);
            }
        }
        if (outcome.settled()) {
            context.deliveries().forget(deliveries);
        }
        outcome.submitted(context.memory());
        entity.submit(
                settlement.command().apply(tokens),
                context.loop().executor(),
                context.loop()
                        .replies(
                                done -> {
                                    outcome.answered(context.memory());
                                    acknowledge(deliveries, settlement.acknowledgement(), outcome.settled());
                                },
                                rejection -> {
                                    notSettled(deliveries, outcome, settlement, rejection);
                                    outcome.answered(context.memory());
                                },
                                outcome.settled()));
    }

    private void notSettled(
            List<UnsettledDeliveries.Entry> deliveries,
            ClientOutcome outcome,
            Outcomes.Settlement settlement,
            Rejection rejection) {
        if (deliveries.size() > 1) {
            // One lost lock must not affect the other deliveries.
            deliveries.forEach(one -> settle(List.of(one), outcome, settlement));
        } else if (!outcome.settled() && rejection.code().retryable() && settlement.hidesRefusals()) {
            // The message stays in the queue, and only the end of the link shows that to all clients.
            link.closeAndLinger(context.errors().of(refused.apply(rejection), address.path()));
        } else {
            reject(deliveries, refused.apply(rejection), outcome.settled());
        }
    }

    /** Answers an outcome that requests no valid settlement. The messages stay locked. */
    private void refuse(List<UnsettledDeliveries.Entry> deliveries, Rejection rejection, boolean settled) {
        if (settled) {
            context.deliveries().forget(deliveries);
        } else {
            context.deliveries().unclaim(deliveries);
        }
        reject(deliveries, rejection, settled);
    }

    /** Answers outcomes with a refusal, unless the client settled them and needs no answer. */
    void reject(List<UnsettledDeliveries.Entry> deliveries, Rejection rejection, boolean settled) {
        ErrorCondition error = context.errors().of(rejection, address.path());
        acknowledge(deliveries, new Rejected().setError(error), settled);
    }

    private void acknowledge(List<UnsettledDeliveries.Entry> deliveries, DeliveryState state, boolean settled) {
        if (!settled && link.mayAnswer()) {
            context.deliveries().settle(deliveries, state);
            context.loop().wantFlush();
        }
    }
}
