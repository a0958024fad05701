package dev.jitney.conformance.recorded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.conformance.recorded.RawHttp.Answer;
import dev.jitney.conformance.support.TestBroker;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.w3c.dom.Element;

/**
 * Tests that replay the requests of the clients in .NET, Python and Go, which do not run here, byte for byte on both
 * listeners (HTTP reference 2.3 and 2.4). The responses must contain what those clients read (2.5 to 2.10, chapter 7).
 */
class RecordedRequestsTest {
    @RegisterExtension
    static final TestBroker broker = TestBroker.withHttps();

    private final List<RawHttp> connections = new ArrayList<>();

    /** A listener with the way to connect to it. */
    private record Listener(String name, Function<TestBroker, RawHttp> connect, int port) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Arguments> clients() {
        long expiry = broker.now().getEpochSecond() + 1800;
        return Stream.of(
                        new Listener("HTTP", RawHttp::plain, broker.httpPort()),
                        new Listener("HTTPS", RawHttp::tls, broker.httpsPort()))
                .flatMap(listener -> {
                    String authority = "localhost:" + listener.port();
                    return Stream.of(
                                    new NetRequests("2021-05", authority, expiry),
                                    new NetRequests("2024-05", authority, expiry),
                                    new PythonRequests(false, authority, expiry),
                                    new PythonRequests(true, authority, expiry),
                                    new GoRequests(authority, expiry))
                            .map(client -> Arguments.of(client, listener));
                });
    }

    private RawHttp open(Listener listener) {
        RawHttp http = listener.connect().apply(broker);
        connections.add(http);
        return http;
    }

    @AfterEach
    void close() {
        connections.forEach(RawHttp::close);
    }

    private static void assertEntry(int status, String title, Answer answer) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(status);
        assertThat(answer.headers().get("Content-Type"))
                .startsWith("application/atom+xml")
                .contains("type=entry");
        Xml xml = answer.xml();
        assertThat(xml.root()).isEqualTo("entry");
        assertThat(xml.texts(Xml.ATOM, "title")).containsExactly(title);
        // No white space is allowed before the description (HTTP 7, pitfall 11).
        Element content = xml.elements(Xml.ATOM, "content").get(0);
        assertThat(content.getFirstChild()).isInstanceOf(Element.class).isSameAs(content.getLastChild());
        assertThat(URI.create(xml.texts(Xml.ATOM, "id").get(0)).isAbsolute()).isTrue();
    }

    private static void assertError(int status, String opening, Answer answer) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(status);
        assertThat(answer.headers().get("Content-Type")).isEqualTo("application/xml; charset=utf-8");
        assertThat(answer.xml().root()).isEqualTo("Error");
        assertThat(answer.body()).contains("<Code>" + status + "</Code><Detail>" + opening);
        assertThat(answer.body()).contains("TrackingId:").contains("Timestamp:");
    }

    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("clients")
    @DisplayName("Queues: create, read, update, exists, delete (HTTP 2.4)")
    void queues(Recorded client, Listener listener) {
        RawHttp http = open(listener);
        String name = TestBroker.name("Recorded");
        String path = "/" + name;
        Answer created = http.send(client.create(
                path,
                "QueueDescription",
                "<LockDuration>PT1M</LockDuration><MaxSizeInMegabytes>1024</MaxSizeInMegabytes>"
                        + "<RequiresDuplicateDetection>false</RequiresDuplicateDetection>"
                        + "<RequiresSession>false</RequiresSession>"
                        + "<DefaultMessageTimeToLive>P2DT12H</DefaultMessageTimeToLive>"
                        + "<DeadLetteringOnMessageExpiration>true</DeadLetteringOnMessageExpiration>"
                        + "<DuplicateDetectionHistoryTimeWindow>PT1M</DuplicateDetectionHistoryTimeWindow>"
                        + "<MaxDeliveryCount>10</MaxDeliveryCount><EnableBatchedOperations>true</EnableBatchedOperations>"
                        + "<AuthorizationRules><AuthorizationRule i:type=\"SharedAccessAuthorizationRule\">"
                        + "<ClaimType>SharedAccessKey</ClaimType><ClaimValue>None</ClaimValue>"
                        + "<Rights><AccessRights>Manage</AccessRights><AccessRights>Listen</AccessRights>"
                        + "<AccessRights>Send</AccessRights></Rights><KeyName>all</KeyName>"
                        + "<PrimaryKey>AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=</PrimaryKey>"
                        + "<SecondaryKey>HxECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=</SecondaryKey>"
                        + "</AuthorizationRule></AuthorizationRules>"
                        + "<Status>Active</Status><UserMetadata>a &lt;b&gt; &amp; c</UserMetadata>"
                        + "<AutoDeleteOnIdle>P10675199DT2H48M5.477539S</AutoDeleteOnIdle>"
                        + "<EnablePartitioning>false</EnablePartitioning>"
                        + "<SomethingOfTomorrow>x</SomethingOfTomorrow>"));
        assertEntry(201, name, created);
        Answer read = http.send(client.get("/" + name.toUpperCase(Locale.ROOT), false));
        assertEntry(200, name, read);
        Xml queue = read.xml();
        assertThat(queue.property("LockDuration")).isEqualTo("PT1M");
        assertThat(queue.property("DefaultMessageTimeToLive")).isEqualTo("P2DT12H");
        assertThat(queue.property("DeadLetteringOnMessageExpiration")).isEqualTo("true");
        assertThat(queue.property("AutoDeleteOnIdle")).isEqualTo("P10675199DT2H48M5.4775807S");
        assertThat(queue.property("UserMetadata")).isEqualTo("a <b> & c");
        assertThat(queue.property("Status")).isEqualTo("Active");
        assertThat(queue.property("PrimaryKey")).isEqualTo("AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=");
        assertThat(queue.property("SecondaryKey")).isEqualTo("HxECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=");
        assertThat(queue.texts(Xml.CONNECT, "AccessRights")).containsExactlyInAnyOrder("Manage", "Send", "Listen");
        assertThat(queue.texts(Xml.CONNECT, "ForwardTo")).isEmpty();
        Answer updated = http.send(client.update(
                path,
                "QueueDescription",
                "<LockDuration>PT30S</LockDuration><MaxSizeInMegabytes>2048</MaxSizeInMegabytes>"
                        + "<MaxDeliveryCount>3</MaxDeliveryCount><Status>SendDisabled</Status>"));
        assertEntry(200, name, updated);
        assertThat(updated.xml().property("LockDuration")).isEqualTo("PT30S");
        assertThat(updated.xml().property("EnableBatchedOperations")).isEqualTo("true");
        assertThat(updated.xml().property("EnablePartitioning")).isEqualTo("false");
        Answer runtime = http.send(client.get(path, true));
        assertThat(runtime.xml().property("Status")).isEqualTo("SendDisabled");
        assertThat(runtime.xml().property("DefaultMessageTimeToLive")).isEqualTo("P10675199DT2H48M5.4775807S");
        assertThat(runtime.xml().texts(Xml.CONNECT, "UserMetadata")).isEmpty();
        assertThat(runtime.xml().property("MessageCount")).isEqualTo("0");
        for (String counter : List.of(
                "ActiveMessageCount",
                "DeadLetterMessageCount",
                "ScheduledMessageCount",
                "TransferMessageCount",
                "TransferDeadLetterMessageCount")) {
            assertThat(runtime.texts(Xml.COUNTS, counter)).containsExactly("0");
        }
        for (String time : List.of("CreatedAt", "UpdatedAt", "AccessedAt")) {
            assertThat(runtime.xml().property(time)).matches("\\d{4}-\\d\\d-\\d\\dT[\\d:]{8}(\\.\\d{1,7})?Z");
        }
        assertError(409, "SubCode=40900. Conflict.", http.send(client.create(path, "QueueDescription", "")));
        Answer deleted = http.send(client.delete(path));
        assertThat(deleted.status()).isEqualTo(200);
        assertThat(deleted.body()).isEmpty();
        assertMissing(http.send(client.get(path, false)));
        assertError(404, "No service is hosted", http.send(client.delete(path)));
        assertError(404, "SubCode=40400. Not Found.", http.send(client.update(path, "QueueDescription", "")));
    }

    /** Checks for the empty feed that clients interpret as "not found" (HTTP 2.6). */
    private static void assertMissing(Answer answer) {
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.headers().get("Content-Type")).startsWith("application/atom+xml");
        assertThat(answer.xml().root()).isEqualTo("feed");
        assertThat(answer.texts(Xml.ATOM, "title")).containsExactly("Publicly Listed Services");
        assertThat(answer.texts(Xml.ATOM, "entry")).isEmpty();
    }

    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("clients")
    @DisplayName("Names with slashes: HTTP checklist 14")
    void slashes(Recorded client, Listener listener) {
        RawHttp http = open(listener);
        String name = TestBroker.name("a") + "/b";
        String path = "/" + client.escaped(name);
        assertEntry(201, name, http.send(client.create(path, "QueueDescription", "")));
        assertEntry(200, name, http.send(client.get("/" + name, false)));
        assertError(409, "SubCode=40900.", http.send(client.create("/" + name, "QueueDescription", "")));
        assertThat(http.send(client.delete(path)).status()).isEqualTo(200);
    }

    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("clients")
    @DisplayName("Forwarding with the supplementary header: HTTP checklist 11 and 41")
    void forwarding(Recorded client, Listener listener) {
        RawHttp http = open(listener);
        String target = TestBroker.name("Target");
        http.send(client.create("/" + target, "QueueDescription", ""));
        String source = TestBroker.name("source");
        String forwardTo = "<ForwardTo>" + client.forwardTo(target) + "</ForwardTo>";
        Answer created = http.send(client.createForwarding("/" + source, "QueueDescription", forwardTo, target));
        assertEntry(201, source, created);
        assertThat(http.send(client.get("/" + source, false)).xml().property("ForwardTo"))
                .isEqualTo(client.forwardTo(target));
        assertError(
                400,
                "SubCode=40400.",
                http.send(client.createForwarding(
                        "/" + TestBroker.name("source"),
                        "QueueDescription",
                        "<ForwardTo>" + client.forwardTo("missing") + "</ForwardTo>",
                        "missing")));
    }

    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("clients")
    @DisplayName("Topics, subscriptions and rules with typed values: HTTP checklist 46 and 49")
    void rules(Recorded client, Listener listener) {
        RawHttp http = open(listener);
        String topic = TestBroker.name("topic");
        assertEntry(
                201,
                topic,
                http.send(client.create(
                        "/" + topic,
                        "TopicDescription",
                        "<MaxSizeInMegabytes>1024</MaxSizeInMegabytes><SupportOrdering>false</SupportOrdering>")));
        String subscription = "/" + topic + "/Subscriptions/red";
        Answer created = http.send(client.create(
                subscription,
                "SubscriptionDescription",
                "<LockDuration>PT1M</LockDuration><RequiresSession>false</RequiresSession>"
                        + "<DeadLetteringOnFilterEvaluationExceptions>true</DeadLetteringOnFilterEvaluationExceptions>"
                        + "<DefaultRuleDescription><Filter i:type=\"SqlFilter\">"
                        + "<SqlExpression>colour = @c AND n &gt; @n</SqlExpression><Parameters>"
                        + "<KeyValueOfstringanyType><Key>@c</Key><Value i:type=\"x:string\">red</Value>"
                        + "</KeyValueOfstringanyType><KeyValueOfstringanyType><Key>@n</Key>"
                        + "<Value i:type=\"x:int\">5</Value></KeyValueOfstringanyType></Parameters></Filter>"
                        + "<Action i:type=\"EmptyRuleAction\" /><Name>red-only</Name></DefaultRuleDescription>"
                        + "<MaxDeliveryCount>10</MaxDeliveryCount>"));
        assertEntry(201, "red", created);
        assertThat(created.xml().texts(Xml.CONNECT, "DefaultRuleDescription")).isEmpty();
        assertRule(
                http.send(client.get(subscription + "/rules/red-only", false)),
                "SqlFilter",
                List.of("string", "int"),
                List.of("red", "5"));
        Answer correlation = http.send(client.create(
                subscription + "/rules/typed",
                "RuleDescription",
                "<Filter i:type=\"CorrelationFilter\"><CorrelationId>c-1</CorrelationId><Label>invoice</Label>"
                        + "<Properties>" + value("a", "long", "9223372036854775807") + value("b", "double", "0.5")
                        + value("c", "boolean", "true") + value("d", "dateTime", "2026-11-20T10:00:00Z")
                        + value("e", "duration", "P1DT1H") + "</Properties></Filter>"
                        + "<Action i:type=\"SqlRuleAction\"><SqlExpression>SET n = 1</SqlExpression></Action>"
                        + "<Name>typed</Name>"));
        assertEntry(201, "typed", correlation);
        Answer typed = http.send(client.get(subscription + "/rules/typed", false));
        assertRule(
                typed,
                "CorrelationFilter",
                List.of("long", "double", "boolean", "dateTime", "duration"),
                List.of("9223372036854775807", "0.5", "true", "2026-11-20T10:00:00Z", "P1DT1H"));
        Answer listed = http.send(client.list(subscription + "/rules", 0));
        assertThat(listed.texts(Xml.CONNECT, "Name")).containsExactly("red-only", "typed");
        assertEntry(
                200,
                "typed",
                http.send(client.update(
                        subscription + "/rules/typed",
                        "RuleDescription",
                        "<Filter i:type=\"FalseFilter\"><SqlExpression>1=0</SqlExpression></Filter>"
                                + "<Action i:type=\"EmptyRuleAction\" /><Name>typed</Name>")));
        assertError(404, "Entity '", http.send(client.get(subscription + "/rules/missing", false)));
        assertError(404, "Entity '", http.send(client.update(subscription + "/rules/missing", "RuleDescription", "")));
        assertError(404, "Entity '", http.send(client.get("/" + topic + "/Subscriptions/missing", false)));
        assertError(
                409, "The messaging entity '", http.send(client.create(subscription, "SubscriptionDescription", "")));
        assertThat(http.send(client.delete(subscription + "/rules/typed")).status())
                .isEqualTo(200);
        assertThat(http.send(client.delete("/" + topic)).status()).isEqualTo(200);
        // The service returns the empty feed here, which the Java SDK cannot read in place of a subscription.
        assertError(404, "Entity '", http.send(client.get(subscription, false)));
    }

    private static String value(String key, String type, String value) {
        return "<KeyValueOfstringanyType><Key>" + key + "</Key><Value i:type=\"x:" + type + "\">" + value
                + "</Value></KeyValueOfstringanyType>";
    }

    private static void assertRule(Answer answer, String filter, List<String> types, List<String> values) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        Xml xml = answer.xml();
        assertThat(xml.elements(Xml.CONNECT, "Filter").get(0).getAttributeNS(Xml.INSTANCE, "type"))
                .isEqualTo(filter);
        assertThat(xml.elements(Xml.CONNECT, "Action")).hasSize(1);
        List<Element> found = xml.elements(Xml.CONNECT, "Value");
        assertThat(found.stream().map(Element::getTextContent)).containsExactlyElementsOf(values);
        for (int i = 0; i < types.size(); i++) {
            String type = found.get(i).getAttributeNS(Xml.INSTANCE, "type");
            int colon = type.indexOf(':');
            assertThat(colon).as("the prefix that JavaScript removes").isEqualTo(4);
            assertThat(type.substring(colon + 1)).isEqualTo(types.get(i));
            assertThat(found.get(i).lookupNamespaceURI(type.substring(0, colon)))
                    .startsWith("http");
        }
    }

    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("clients")
    @DisplayName("Lists: HTTP checklist 55 to 57, with links followed as each client does")
    void lists(Recorded client, Listener listener) {
        RawHttp http = open(listener);
        String topic = TestBroker.name("listed");
        http.send(client.create("/" + topic, "TopicDescription", ""));
        List<String> expected =
                IntStream.range(0, 105).mapToObj(i -> "s-" + i).sorted().toList();
        expected.forEach(name ->
                http.send(client.create("/" + topic + "/Subscriptions/" + name, "SubscriptionDescription", "")));
        List<String> listed = new ArrayList<>();
        int entries;
        int skip = 0;
        do {
            Answer page = http.send(client.list("/" + topic + "/Subscriptions", skip));
            assertThat(page.status()).as(page.body()).isEqualTo(200);
            assertThat(page.headers().get("Content-Type"))
                    .startsWith("application/atom+xml")
                    .contains("type=feed");
            List<String> titles = page.xml().elements(Xml.ATOM, "entry").stream()
                    .map(entry -> entry.getElementsByTagNameNS(Xml.ATOM, "title")
                            .item(0)
                            .getTextContent())
                    .toList();
            entries = titles.size();
            listed.addAll(titles);
            skip += entries;
            assertLinks(page, entries == 100 ? skip : null);
        } while (entries == 100);
        assertThat(listed).containsExactlyElementsOf(expected);
        assertThat(http.send(client.list("/" + topic + "/Subscriptions", 1000)).texts(Xml.ATOM, "entry"))
                .isEmpty();
    }

    /** Checks that there are exactly two links. Python follows the second one (HTTP 2.6). */
    private static void assertLinks(Answer page, @Nullable Integer next) {
        List<Element> links = page.xml().elements(Xml.ATOM, "link").stream()
                .filter(link -> link.getParentNode().getLocalName().equals("feed"))
                .toList();
        if (next == null) {
            assertThat(links).hasSize(1);
            return;
        }
        assertThat(links).hasSize(2);
        assertThat(links.get(1).getAttribute("rel")).isEqualTo("next");
        assertThat(links.get(0).getNextSibling()).isSameAs(links.get(1));
        URI address = URI.create(links.get(1).getAttribute("href"));
        assertThat(address.isAbsolute()).isTrue();
        assertThat(address.getRawQuery())
                .contains("%24skip=" + next)
                .contains("%24top=100")
                .contains("api-version=");
    }

    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("clients")
    @DisplayName("The namespace: HTTP checklist 62")
    void namespace(Recorded client, Listener listener) {
        Answer answer = open(listener).send(client.get("/$namespaceinfo", false));
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.xml().property("MessagingSKU")).isEqualTo("Standard");
        assertThat(answer.xml().property("NamespaceType")).isEqualTo("Messaging");
        assertThat(answer.xml().property("Name")).isNotEmpty();
        assertThat(answer.xml().texts(Xml.CONNECT, "Alias")).isEmpty();
    }

    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("clients")
    @DisplayName("HTTP checklist 52: filter counts of a topic are returned since version 2024-05")
    void filterCounts(Recorded client, Listener listener) {
        RawHttp http = open(listener);
        String topic = TestBroker.name("counted");
        http.send(client.create("/" + topic, "TopicDescription", ""));
        http.send(client.create("/" + topic + "/Subscriptions/s", "SubscriptionDescription", ""));
        http.send(client.create(
                "/" + topic + "/Subscriptions/s/Rules/c",
                "RuleDescription",
                "<Filter i:type=\"CorrelationFilter\"><CorrelationId>c</CorrelationId></Filter>"));
        Xml read = http.send(client.get("/" + topic, true)).xml();
        assertThat(read.property("SubscriptionCount")).isEqualTo("1");
        boolean told = client.toString().contains("2024-05");
        assertThat(read.texts(Xml.CONNECT, "SqlFilterCount")).isEqualTo(told ? List.of("1") : List.of());
        assertThat(read.texts(Xml.CONNECT, "CorrelationFilterCount")).isEqualTo(told ? List.of("1") : List.of());
        boolean sized = !client.toString().contains("older");
        assertThat(read.texts(Xml.CONNECT, "MaxMessageSizeInKilobytes")).hasSize(sized ? 1 : 0);
    }
}
