package dev.jitney.gateway.http.admin;

import static dev.jitney.gateway.http.admin.AdminFixture.detail;
import static dev.jitney.gateway.http.admin.AdminFixture.queue;
import static dev.jitney.gateway.http.admin.AdminFixture.subscription;
import static dev.jitney.gateway.http.admin.AdminFixture.text;
import static dev.jitney.gateway.http.admin.AdminFixture.topic;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.gateway.http.TestBroker;
import dev.jitney.model.AccessRule;
import java.net.http.HttpResponse;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Destinations of forwarding, and the rights on them. */
class ForwardingTest {
    private static final String HEADER = "ServiceBusSupplementaryAuthorization";
    private static final String DEAD_LETTER_HEADER = "ServiceBusDlqSupplementaryAuthorization";

    private final AdminFixture f = new AdminFixture();

    @BeforeEach
    void destinations() {
        f.created("/dest", queue(""));
        f.created("/topics/news", topic(""));
    }

    @AfterEach
    void stop() {
        f.close();
    }

    private static String forwardTo(String url) {
        return "<ForwardTo>" + url + "</ForwardTo>";
    }

    private static String forwardDeadLettersTo(String url) {
        return "<ForwardDeadLetteredMessagesTo>" + url + "</ForwardDeadLetteredMessagesTo>";
    }

    @Test
    @DisplayName("HTTP checklist 41: destinations are absolute and returned with scheme and host in lower case")
    void urls() {
        for (String[] pair : new String[][] {
            {"SB://H/DEST", "sb://h/DEST"},
            {"https://NS.example/topics/news", "https://ns.example/topics/news"},
            {" sb://localhost:5300/dest ", "sb://localhost:5300/dest"},
            {"sb://h/topics%2Fnews", "sb://h/topics%2Fnews"},
            {"https://h/sb://ns.example/dest", "sb://ns.example/dest"}, // from an update with the Java SDK
        }) {
            HttpResponse<String> answer = f.create("/source", queue(forwardTo(pair[0])));
            assertThat(text(answer, "ForwardTo")).isEqualTo(pair[1]);
            assertThat(text(f.get("/source"), "ForwardTo")).isEqualTo(pair[1]);
            f.delete("/source");
        }
        for (String bad :
                new String[] {"dest", "/dest", "sb://h", "sb://h/", "sb:///dest", "sb://h/d?x=1", "sb://h/a b"}) {
            assertThat(detail(f.create("/source", queue(forwardTo(bad))), 400)).startsWith("SubCode=40000. ");
        }
    }

    @Test
    @DisplayName("HTTP 2.9: a bare name from a configuration is returned as a URL of the namespace")
    void bareNames() throws Exception {
        f.broker.create("configured", builder -> builder.forwardTo("dest").forwardDeadLetteredMessagesTo("dest"));
        HttpResponse<String> answer = f.get("/configured");
        String url = "sb://127.0.0.1:" + f.gateway.httpPort() + "/dest";
        assertThat(text(answer, "ForwardTo")).isEqualTo(url);
        assertThat(text(answer, "ForwardDeadLetteredMessagesTo")).isEqualTo(url);
    }

    @Test
    @DisplayName("HTTP checklist 42, 43: the destination must exist and differ from the source")
    void destinationsThatCannotBe() {
        assertThat(detail(f.create("/source", queue(forwardTo("sb://h/nothing"))), 400))
                .startsWith("SubCode=40400. The auto forwarding destination");
        f.created("/topics/news/subscriptions/s", subscription(""));
        assertThat(detail(f.create("/source", queue(forwardTo("sb://h/topics/news/subscriptions/s"))), 400))
                .startsWith("SubCode=40400. ");
        f.created("/source", queue(""));
        assertThat(detail(f.update("/source", queue(forwardTo("sb://h/SOURCE"))), 400))
                .startsWith("SubCode=40000. ");
        assertThat(detail(
                        f.update(
                                "/source",
                                queue("<ForwardDeadLetteredMessagesTo>sb://h/nothing</ForwardDeadLetteredMessagesTo>")),
                        400))
                .startsWith("SubCode=40400. ");
    }

    @Test
    @DisplayName("HTTP checklist 44: a session queue cannot forward, but can be a destination")
    void sessions() {
        String session = "<RequiresSession>true</RequiresSession>";
        assertThat(detail(f.create("/source", queue(session + forwardTo("sb://h/dest"))), 400))
                .startsWith("SubCode=40000. Bad Request.");
        f.created("/sessions", queue(session));
        f.created("/source", queue(forwardTo("sb://h/sessions")));
    }

    @Test
    @DisplayName("HTTP checklist 11: the destination needs a token too, unless the first one covers the namespace")
    void supplementaryTokens() {
        String body = AdminFixture.entry(queue(forwardTo("sb://h/dest")));
        String scoped = TestBroker.token("https://h/source", AccessRule.ROOT_NAME, TestBroker.KEY);
        HttpResponse<String> answer = f.send("PUT", "/source", body, "Authorization", scoped);
        assertThat(detail(answer, 401)).startsWith("SubCode=40100. Unauthorized.");
        for (String audience : new String[] {"https://h", "sb://h/dest", "h", "sb://h:5300/dest", "h/dest"}) {
            String token = TestBroker.token(audience, AccessRule.ROOT_NAME, TestBroker.KEY);
            answer = f.send("PUT", "/source", body, "Authorization", scoped, HEADER, token);
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
            f.delete("/source");
        }
        for (String wrong : new String[] {
            TestBroker.token("sb://h/other", AccessRule.ROOT_NAME, TestBroker.KEY),
            TestBroker.token("sb://h/dest", "send", "send-key"),
            TestBroker.token("sb://h/dest", AccessRule.ROOT_NAME, "wrong"),
            "dest",
        }) {
            answer = f.send("PUT", "/source", body, "Authorization", scoped, HEADER, wrong);
            assertThat(answer.statusCode()).isEqualTo(401);
        }
        f.created("/source", queue(forwardTo("sb://h/dest")));

        String both = AdminFixture.entry(subscription(forwardTo("sb://h/dest")
                + "<ForwardDeadLetteredMessagesTo>sb://h/topics/news</ForwardDeadLetteredMessagesTo>"));
        f.created("/t", topic(""));
        String path = "/t/subscriptions/s";
        scoped = TestBroker.token("https://h/t", AccessRule.ROOT_NAME, TestBroker.KEY);
        String token = TestBroker.token("https://h", AccessRule.ROOT_NAME, TestBroker.KEY);
        assertThat(f.send("PUT", path, both, "Authorization", scoped, HEADER, token)
                        .statusCode())
                .isEqualTo(401);
        assertThat(f.send("PUT", path, both, "Authorization", scoped, HEADER, token, DEAD_LETTER_HEADER, token)
                        .statusCode())
                .isEqualTo(201);
        assertThat(f.send("PUT", path, both, "Authorization", scoped, "If-Match", "*")
                        .statusCode())
                .isEqualTo(401);
    }

    @Test
    @DisplayName(
            "FWD-3: forwarding needs Manage on source and destination; an entity's own key covers only one of them")
    void keysOfEntities() {
        String own = "<AuthorizationRules><AuthorizationRule><ClaimType>SharedAccessKey</ClaimType><ClaimValue>None"
                + "</ClaimValue><Rights><AccessRights>Manage</AccessRights><AccessRights>Send</AccessRights><AccessRights>"
                + "Listen</AccessRights></Rights><KeyName>own</KeyName><PrimaryKey>%s</PrimaryKey></AuthorizationRule>"
                + "</AuthorizationRules>";
        f.created("/source", queue(own.formatted("source-key")));
        f.created("/target", queue(own.formatted("target-key")));
        String body = AdminFixture.entry(queue(own.formatted("source-key") + forwardTo("sb://h/target")));
        String source = TestBroker.token("https://h/source", "own", "source-key");
        String target = TestBroker.token("https://h/target", "own", "target-key");
        String[] onSource = {"Authorization", source, "If-Match", "*"};
        assertThat(f.send("PUT", "/source", body, onSource).statusCode()).isEqualTo(401);
        assertThat(f.send("PUT", "/source", body, "Authorization", source, "If-Match", "*", HEADER, source)
                        .statusCode())
                .isEqualTo(401);
        assertThat(f.send("PUT", "/source", body, "Authorization", target, "If-Match", "*", HEADER, target)
                        .statusCode())
                .isEqualTo(401);
        assertThat(text(f.get("/source"), "ForwardTo")).isNull();
        HttpResponse<String> answer =
                f.send("PUT", "/source", body, "Authorization", source, "If-Match", "*", HEADER, target);
        assertThat(text(answer, "ForwardTo")).isEqualTo("sb://h/target");
        // Manage on the source alone is enough to end forwarding.
        String plain = AdminFixture.entry(queue(own.formatted("source-key")));
        assertThat(text(f.send("PUT", "/source", plain, onSource), "ForwardTo")).isNull();
        assertThat(text(f.get("/source"), "ForwardTo")).isNull();
    }

    @Test
    @DisplayName("HTTP checklist 11: each of the two destinations has a header of its own")
    void headerOfEach() {
        String body = AdminFixture.entry(queue(forwardTo("sb://h/dest") + forwardDeadLettersTo("sb://h/topics/news")));
        String scoped = TestBroker.token("https://h/source", AccessRule.ROOT_NAME, TestBroker.KEY);
        String dest = TestBroker.token("https://h/dest", AccessRule.ROOT_NAME, TestBroker.KEY);
        String news = TestBroker.token("https://h/topics/news", AccessRule.ROOT_NAME, TestBroker.KEY);
        assertThat(detail(
                        f.send("PUT", "/source", body, "Authorization", scoped, HEADER, news, DEAD_LETTER_HEADER, dest),
                        401))
                .startsWith("SubCode=40104.");
        assertThat(detail(f.send("PUT", "/source", body, "Authorization", scoped, DEAD_LETTER_HEADER, news), 401))
                .contains(HEADER);
        assertThat(detail(f.send("PUT", "/source", body, "Authorization", scoped, HEADER, dest), 401))
                .contains(DEAD_LETTER_HEADER);
        assertThat(f.send("PUT", "/source", body, "Authorization", scoped, HEADER, dest, DEAD_LETTER_HEADER, news)
                        .statusCode())
                .isEqualTo(201);
    }

    @Test
    @DisplayName("FWD-1, HTTP 5.3: a subscription can forward; an update without a destination ends forwarding")
    void subscriptions() {
        String path = "/topics/news/subscriptions/s";
        f.created("/topics/other", topic(""));
        HttpResponse<String> answer = f.create(
                path, subscription(forwardTo("SB://H/dest") + forwardDeadLettersTo("https://H/topics%2Fother")));
        assertThat(text(answer, "ForwardTo")).isEqualTo("sb://h/dest");
        assertThat(text(answer, "ForwardDeadLetteredMessagesTo")).isEqualTo("https://h/topics%2Fother");
        answer = f.update(path, subscription(forwardDeadLettersTo("sb://h/dest") + "<ForwardTo/>"));
        assertThat(text(answer, "ForwardTo")).isNull();
        assertThat(text(answer, "ForwardDeadLetteredMessagesTo")).isEqualTo("sb://h/dest");
        answer = f.update(path, subscription(""));
        assertThat(text(answer, "ForwardDeadLetteredMessagesTo")).isNull();
        assertThat(text(f.get(path), "ForwardDeadLetteredMessagesTo")).isNull();

        for (String wrong : new String[] {"sb://h/nothing", "sb://h/dest/$DeadLetterQueue", "sb://h/$management"}) {
            assertThat(detail(f.update(path, subscription(forwardTo(wrong))), 400))
                    .startsWith("SubCode=40400. ");
            assertThat(detail(f.update(path, subscription(forwardDeadLettersTo(wrong))), 400))
                    .startsWith("SubCode=40400. ");
        }
        String itself = "sb://h" + path.toUpperCase(Locale.ROOT);
        assertThat(detail(f.update(path, subscription(forwardTo(itself))), 400)).startsWith("SubCode=40000. ");
        assertThat(detail(f.update(path, subscription(forwardDeadLettersTo(itself))), 400))
                .startsWith("SubCode=40000. ");
        String session = "<RequiresSession>true</RequiresSession>";
        assertThat(detail(f.create(path + "2", subscription(session + forwardTo("sb://h/dest"))), 400))
                .startsWith("SubCode=40000. ");
        f.created(path + "2", subscription(session + forwardDeadLettersTo("sb://h/dest"))); // FWD-6 is about ForwardTo
    }

    @Test
    @DisplayName("FWD-5: cycles through other entities are accepted, for queues and through a topic")
    void cycles() {
        f.created("/a", queue(""));
        f.created("/b", queue(forwardTo("sb://h/a")));
        assertThat(text(f.update("/a", queue(forwardTo("sb://h/b"))), "ForwardTo"))
                .isEqualTo("sb://h/b");
        f.created("/topics/other", topic(""));
        f.created("/topics/other/subscriptions/there", subscription(forwardTo("sb://h/topics/news")));
        f.created("/topics/news/subscriptions/back", subscription(forwardTo("sb://h/topics/other")));
    }

    @Test
    @DisplayName("FWD-5: a subscription cannot forward to its own topic, at creation or later")
    void ownTopic() {
        for (String url : new String[] {"sb://h/topics/news", "https://h/TOPICS/News", "sb://h/topics%2Fnews"}) {
            assertThat(detail(f.create("/topics/news/subscriptions/back", subscription(forwardTo(url))), 400))
                    .startsWith("SubCode=40000. Bad Request. The subscription 'back' cannot forward to its own topic");
        }
        f.created("/topics/news/subscriptions/back", subscription(""));
        assertThat(detail(
                        f.update(
                                "/topics/news/subscriptions/back",
                                subscription("<ForwardDeadLetteredMessagesTo>sb://h/topics/news"
                                        + "</ForwardDeadLetteredMessagesTo>")),
                        400))
                .startsWith("SubCode=40000. ");
    }

    @Test
    @DisplayName("FWD-2: a deleted destination fails an update that keeps it, but not one that removes it")
    void destinationsThatWent() {
        f.created("/source", queue(forwardTo("sb://h/dest")));
        assertThat(f.delete("/dest").statusCode()).isEqualTo(200); // HTTP 5.3
        assertThat(text(f.get("/source"), "ForwardTo")).isEqualTo("sb://h/dest");
        assertThat(detail(f.update("/source", queue(forwardTo("sb://h/dest") + "<UserMetadata>m</UserMetadata>")), 400))
                .startsWith("SubCode=40400. ");
        assertThat(text(f.update("/source", queue("<UserMetadata>m</UserMetadata>")), "ForwardTo"))
                .isNull();
    }

    @Test
    @DisplayName("FWD-1: a host name of another namespace on the server is no valid destination")
    void otherNamespaces() {
        assertThat(detail(f.create("/source", queue(forwardTo("sb://second.localhost/dest"))), 400))
                .startsWith("SubCode=40400. The auto forwarding destination")
                .contains("'first'", "'second'");
        f.created("/source", queue(forwardTo("sb://FIRST.localhost:1/dest")));
        f.created("/other", queue(forwardTo("sb://secondary.example/dest")));
    }
}
