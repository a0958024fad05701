package dev.jitney.gateway.amqp.management;

import dev.jitney.gateway.amqp.management.ManagementNode.ManagementAccess;
import dev.jitney.model.AccessRight;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.audit.Audit;
import dev.jitney.runtime.audit.AuditedAction;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Writes what clients change through management nodes to the audit log. For the event loop of a connection. */
final class AuditTrail {
    /** The operations that are administrative actions, with their names in the audit log. */
    private static final Map<String, String> ACTIONS = Map.of(
            Operation.PREFIX + "add-rule", "create rule",
            Operation.PREFIX + "remove-rule", "delete rule",
            Operation.PREFIX + "batch-delete-messages", "delete messages");

    private final ManagementAccess access;
    private final String namespace;
    private final String entity;

    /**
     * @param access tells who asks
     * @param entity the address of the entity, its sub-queue included
     */
    AuditTrail(ManagementAccess access, String namespace, String entity) {
        this.access = access;
        this.namespace = namespace;
        this.entity = entity;
    }

    /**
     * A call that tells the audit log what came of it.
     *
     * @param operation its name, with the prefix
     * @param rights of which the client has one
     * @param rule the name of the rule it is about, or empty
     * @param changed what changed, or null if nothing did
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

    /** An operation was refused before it began; nothing is written if it is not an administrative action. */
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
