package dev.jitney.gateway.http.admin;

import static dev.jitney.gateway.http.admin.AdminFixture.detail;
import static dev.jitney.gateway.http.admin.AdminFixture.queue;
import static dev.jitney.gateway.http.admin.AdminFixture.rule;
import static dev.jitney.gateway.http.admin.AdminFixture.subscription;
import static dev.jitney.gateway.http.admin.AdminFixture.topic;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Responses for existing and missing resources: entries, feeds, pages, discovery. */
class ListsTest {
    private static final Pattern ENTRY_TITLE =
            Pattern.compile("<entry[^>]*><id>[^<]*</id><title type=\"text\">([^<]*)<");
    private static final Pattern NEXT =
            Pattern.compile("<link rel=\"self\" href=\"[^\"]*\"/><link rel=\"next\" href=\"([^\"]*)\"/>");

    private final AdminFixture f = new AdminFixture();

    @AfterEach
    void stop() {
        f.close();
    }

    private static List<String> titles(HttpResponse<String> feed) {
        assertThat(feed.statusCode()).as(feed.body()).isEqualTo(200);
        assertThat(feed.headers().firstValue("content-type"))
                .hasValue("application/atom+xml; type=feed; charset=utf-8");
        return ENTRY_TITLE
                .matcher(feed.body())
                .results()
                .map((MatchResult match) -> match.group(1))
                .toList();
    }

    @Test
    @DisplayName(
            "HTTP checklist 53: a missing queue is an empty feed with a fixed title, a missing subscription is 404")
    void missing() {
        HttpResponse<String> answer = f.get("/missing");
        assertThat(titles(answer)).isEmpty();
        assertThat(answer.body())
                .matches("<feed xmlns=\"http://www.w3.org/2005/Atom\"><title type=\"text\">Publicly Listed Services"
                        + "</title><subtitle type=\"text\">none</subtitle><id>uuid:[-0-9a-f]{36};id=1</id>"
                        + "<updated>2026-11-21T07:01:43Z</updated><generator>Service Bus 1.1</generator></feed>");
        // The Java SDK cannot read the feed in place of a subscription.
        assertThat(detail(f.get("/missing/subscriptions/s"), 404))
                .startsWith("Entity 'first:Topic:missing|s' was not found.");
        assertThat(detail(f.get("/missing/subscriptions/s/rules/r"), 404))
                .startsWith("Entity 'first:Topic:missing|s|r' was not found.");
        f.created("/events", topic(""));
        assertThat(detail(f.get("/events/subscriptions/s"), 404))
                .startsWith("Entity 'first:Topic:events|s' was not found.");
        assertThat(detail(f.get("/events/subscriptions/s/rules/r"), 404))
                .startsWith("Entity 'first:Topic:events|s|r' was not found.");
        f.created("/events/subscriptions/s", subscription(""));
        assertThat(detail(f.get("/events/subscriptions/s/rules/r"), 404))
                .startsWith("Entity 'first:Topic:events|s|r' was not found.");
        assertThat(detail(f.get("/missing/subscriptions"), 404)).startsWith("SubCode=40400. ");
        assertThat(detail(f.get("/events/subscriptions/x/rules"), 404)).startsWith("Entity '");
    }

    @Test
    @DisplayName("HTTP checklist 55: lists are in the ordinal order of names, and may be empty")
    void order() {
        assertThat(titles(f.get("/$Resources/Queues"))).isEmpty();
        assertThat(titles(f.get("/$Resources/Topics"))).isEmpty();
        for (String name : new String[] {"q2", "q10", "q1", "a/b", "a-b", "zz"}) {
            f.created("/" + name, queue(""));
        }
        f.created("/t", topic(""));
        assertThat(titles(f.get("/t/subscriptions"))).isEmpty();
        f.created("/t/subscriptions/s", subscription(""));
        f.created("/t/subscriptions/s/rules/a", rule(""));
        assertThat(titles(f.get("/$Resources/Queues"))).containsExactly("a-b", "a/b", "q1", "q10", "q2", "zz");
        assertThat(titles(f.get("/$Resources/Topics"))).containsExactly("t");
        assertThat(titles(f.get("/t/subscriptions"))).containsExactly("s");
        assertThat(titles(f.get("/t/subscriptions/s/rules"))).containsExactly("$Default", "a");
        f.delete("/t/subscriptions/s/rules/a");
        assertThat(f.delete("/t/subscriptions/s/rules/$Default").statusCode()).isEqualTo(200);
        assertThat(titles(f.get("/t/subscriptions/s/rules"))).isEmpty();
    }

    @Test
    @DisplayName("HTTP 2.6, checklist 55: lists are in the order of the code units of names, also over pages")
    void capitals() {
        String[] names = {"a", "B", "A_x", "AB", "b-c", "Z"};
        f.created("/t", topic(""));
        f.created("/t/subscriptions/s", subscription(""));
        for (String name : names) {
            f.created("/" + name, queue(""));
            f.created("/topics/" + name, topic(""));
            f.created("/t/subscriptions/" + name, subscription(""));
            f.created("/t/subscriptions/s/rules/" + name, rule(""));
        }

        assertThat(titles(f.get("/$Resources/Queues"))).containsExactly("AB", "A_x", "B", "Z", "a", "b-c");
        assertThat(titles(f.get("/$Resources/Queues?$skip=0&$top=3"))).containsExactly("AB", "A_x", "B");
        assertThat(titles(f.get("/$Resources/Queues?$skip=3&$top=3"))).containsExactly("Z", "a", "b-c");
        assertThat(titles(f.get("/$Resources/Topics")))
                .containsExactly("t", "topics/AB", "topics/A_x", "topics/B", "topics/Z", "topics/a", "topics/b-c");
        assertThat(titles(f.get("/t/subscriptions"))).containsExactly("AB", "A_x", "B", "Z", "a", "b-c", "s");
        assertThat(titles(f.get("/t/subscriptions/s/rules")))
                .containsExactly("$Default", "AB", "A_x", "B", "Z", "a", "b-c");
    }

    @Test
    @DisplayName("HTTP checklist 56, 57: 250 queues are listed completely and once through the next links")
    void pages() {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < 250; i++) {
            names.add(String.format("q%03d", i));
            f.created("/" + names.get(i), queue(""));
        }
        List<String> listed = new ArrayList<>();
        String target = "/$Resources/Queues?api-version=2021-05";
        for (int page = 0; page < 3; page++) {
            HttpResponse<String> feed = f.get(target);
            listed.addAll(titles(feed));
            Matcher next = NEXT.matcher(feed.body());
            assertThat(next.find()).isEqualTo(page < 2);
            if (page < 2) {
                String link = next.group(1).replace("&amp;", "&");
                assertThat(link)
                        .isEqualTo(f.origin() + "/$Resources/Queues?%24skip=" + 100 * (page + 1)
                                + "&%24top=100&api-version=2021-05");
                URI url = URI.create(link);
                target = url.getRawPath() + "?" + url.getRawQuery();
            } else {
                assertThat(feed.body()).doesNotContain("rel=\"next\"");
            }
        }
        assertThat(listed).isEqualTo(names);
        assertThat(titles(f.get("/$Resources/Queues?$skip=0&$top=1000"))).hasSize(100);
        HttpResponse<String> last = f.get("/$Resources/Queues?$skip=200&$top=50");
        assertThat(titles(last)).hasSize(50);
        assertThat(last.body()).doesNotContain("rel=\"next\"");
    }

    @Test
    @DisplayName("HTTP checklist 58, 59: skip and top are whole numbers; no items is an empty feed")
    void badPages() {
        f.created("/a", queue(""));
        for (String bad : new String[] {"-1", "x", "", "1.5", "+1"}) {
            assertThat(detail(f.get("/$Resources/Queues?$skip=" + bad.replace("+", "%2B")), 400))
                    .startsWith("Parameter 'skip' should be non-negative integer.");
            assertThat(detail(f.get("/$Resources/Queues?$top=" + bad.replace("+", "%2B")), 400))
                    .startsWith("Parameter 'top' should be non-negative integer.");
        }
        for (String empty : new String[] {"$top=0", "$skip=1", "$skip=99999999999999", "$skip=2147483647&$top=100"}) {
            HttpResponse<String> feed = f.get("/$Resources/Queues?" + empty);
            assertThat(titles(feed)).isEmpty();
            assertThat(feed.body()).doesNotContain("rel=\"next\"");
        }
    }

    @Test
    @DisplayName("HTTP 2.6: entries of a list have base, id, relative link, and the whole description")
    void entriesOfLists() {
        f.created("/Orders", queue("<UserMetadata>u</UserMetadata>"));
        String url = f.origin() + "/$Resources/queues?api-version=2017-04&amp;enrich=false";
        assertThat(f.get("/$Resources/queues?api-version=2017-04&enrich=false").body())
                .startsWith("<feed xmlns=\"http://www.w3.org/2005/Atom\"><title type=\"text\">Queues</title><id>" + url
                        + "</id><updated>2026-11-21T07:01:43Z</updated><link rel=\"self\" href=\"" + url
                        + "\"/><entry xml:base=\"" + url + "\"><id>" + f.origin()
                        + "/Orders?api-version=2017-04</id><title type=\"text\">Orders</title><published>"
                        + "2026-11-21T07:01:43Z</published><updated>2026-11-21T07:01:43Z</updated><author><name>first"
                        + "</name></author><link rel=\"self\" href=\"../Orders?api-version=2017-04\"/><content"
                        + " type=\"application/xml\"><QueueDescription ")
                .contains("<UserMetadata>u</UserMetadata>", "<CountDetails ")
                .doesNotContain("MaxMessageSizeInKilobytes")
                .endsWith("</QueueDescription></content></entry></feed>");
        f.created("/t", topic(""));
        f.created("/t/Subscriptions/s", subscription(""));
        assertThat(f.get("/t/Subscriptions/s/rules").body())
                .contains("<id>" + f.origin() + "/t/Subscriptions/s/rules/$Default?api-version=2021-05</id>")
                .contains("href=\"rules/$Default?api-version=2021-05\"");
    }

    @Test
    @DisplayName("HTTP 2.1: a path above entities lists the names directly below it")
    void discovery() {
        f.created("/a/b/c", queue(""));
        f.created("/a/d", topic(""));
        f.created("/a/D2", queue(""));
        f.created("/e", queue(""));
        assertThat(titles(f.get("/"))).containsExactly("a", "e");
        assertThat(titles(f.get("/A"))).containsExactly("b", "d", "D2");
        assertThat(f.get("/a").body()).contains("href=\"" + f.origin() + "/a/d\"");
        assertThat(titles(f.get("/a/b"))).containsExactly("c");
        assertThat(titles(f.get("/?$top=1"))).containsExactly("a");
    }

    @Test
    @DisplayName("HTTP 2.1: known filters in $filter apply, unknown ones are ignored")
    void filters() {
        f.created("/orders-1", queue(""));
        f.broker.nowMs.addAndGet(60_000);
        f.created("/Orders-2", queue(""));
        f.created("/other", queue(""));
        assertThat(filtered("startswith(path, 'ORDERS') eq true")).containsExactly("Orders-2", "orders-1");
        assertThat(filtered("StartsWith(path,'orders') Eq True AND createdAt gt '2026-11-21T07:02:00'"))
                .containsExactly("Orders-2");
        assertThat(filtered("createdAt le '2026-11-21T07:01:43Z'")).containsExactly("orders-1");
        assertThat(filtered("createdAt ge '2026-11-22'")).isEmpty();
        assertThat(filtered("messageCount eq 0 and updatedAt ne '2026-11-21T08:01:43+01:00'"))
                .containsExactly("Orders-2", "other");
        assertThat(filtered("messageCount gt 0")).isEmpty();
        assertThat(filtered("messageCount lt many")).hasSize(3);
        assertThat(filtered("whatever")).hasSize(3);
        assertThat(filtered("startswith(path, 'orders')" + " ".repeat(2_000))).hasSize(3);
        assertThat(f.get("/$Resources/Queues?$top=1&$filter=startswith(path,%20'o')")
                        .body())
                .contains("%24top=1&amp;api-version=2017-04&amp;%24filter=startswith%28path%2C%20%27o%27%29\"/>");
    }

    private List<String> filtered(String filter) {
        return titles(f.get("/$Resources/Queues?$filter="
                + filter.replace(" ", "%20").replace("'", "%27").replace("+", "%2B")));
    }
}
