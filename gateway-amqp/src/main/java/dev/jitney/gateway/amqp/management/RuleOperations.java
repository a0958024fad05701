package dev.jitney.gateway.amqp.management;

import dev.jitney.codec.MessageFormatException;
import dev.jitney.model.AccessRight;
import dev.jitney.model.EncodedValue;
import dev.jitney.model.EntityKind;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.Rejection;
import dev.jitney.model.SubQueue;
import dev.jitney.model.rule.Rule;
import dev.jitney.model.rule.RuleDescription;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.Namespace;
import dev.jitney.runtime.audit.Changes;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The operations of rule managers on a subscription (wire reference 6.9). They use the same code as the administration
 * API, with the same checks and costs.
 */
final class RuleOperations {
    private static final String ADD = Operation.PREFIX + "add-rule";
    private static final String REMOVE = Operation.PREFIX + "remove-rule";

    /** The rights of which a rule operation needs one (RULE-14). */
    private static final Set<AccessRight> RIGHTS = EnumSet.of(AccessRight.MANAGE, AccessRight.LISTEN);

    private static final Set<EntityKind> SUBSCRIPTIONS = EnumSet.of(EntityKind.SUBSCRIPTION);

    /** The size limit of an answer. The answers that wait for credit are limited too, to a little more than this. */
    private static final int ANSWER_BYTES_MAX = 12 << 20;

    /** The memory reserved for an answer before it is created, which happens at once. */
    private static final int USUAL_ANSWER_BYTES = 1 << 20;

    private final Namespace namespace;
    private final Entity subscription;
    private final SubQueue subQueue;
    private final AuditTrail audit;
    private final Map<String, Operation> operations = Map.of(
            ADD,
            new Operation(RIGHTS, SUBSCRIPTIONS, this::add),
            REMOVE,
            new Operation(RIGHTS, SUBSCRIPTIONS, this::remove),
            Operation.PREFIX + "enumerate-rules",
            new Operation(RIGHTS, SUBSCRIPTIONS, this::enumerate));

    RuleOperations(Namespace namespace, Entity subscription, SubQueue subQueue, AuditTrail audit) {
        this.audit = audit;
        this.namespace = namespace;
        this.subscription = subscription;
        this.subQueue = subQueue;
    }

    /** Returns the operations by name. */
    Map<String, Operation> byName() {
        return operations;
    }

    private Call add(Arguments arguments) throws MessageFormatException {
        refuseSubQueue();
        RuleDescription rule = RuleReader.read(arguments);
        return audit.audited(
                new ChangeCall(() -> namespace.createRule(subscription.path(), rule)),
                ADD,
                RIGHTS,
                rule.name(),
                done -> Changes.of(rule));
    }

    private Call remove(Arguments arguments) throws MessageFormatException {
        refuseSubQueue();
        String name = arguments.text(RuleReader.NAME);
        return audit.audited(
                new ChangeCall(() -> namespace.deleteRule(subscription.path(), name)),
                REMOVE,
                RIGHTS,
                name,
                done -> "");
    }

    private Call enumerate(Arguments arguments) throws MessageFormatException {
        refuseSubQueue();
        int top = arguments.count("top");
        int skip = arguments.skip();
        Call enumerate = (target, executor, answer) -> {
            // Looked up again: the subscription may have been deleted, or deleted and created again, since the link
            // attached.
            Entity current = namespace.entity(subscription.path());
            if (current == null) {
                answer.refuse(Rejection.of(ErrorCode.ENTITY_NOT_FOUND));
                return;
            }
            List<Rule> rules = current.rules();
            int from = Math.min(skip, rules.size());
            namespace.countCall(current);
            answer(rules.subList(from, from + Math.min(top, rules.size() - from)), answer);
        };
        return new LargeCall(enumerate, USUAL_ANSWER_BYTES);
    }

    private static void answer(List<Rule> rules, Call.Answer answer) {
        List<Map<String, EncodedValue>> entries = new ArrayList<>(rules.size());
        long bytes = 0;
        for (Rule rule : rules) {
            EncodedValue encoded = RuleWriter.encode(rule);
            bytes += encoded.encoding().length + RuleReader.DESCRIPTION.length();
            if (bytes > ANSWER_BYTES_MAX) {
                // Clients that request everything at once would take a shorter answer for all rules.
                answer.refuse(new Rejection(
                        ErrorCode.MESSAGE_SIZE_EXCEEDED,
                        "Expected at most " + ANSWER_BYTES_MAX + " bytes of rules in one answer, but the"
                                + rules.size()
                                + " requested rules take more. Request fewer at a time with 'top' and 'skip'."));
                return;
            }
            entries.add(Map.of(RuleReader.DESCRIPTION, encoded));
        }
        answer.succeed(entries.isEmpty() ? Result.NOTHING : Result.of("rules", entries));
    }

    private void refuseSubQueue() throws MessageFormatException {
        if (subQueue != SubQueue.MAIN) {
            throw new MessageFormatException(new Rejection(
                    ErrorCode.INVALID_OPERATION,
                    "Expected a subscription, but '" + subscription.path() + subQueue.suffix()
                            + "' is its dead-letter queue, which has no rules."));
        }
    }
}
