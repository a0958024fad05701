package dev.jitney.gateway.http.admin;

import static dev.jitney.gateway.http.admin.AdminFixture.detail;
import static dev.jitney.gateway.http.admin.AdminFixture.queue;
import static dev.jitney.gateway.http.admin.AdminFixture.rule;
import static dev.jitney.gateway.http.admin.AdminFixture.subscription;
import static dev.jitney.gateway.http.admin.AdminFixture.text;
import static dev.jitney.gateway.http.admin.AdminFixture.topic;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.gateway.http.RawClient;
import java.io.IOException;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Paths, queries, methods and header fields. */
class RoutingTest {
    private final AdminFixture f = new AdminFixture();

    @AfterEach
    void stop() {
        f.close();
    }

    @Test
    @DisplayName("HTTP checklist 12: fixed words and query keys match in any case and with any escape")
    void fixedWords() {
        f.created("/a", queue(""));
        f.created("/b", queue(""));
        String all = titles(f.get("/$Resources/queues"));
        assertThat(titles(f.get("/$resources/QUEUES"))).isEqualTo(all);
        assertThat(titles(f.get("/%24Resources/Queues/?%24top=1"))).isEqualTo("a ");
        assertThat(titles(f.get("/$Resources/Queues?$TOP=1&$Skip=1"))).isEqualTo("b ");
        assertThat(f.get("/$NAMESPACEINFO").statusCode()).isEqualTo(200);
        assertThat(detail(f.get("/$Resources/nothing"), 404)).startsWith("No service is hosted");
        assertThat(detail(f.get("/$Resources"), 404)).startsWith("No service is hosted");
    }

    private static String titles(HttpResponse<String> feed) {
        StringBuilder titles = new StringBuilder();
        var nodes = AdminFixture.xml(feed).getElementsByTagNameNS("*", "entry");
        for (int i = 0; i < nodes.getLength(); i++) {
            titles.append(nodes.item(i).getChildNodes().item(1).getTextContent())
                    .append(' ');
        }
        return titles.toString();
    }

    @Test
    @DisplayName("HTTP checklist 13: one slash at the end is ignored")
    void slashAtTheEnd() {
        f.created("/t", topic(""));
        f.created("/t/Subscriptions/s/", subscription(""));
        assertThat(titles(f.get("/t/Subscriptions/"))).isEqualTo("s ");
        assertThat(titles(f.get("/t/subscriptions"))).isEqualTo("s ");
        assertThat(titles(f.get("/t/Subscriptions/s/Rules/"))).isEqualTo("$Default ");
        assertThat(f.get("/t/").statusCode()).isEqualTo(200);
        assertThat(f.get("/t/Subscriptions/").body())
                .contains("<id>" + f.origin() + "/t/Subscriptions/s?api-version=2021-05</id>")
                .contains("href=\"Subscriptions/s?api-version=2021-05\"");
    }

    @Test
    @DisplayName("HTTP checklist 14, 15: names may contain slashes, escaped or not, and match in any case")
    void names() {
        f.created("/a%2Fb", queue(""));
        assertThat(detail(f.create("/a/b", queue("")), 409)).startsWith("SubCode=40900. ");
        assertThat(text(f.get("/A/B"), "title")).isEqualTo("a/b");
        f.created("/orders", queue(""));
        HttpResponse<String> answer = f.get("/ORDERS");
        assertThat(text(answer, "title")).isEqualTo("orders");
        assertThat(text(answer, "id")).isEqualTo(f.origin() + "/ORDERS?api-version=2021-05");
        assertThat(f.update("/ORDERS", queue("")).body()).contains("<title type=\"text\">orders</title>");
    }

    @Test
    @DisplayName("HTTP 2.1: subscriptions and rules may have the same names as the words of the path")
    void tails() {
        f.created("/x/y", topic(""));
        f.created("/x/y/subscriptions/rules", subscription(""));
        f.created("/x/y/subscriptions/subscriptions", subscription(""));
        f.created("/x/y/subscriptions/rules/rules/subscriptions", rule(""));
        assertThat(text(f.get("/x/y/subscriptions/subscriptions"), "title")).isEqualTo("subscriptions");
        assertThat(text(f.get("/x/y/subscriptions/rules/rules/subscriptions"), "Name"))
                .isEqualTo("subscriptions");
        assertThat(titles(f.get("/x/y/subscriptions/rules/rules"))).isEqualTo("$Default subscriptions ");
        assertThat(f.create("/subscriptions/s", subscription("")).statusCode()).isEqualTo(400);
    }

    @Test
    @DisplayName("HTTP checklist 16: the response does not depend on the host, except for its URLs")
    void hosts() throws IOException {
        f.created("/orders", queue(""));
        String body = f.get("/orders").body();
        for (String host : new String[] {"localhost", "sb-emulator:5300", "[::1]:443", "ns.servicebus.windows.net"}) {
            try (RawClient client = new RawClient(f.gateway.httpPort())) {
                String answer = client.send("GET /orders?api-version=2021-05 HTTP/1.1\r\nHost: " + host
                                + "\r\nAuthorization: " + f.token + "\r\n\r\n")
                        .answer();
                assertThat(answer).startsWith("HTTP/1.1 200");
                assertThat(answer.substring(answer.indexOf("<entry")))
                        .isEqualTo(body.replace("127.0.0.1:" + f.gateway.httpPort(), host));
            }
        }
    }

    @Test
    @DisplayName("HTTP checklist 17: unknown query keys and headers change nothing but the URLs in the response")
    void unknownKeys() {
        f.created("/orders", queue(""));
        String url = f.origin() + "/orders?api-version=2021-05";
        String other = url + "&enrich=False&x=%3C%26";
        HttpResponse<String> answer = f.send(
                "GET",
                other.substring(f.origin().length()),
                null,
                "Authorization",
                f.token,
                "X-Unknown",
                "1",
                "Content-Type",
                "application/atom+xml");
        assertThat(answer.body().replace(other.replace("&", "&amp;"), url))
                .isEqualTo(f.get("/orders").body());
    }

    @Test
    @DisplayName("HTTP checklist 66: the id in a response has the spelling of the request")
    void spelling() {
        f.created("/t", topic(""));
        assertThat(text(f.create("/t/Subscriptions/s", subscription("")), "id")).contains("/t/Subscriptions/s?");
        assertThat(text(f.get("/t/subscriptions/s"), "id")).contains("/t/subscriptions/s?");
        assertThat(text(f.create("/t/Subscriptions/s/Rules/r", rule("")), "id"))
                .isEqualTo(f.origin() + "/t/Subscriptions/s/Rules/r?api-version=2021-05");
    }

    @Test
    @DisplayName("HTTP checklist 68: the client's request ID is returned on request")
    void requestId() {
        HttpResponse<String> answer = f.send(
                "GET",
                "/$namespaceinfo",
                null,
                "Authorization",
                f.token,
                "x-ms-client-request-id",
                "id-1",
                "x-ms-return-client-request-id",
                "true");
        assertThat(answer.headers().firstValue("x-ms-client-request-id")).hasValue("id-1");
        answer = f.send("GET", "/$namespaceinfo", null, "Authorization", f.token, "x-ms-client-request-id", "id-1");
        assertThat(answer.headers().firstValue("x-ms-client-request-id")).isEmpty();
    }

    @Test
    @DisplayName("HTTP 2.10: sub-queues cannot be administered; other methods are refused; HEAD is GET without a body")
    void methods() {
        f.created("/orders", queue(""));
        for (String path : new String[] {"/orders/$DeadLetterQueue", "/orders/$Transfer/$deadletterqueue"}) {
            assertThat(detail(f.get(path), 400)).startsWith("The specified HTTP verb (GET) ");
            assertThat(detail(f.delete(path), 400)).startsWith("The specified HTTP verb (DELETE) ");
            assertThat(detail(f.create(path, queue("")), 400)).startsWith("The specified HTTP verb (PUT) ");
        }
        HttpResponse<String> answer = f.send("POST", "/orders", "x", "Authorization", f.token);
        assertThat(detail(answer, 405)).startsWith("The specified HTTP verb (POST) ");
        assertThat(answer.headers().firstValue("allow")).hasValue("GET, HEAD, PUT, DELETE");
        answer = f.send("DELETE", "/$Resources/Queues", null, "Authorization", f.token);
        assertThat(answer.headers().firstValue("allow")).hasValue("GET, HEAD");
        answer = f.send("HEAD", "/orders", null, "Authorization", f.token);
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).isEmpty();
        assertThat(answer.headers().firstValue("etag")).isPresent();
    }

    @Test
    @DisplayName("A queue may have the name of one of the server's own pages")
    void queueCalledHealth() {
        f.created("/health", queue(""));
        assertThat(text(f.get("/health"), "title")).isEqualTo("health");
        assertThat(f.get("/health?x").body()).contains("Service is healthy.");
    }
}
