package dev.jitney.gateway.http.admin;

import static dev.jitney.gateway.http.admin.AdminFixture.queue;
import static dev.jitney.gateway.http.admin.AdminFixture.rule;
import static dev.jitney.gateway.http.admin.AdminFixture.subscription;
import static dev.jitney.gateway.http.admin.AdminFixture.topic;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Administrative actions over HTTP write one audit line each, with their author. */
class AuditTest {
    private final AdminFixture f = new AdminFixture();

    private final Logger audit = (Logger) LoggerFactory.getLogger("audit");
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
            lines.add(event.getLoggerName() + ": " + event.getFormattedMessage() + " "
                    + event.getKeyValuePairs().stream()
                            .filter(pair -> !String.valueOf(pair.value).isEmpty())
                            .map(pair -> pair.key + "=" + (pair.key.equals("client") ? "?" : pair.value))
                            .collect(Collectors.joining(", ")));
        }
    };

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
        f.close();
    }

    @Test
    @DisplayName("changes of entities and rules are audited with key, client, entity and change")
    void done() {
        f.created("/orders", queue("<MaxDeliveryCount>3</MaxDeliveryCount>"));
        f.update("/orders", queue("<LockDuration>PT5S</LockDuration>"));
        f.created("/events", topic(""));
        f.created("/events/Subscriptions/all", subscription(""));
        f.created("/events/Subscriptions/all/Rules/big", rule("<Filter i:type=\"TrueFilter\"/>"));
        f.delete("/events/Subscriptions/all/Rules/big");
        f.delete("/orders");
        String who = " key=RootManageSharedAccessKey, client=?, namespace=first, ";
        assertThat(lines)
                .containsExactly(
                        "audit: Done: create queue" + who + "entity=orders, changed=maxDeliveryCount: 10 -> 3",
                        "audit: Done: update queue" + who
                                + "entity=orders, changed=lockDurationMs: 60000 -> 5000; maxDeliveryCount: 3 -> 10",
                        "audit: Done: create topic" + who + "entity=events",
                        "audit: Done: create subscription" + who + "entity=events/Subscriptions/all",
                        "audit: Done: create rule" + who
                                + "entity=events/Subscriptions/all, rule=big, changed=filter: TrueRuleFilter[]",
                        "audit: Done: delete rule" + who + "entity=events/Subscriptions/all, rule=big",
                        "audit: Done: delete queue" + who + "entity=orders");
    }

    @Test
    @DisplayName("refused changes go to another logger; refused reads are not audited")
    void refused() {
        f.created("/orders", queue(""));
        lines.clear();
        assertThat(f.create("/orders", queue("")).statusCode()).isEqualTo(409);
        assertThat(f.delete("/missing").statusCode()).isEqualTo(404);
        assertThat(f.get("/orders").statusCode()).isEqualTo(200);
        assertThat(f.get("/missing").statusCode()).isEqualTo(200);
        assertThat(f.send("DELETE", "/orders" + AdminFixture.VERSION, null, "Authorization", "nonsense")
                        .statusCode())
                .isEqualTo(401);
        assertThat(lines)
                .hasSize(3)
                .allMatch(line -> line.startsWith("audit.refused: Refused an administrative action"));
        assertThat(lines.get(0)).contains("action=create queue, key=Root", "entity=orders", "reason=");
        assertThat(lines.get(1)).contains("action=delete entity", "entity=missing");
        assertThat(lines.get(2)).contains("action=delete").doesNotContain("key=");
    }

    @Test
    @DisplayName("a new authorization rule is audited with its rights and never with its keys")
    void keys() {
        String key = "c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0LXNlY3I=";
        f.created(
                "/orders",
                queue("<AuthorizationRules><AuthorizationRule><ClaimType>SharedAccessKey</ClaimType><ClaimValue>None"
                        + "</ClaimValue><Rights><AccessRights>Send</AccessRights></Rights><KeyName>app</KeyName><PrimaryKey>"
                        + key + "</PrimaryKey><SecondaryKey>" + key
                        + "</SecondaryKey></AuthorizationRule></AuthorizationRules>"));
        assertThat(lines).hasSize(1);
        assertThat(lines.get(0))
                .contains("authorization rule app created with [SEND]")
                .doesNotContain(key);
    }
}
