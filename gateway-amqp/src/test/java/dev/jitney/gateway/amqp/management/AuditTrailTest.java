package dev.jitney.gateway.amqp.management;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.jitney.model.AccessRight;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.InMemoryBroker;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** The audit log lines of operations over management nodes, with their author. */
class AuditTrailTest {
    private static final String DELETE = "com.microsoft:batch-delete-messages";

    private final Logger audit = (Logger) LoggerFactory.getLogger("audit");
    private final List<String> lines = new ArrayList<>();
    private final List<String> answers = new ArrayList<>();
    private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
            lines.add(event.getLoggerName() + ": " + event.getFormattedMessage() + " "
                    + event.getKeyValuePairs().stream()
                            .filter(pair -> !String.valueOf(pair.value).isEmpty())
                            .map(pair -> pair.key + "=" + pair.value)
                            .collect(Collectors.joining(", ")));
        }
    };
    private final AuditTrail trail = new AuditTrail(
            new ManagementNode.ManagementAccess() {
                @Override
                public @Nullable Rejection check(Set<AccessRight> rights) {
                    return null;
                }

                @Override
                public String keyName(Set<AccessRight> rights) {
                    return rights.contains(AccessRight.LISTEN) ? "reader" : "";
                }

                @Override
                public String client() {
                    return "10.0.0.1:4711";
                }
            },
            new InMemoryBroker.InMemoryNamespace("ns"),
            "orders/$DeadLetterQueue");

    @BeforeEach
    void listen() {
        audit.setLevel(Level.INFO);
        appender.start();
        audit.addAppender(appender);
    }

    @AfterEach
    void stop() {
        audit.detachAppender(appender);
        audit.setLevel(null);
    }

    @Test
    @DisplayName("Deletions are logged with the number of messages; a call that found none is not logged, so that"
            + " it cannot fill the log")
    void done() {
        run((target, executor, answer) -> answer.succeed(Result.of("message-count", 3)));
        run((target, executor, answer) -> answer.succeed(Result.NOTHING));
        assertThat(lines)
                .containsExactly("audit: Done: delete messages key=reader, client=10.0.0.1:4711, namespace=ns,"
                        + " entity=orders/$DeadLetterQueue, changed=3 messages");
        assertThat(answers).containsExactly("200", "204");
    }

    @Test
    @DisplayName("Refusals go to another logger, before and after the call begins; other operations are not logged")
    void refused() {
        run((target, executor, answer) -> answer.refuse(new Rejection(ErrorCode.SERVER_BUSY, "Later.")));
        trail.refused(DELETE, new Rejection(ErrorCode.UNAUTHORIZED, "No right."));
        trail.refused("com.microsoft:peek-message", Rejection.of(ErrorCode.UNAUTHORIZED));
        trail.refused(null, Rejection.of(ErrorCode.UNAUTHORIZED));
        assertThat(lines).hasSize(2).allMatch(line -> line.startsWith("audit.refused: "));
        assertThat(lines.get(0)).contains("action=delete messages", "reason=Later.");
        assertThat(lines.get(1)).contains("action=delete messages", "reason=No right.");
    }

    private void run(Call call) {
        trail.audited(call, DELETE, Set.of(AccessRight.LISTEN), "", result -> {
                    Object count = result.body().get("message-count");
                    return count == null ? null : count + " messages";
                })
                .start(CommandTarget.ENTITY, Runnable::run, new Call.Answer() {
                    @Override
                    public void succeed(Result result) {
                        answers.add(String.valueOf(result.status()));
                    }

                    @Override
                    public void refuse(Rejection rejection) {
                        answers.add(rejection.code().name());
                    }

                    @Override
                    public void fail(Throwable bug) {
                        answers.add("bug");
                    }
                });
    }
}
