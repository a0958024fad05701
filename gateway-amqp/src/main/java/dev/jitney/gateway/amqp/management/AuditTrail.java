package dev.jitney.gateway.amqp.management;

import dev.jitney.gateway.amqp.management.ManagementNode.ManagementAccess;
import dev.jitney.model.AccessRight;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.Namespace;
import dev.jitney.runtime.audit.Audit;
import dev.jitney.runtime.audit.AuditedAction;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The audit log entries for the changes that clients make through management nodes. For the event loop of a connection.
 */
final class AuditTrail {
    /** The operations that are administrative actions, with their names in the audit log. */
    private static final Map<String, String> ACTIONS = Map.of(
            Operation.PREFIX + "add-rule", "create rule",
            Operation.PREFIX + "remove-rule", "delete rule",
            Operation.PREFIX + "batch-delete-messages", "delete messages");

    private final ManagementAccess access;
    private final Namespace namespace;
    private final String entity;

    /**
     * @param access identifies the client
     * @param entity address of the entity, including its sub-queue
     */
    AuditTrail(ManagementAccess access, Namespace namespace, String entity) {
        this.access = access;
        this.namespace = namespace;
        this.entity = entity;
    }

    /**
     * Wraps a call so that its outcome is written to the audit log.
     *
     * @param operation name of the operation, with the prefix
     * @param rights rights of which the client has one
     * @param rule name of the rule concerned, or empty
     * @param changed returns a text about the change, or null if nothing changed
     */
    Call audited(
            Call call,
            String operation,
            Set<AccessRight> rights,
            String rule,
            Function<Result, @Nullable String> changed) {
        AuditedAction audited = action(operation, rights, rule);
        return new Call() {
            @Override
            public long answerBytes() {
                return call.answerBytes();
            }

            @Override
            public void start(CommandTarget target, Executor executor, Answer answer) {
                call.start(target, executor, new Answer() {
                    @Override
                    public void succeed(Result result) {
                        String words = changed.apply(result);
                        if (words != null) {
                            Audit.done(audited, words);
                        }
                        answer.succeed(result);
                    }

                    @Override
                    public void refuse(Rejection rejection) {
                        Audit.refused(audited, rejection.description());
                        answer.refuse(rejection);
                    }

                    @Override
                    public void fail(Throwable bug) {
                        answer.fail(bug);
                    }
                });
            }
        };
    }

    /** Writes the refusal of an operation that did not begin. Writes nothing if it is not an administrative action. */
    void refused(@Nullable String operation, Rejection reason) {
        if (operation != null && ACTIONS.containsKey(operation)) {
            Audit.refused(action(operation, EnumSet.allOf(AccessRight.class), ""), reason.description());
        }
    }

    private AuditedAction action(String operation, Set<AccessRight> rights, String rule) {
        String name = ACTIONS.getOrDefault(operation, operation);
        return new AuditedAction(name, access.keyName(rights), access.client(), namespace, entity, rule);
    }
}
