package dev.jitney.gateway.http.admin;

import static dev.jitney.gateway.http.admin.AdminFixture.detail;
import static dev.jitney.gateway.http.admin.AdminFixture.queue;
import static dev.jitney.gateway.http.admin.AdminFixture.rule;
import static dev.jitney.gateway.http.admin.AdminFixture.subscription;
import static dev.jitney.gateway.http.admin.AdminFixture.text;
import static dev.jitney.gateway.http.admin.AdminFixture.topic;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Create, update, delete of queues, topics, subscriptions and rules. */
class EntitiesTest {
    private final AdminFixture f = new AdminFixture();

    @AfterEach
    void stop() {
        f.close();
    }

    @Test
    @DisplayName(
            "HTTP checklist 18, 19, 64, 65: an empty description creates a queue with every default in table order")
    void defaults() {
        HttpResponse<String> answer = f.create("/orders", "<QueueDescription xmlns=\"" + AdminFixture.CONNECT + "\"/>");
        assertThat(answer.statusCode()).isEqualTo(201);
        assertThat(answer.headers().firstValue("content-type"))
                .hasValue("application/atom+xml; type=entry; charset=utf-8");
        String url = f.origin() + "/orders?api-version=2021-05";
        assertThat(answer.body())
                .isEqualTo("<entry xmlns=\"http://www.w3.org/2005/Atom\"><id>" + url
                        + "</id><title type=\"text\">orders</title><published>2026-11-21T07:01:43Z</published>"
                        + "<updated>2026-11-21T07:01:43Z</updated><author><name>first</name></author>"
                        + "<link rel=\"self\" href=\"" + url + "\"/><content type=\"application/xml\">"
                        + "<QueueDescription xmlns=\"" + AdminFixture.CONNECT + "\" xmlns:i=\""
                        + AdminFixture.INSTANCE + "\"><LockDuration>PT1M</LockDuration>"
                        + "<MaxSizeInMegabytes>1024</MaxSizeInMegabytes>"
                        + "<RequiresDuplicateDetection>false</RequiresDuplicateDetection>"
                        + "<RequiresSession>false</RequiresSession>"
                        + "<DefaultMessageTimeToLive>P10675199DT2H48M5.4775807S</DefaultMessageTimeToLive>"
                        + "<DeadLetteringOnMessageExpiration>false</DeadLetteringOnMessageExpiration>"
                        + "<DuplicateDetectionHistoryTimeWindow>PT10M</DuplicateDetectionHistoryTimeWindow>"
                        + "<MaxDeliveryCount>10</MaxDeliveryCount>"
                        + "<EnableBatchedOperations>true</EnableBatchedOperations><SizeInBytes>0</SizeInBytes>"
                        + "<MessageCount>0</MessageCount><IsAnonymousAccessible>false</IsAnonymousAccessible>"
                        + "<AuthorizationRules></AuthorizationRules><Status>Active</Status>"
                        + "<CreatedAt>2026-11-21T07:01:43Z</CreatedAt><UpdatedAt>2026-11-21T07:01:43Z</UpdatedAt>"
                        + "<AccessedAt>0001-01-01T00:00:00Z</AccessedAt><SupportOrdering>true</SupportOrdering>"
                        + "<CountDetails xmlns:d2p1=\"http://schemas.microsoft.com/netservices/2011/06/servicebus\">"
                        + "<d2p1:ActiveMessageCount>0</d2p1:ActiveMessageCount>"
                        + "<d2p1:DeadLetterMessageCount>0</d2p1:DeadLetterMessageCount>"
                        + "<d2p1:ScheduledMessageCount>0</d2p1:ScheduledMessageCount>"
                        + "<d2p1:TransferMessageCount>0</d2p1:TransferMessageCount>"
                        + "<d2p1:TransferDeadLetterMessageCount>0</d2p1:TransferDeadLetterMessageCount></CountDetails>"
                        + "<AutoDeleteOnIdle>P10675199DT2H48M5.4775807S</AutoDeleteOnIdle>"
                        + "<EnablePartitioning>false</EnablePartitioning>"
                        + "<EntityAvailabilityStatus>Available</EntityAvailabilityStatus>"
                        + "<EnableExpress>false</EnableExpress>"
                        + "<MaxMessageSizeInKilobytes>256</MaxMessageSizeInKilobytes></QueueDescription></content>"
                        + "</entry>");
        assertThat(answer.headers().firstValue("etag")).hasValue("639308413030000000");
    }

    @Test
    @DisplayName("HTTP checklist 20, 21: a name is unique among queues and topics together")
    void conflicts() {
        f.created("/orders", queue(""));
        assertThat(detail(f.create("/orders", queue("")), 409)).startsWith("SubCode=40900. Conflict.");
        assertThat(detail(f.create("/ORDERS", topic("")), 409)).startsWith("SubCode=40900. Conflict.");
        assertThat(detail(f.update("/orders", topic("")), 409)).startsWith("SubCode=40900. Conflict.");
        f.created("/events", topic(""));
        f.created("/events/subscriptions/red", subscription(""));
        assertThat(detail(f.create("/events/Subscriptions/RED", subscription("")), 409))
                .startsWith("The messaging entity 'first:Topic:events|red' already exists.");
        assertThat(detail(f.create("/events/subscriptions/red/rules/$default", rule("")), 409))
                .startsWith("The messaging entity 'first:Topic:events|red|$Default' already exists.");
    }

    @Test
    @DisplayName("HTTP checklist 22, 24: update returns 200 with the full description, delete 200 with length 0")
    void lifeCycle() {
        f.created("/orders", queue("<UserMetadata>old</UserMetadata>"));
        f.broker.nowMs.addAndGet(1_234);
        HttpResponse<String> updated = f.update("/orders", queue("<MaxDeliveryCount>3</MaxDeliveryCount>"));
        assertThat(updated.statusCode()).isEqualTo(200);
        assertThat(text(updated, "MaxDeliveryCount")).isEqualTo("3");
        assertThat(text(updated, "UserMetadata")).isNull();
        assertThat(text(updated, "CreatedAt")).isEqualTo("2026-11-21T07:01:43Z");
        assertThat(text(updated, "UpdatedAt")).isEqualTo("2026-11-21T07:01:44.234Z");
        assertThat(f.get("/orders").body()).isEqualTo(updated.body());
        HttpResponse<String> deleted = f.delete("/orders");
        assertThat(deleted.statusCode()).isEqualTo(200);
        assertThat(deleted.headers().firstValue("content-length")).hasValue("0");
        assertThat(detail(f.delete("/orders"), 404)).startsWith("No service is hosted");
    }

    @Test
    @DisplayName("HTTP checklist 23: a missing entity cannot be updated")
    void updateOfNothing() {
        assertThat(detail(f.update("/orders", queue("")), 404)).startsWith("SubCode=40400. Not Found.");
        assertThat(detail(f.update("/events/subscriptions/red", subscription("")), 404))
                .startsWith("Entity 'first:Topic:events|red' was not found.");
        assertThat(detail(f.create("/events/subscriptions/red", subscription("")), 404))
                .startsWith("SubCode=40400. ");
        f.created("/events", topic(""));
        assertThat(detail(f.update("/events/subscriptions/red", subscription("")), 404))
                .startsWith("Entity 'first:Topic:events|red' was not found.");
        f.created("/events/subscriptions/red", subscription(""));
        assertThat(detail(f.update("/events/subscriptions/red/rules/r", rule("")), 404))
                .startsWith("Entity 'first:Topic:events|red|r' was not found.");
    }

    @Test
    @DisplayName("HTTP 2.2: If-Match accepts the current ETag, and an old one gets 412; rules accept only *")
    void ifMatch() {
        f.created("/orders", queue(""));
        String tag = f.get("/orders").headers().firstValue("etag").orElseThrow();
        f.broker.nowMs.addAndGet(1_000);
        assertThat(updateIf("/orders", queue("<MaxDeliveryCount>4</MaxDeliveryCount>"), tag)
                        .statusCode())
                .isEqualTo(200);
        assertThat(detail(updateIf("/orders", queue(""), tag), 412)).startsWith("Entity 'orders' was changed");
        String now = f.get("/orders").headers().firstValue("etag").orElseThrow();
        assertThat(updateIf("/orders", queue(""), "\"1\", W/\"" + now + "\"").statusCode())
                .isEqualTo(200);
        assertThat(f.send("DELETE", "/orders", null, "Authorization", f.token, "If-Match", "1")
                        .statusCode())
                .isEqualTo(412);
        f.created("/events", topic(""));
        f.created("/events/subscriptions/red", subscription(""));
        assertThat(updateIf("/events/subscriptions/red/rules/$Default", rule(""), "1")
                        .statusCode())
                .isEqualTo(412);
    }

    private HttpResponse<String> updateIf(String path, String description, String tag) {
        return f.send("PUT", path, AdminFixture.entry(description), "Authorization", f.token, "If-Match", tag);
    }

    @Test
    @DisplayName("HTTP checklist 25: deleting a topic removes its subscriptions and rules")
    void deletesWithAllInIt() {
        f.created("/events", topic(""));
        f.created("/events/subscriptions/red", subscription(""));
        assertThat(f.delete("/events").statusCode()).isEqualTo(200);
        f.created("/events", topic(""));
        assertThat(f.get("/events/subscriptions/red").statusCode()).isEqualTo(404);
        assertThat(f.get("/events/subscriptions").body()).doesNotContain("<entry");
        for (String path :
                new String[] {"/events/subscriptions/red", "/events/subscriptions/red/rules/r", "/nothing"}) {
            assertThat(detail(f.delete(path), 404)).startsWith("No service is hosted");
        }
    }

    @Test
    @DisplayName("HTTP checklist 27: read-only and unknown elements in a PUT are ignored")
    void ignoresWhatCannotBeSet() {
        f.created("/orders", queue("<MaxDeliveryCount>7</MaxDeliveryCount>"));
        String before = f.get("/orders").body();
        HttpResponse<String> updated = f.update(
                "/orders",
                queue("<MaxDeliveryCount>7</MaxDeliveryCount><SizeInBytes>99</SizeInBytes>"
                        + "<MessageCount>12</MessageCount><IsAnonymousAccessible>true</IsAnonymousAccessible>"
                        + "<CreatedAt>2001-01-01T00:00:00Z</CreatedAt><UpdatedAt>2001-01-01T00:00:00Z</UpdatedAt>"
                        + "<AccessedAt>2001-01-01T00:00:00Z</AccessedAt>"
                        + "<CountDetails xmlns:d=\"http://schemas.microsoft.com/netservices/2011/06/servicebus\">"
                        + "<d:ActiveMessageCount>5</d:ActiveMessageCount></CountDetails>"
                        + "<EntityAvailabilityStatus>Limited</EntityAvailabilityStatus><SubscriptionCount>3"
                        + "</SubscriptionCount><Whatever><a/><a/></Whatever><SqlFilterCount>1</SqlFilterCount>"));
        assertThat(updated.statusCode()).isEqualTo(200);
        assertThat(f.get("/orders").body()).isEqualTo(before);
    }

    @Test
    @DisplayName(
            "HTTP checklist 29, 30: an update replaces the description; a subscription keeps an omitted time to live")
    void replaces() {
        f.created("/dest", queue(""));
        String url = "sb://127.0.0.1/dest";
        f.created(
                "/orders",
                queue("<ForwardTo>" + url + "</ForwardTo><UserMetadata>u</UserMetadata>"
                        + "<DefaultMessageTimeToLive>PT1H</DefaultMessageTimeToLive>"));
        HttpResponse<String> updated = f.update("/orders", queue("<ForwardTo/><LockDuration></LockDuration>"));
        assertThat(text(updated, "ForwardTo")).isNull();
        assertThat(text(updated, "UserMetadata")).isNull();
        assertThat(text(updated, "DefaultMessageTimeToLive")).isEqualTo("P10675199DT2H48M5.4775807S");
        f.created("/events", topic("<DefaultMessageTimeToLive>PT1H</DefaultMessageTimeToLive>"));
        f.created(
                "/events/subscriptions/red",
                subscription("<DefaultMessageTimeToLive>PT2H</DefaultMessageTimeToLive>"
                        + "<IsClientAffine>true</IsClientAffine><AutoDeleteOnIdle>P1D</AutoDeleteOnIdle>"));
        updated = f.update("/events/subscriptions/red", subscription("<MaxDeliveryCount>3</MaxDeliveryCount>"));
        assertThat(text(updated, "DefaultMessageTimeToLive")).isEqualTo("PT2H");
        assertThat(text(updated, "AutoDeleteOnIdle")).isEqualTo("P10675199DT2H48M5.4775807S");
        assertThat(text(updated, "IsClientAffine")).isEqualTo("true");
        assertThat(text(f.update("/events", topic("")), "DefaultMessageTimeToLive"))
                .isEqualTo("P10675199DT2H48M5.4775807S");
    }

    @Test
    @DisplayName("HTTP checklist 31: properties fixed at creation cannot be changed, and stay when omitted")
    void fixed() {
        String fixed = "<RequiresDuplicateDetection>true</RequiresDuplicateDetection>"
                + "<RequiresSession>true</RequiresSession><EnablePartitioning>True</EnablePartitioning>";
        f.created("/orders", queue(fixed));
        for (String element : new String[] {"RequiresDuplicateDetection", "RequiresSession", "EnablePartitioning"}) {
            assertThat(detail(f.update("/orders", queue("<" + element + ">0</" + element + ">")), 400))
                    .startsWith("SubCode=40000. ");
        }
        HttpResponse<String> updated = f.update("/orders", queue(""));
        assertThat(updated.statusCode()).isEqualTo(200);
        assertThat(text(updated, "RequiresSession")).isEqualTo("true");
        assertThat(text(updated, "RequiresDuplicateDetection")).isEqualTo("true");
        assertThat(text(updated, "EnablePartitioning")).isEqualTo("true");
        f.created(
                "/events",
                topic("<FilteringMessagesBeforePublishing>true</FilteringMessagesBeforePublishing>"
                        + "<EnableExpress>1</EnableExpress>"
                        + "<EnableSubscriptionPartitioning>true</EnableSubscriptionPartitioning>"));
        updated = f.update("/events", topic("<UserMetadata>u</UserMetadata>"));
        assertThat(text(updated, "EnableExpress")).isEqualTo("false"); // not fixed: an omitted property has its default
        assertThat(text(updated, "EnableSubscriptionPartitioning")).isEqualTo("true");
        assertThat(text(updated, "FilteringMessagesBeforePublishing")).isEqualTo("true");
        f.created("/events/subscriptions/s", subscription("<RequiresSession>true</RequiresSession>"));
        assertThat(detail(
                        f.update("/events/subscriptions/s", subscription("<RequiresSession>false</RequiresSession>")),
                        400))
                .startsWith("SubCode=40000. ");
        assertThat(text(f.update("/events/subscriptions/s", subscription("")), "RequiresSession"))
                .isEqualTo("true");
    }

    @Test
    @DisplayName("HTTP checklist 32, 33, 35, 36, 37: ranges")
    void ranges() {
        refused("<LockDuration>PT5M0.001S</LockDuration>");
        refused("<LockDuration>PT4S</LockDuration>");
        refused("<LockDuration>-PT10S</LockDuration>");
        refused("<LockDuration>00:01:00</LockDuration>");
        refused("<LockDuration>P1W</LockDuration>");
        refused("<MaxSizeInMegabytes>1500</MaxSizeInMegabytes>");
        refused("<MaxSizeInMegabytes>16384</MaxSizeInMegabytes>");
        refused("<MaxSizeInMegabytes>99999999999999999999</MaxSizeInMegabytes>");
        refused("<MaxDeliveryCount>0</MaxDeliveryCount>");
        refused("<MaxDeliveryCount>2147483648</MaxDeliveryCount>");
        refused("<MaxDeliveryCount>ten</MaxDeliveryCount>");
        refused("<UserMetadata>" + "x".repeat(1_025) + "</UserMetadata>");
        refused("<AutoDeleteOnIdle>PT4M59S</AutoDeleteOnIdle>");
        refused("<DefaultMessageTimeToLive>PT0S</DefaultMessageTimeToLive>");
        refused("<RequiresSession>yes</RequiresSession>");
        refused("<Status>Creating</Status>");
        refused("<LockDuration>PT1M</LockDuration><LockDuration>PT2M</LockDuration>");
        refused("<LockDuration><a>PT1M</a></LockDuration>");
        f.created(
                "/orders",
                queue("<LockDuration> PT300S\n</LockDuration><MaxDeliveryCount>2147483647</MaxDeliveryCount>"
                        + "<UserMetadata>" + "x".repeat(1_024) + "</UserMetadata><Status>ReceiveDisabled</Status>"));
        HttpResponse<String> answer = f.get("/orders");
        assertThat(text(answer, "LockDuration")).isEqualTo("PT5M");
        assertThat(text(answer, "MaxDeliveryCount")).isEqualTo("2147483647");
        assertThat(text(answer, "UserMetadata")).hasSize(1_024);
        assertThat(text(answer, "Status")).isEqualTo("ReceiveDisabled");
        assertThat(text(
                        f.update("/orders", queue("<MaxSizeInMegabytes>3072</MaxSizeInMegabytes>")),
                        "MaxSizeInMegabytes"))
                .isEqualTo("3072");
    }

    private void refused(String elements) {
        assertThat(detail(f.create("/orders", queue(elements)), 400)).startsWith("SubCode=40000. ");
        assertThat(f.broker.broker.namespace(null).entity("orders")).isNull();
    }

    @Test
    @DisplayName("HTTP checklist 34: responses have sixteen times the size of a partitioned entity, even after an echo")
    void partitionedSize() {
        String partitioned = "<EnablePartitioning>true</EnablePartitioning>";
        HttpResponse<String> answer = f.create("/orders", queue(partitioned));
        assertThat(text(answer, "MaxSizeInMegabytes")).isEqualTo("16384");
        answer = f.update("/orders", queue(partitioned + "<MaxSizeInMegabytes>16384</MaxSizeInMegabytes>"));
        assertThat(text(answer, "MaxSizeInMegabytes")).isEqualTo("16384");
        answer = f.update("/orders", queue("<MaxSizeInMegabytes>3072</MaxSizeInMegabytes>"));
        assertThat(text(answer, "MaxSizeInMegabytes")).isEqualTo("49152");
        answer = f.update("/orders", queue("<MaxSizeInMegabytes>81920</MaxSizeInMegabytes>"));
        assertThat(text(answer, "MaxSizeInMegabytes")).isEqualTo("81920");
        assertThat(detail(f.update("/orders", queue("<MaxSizeInMegabytes>16385</MaxSizeInMegabytes>")), 400))
                .startsWith("SubCode=40000. ");
        answer = f.create("/events", topic(partitioned + "<MaxSizeInMegabytes>5120</MaxSizeInMegabytes>"));
        assertThat(text(answer, "MaxSizeInMegabytes")).isEqualTo("81920");
    }

    @Test
    @DisplayName("PART-16: requests older than api-version 2013-10 are refused on partitioned entities")
    void oldVersions() {
        f.created("/orders", queue("<EnablePartitioning>true</EnablePartitioning>"));
        f.created("/plain", queue(""));
        assertThat(detail(f.get("/orders?api-version=2012-03"), 400)).startsWith("SubCode=40000. ");
        assertThat(f.get("/orders?api-version=2013-10").statusCode()).isEqualTo(200);
        assertThat(f.get("/plain?api-version=2012-03").statusCode()).isEqualTo(200);
        f.created("/events", topic("<EnablePartitioning>true</EnablePartitioning>"));
        f.created("/events/subscriptions/s", subscription(""));
        for (String part : new String[] {"/subscriptions/s", "/subscriptions", "/subscriptions/s/rules/$Default"}) {
            assertThat(f.get("/events" + part + "?api-version=2012-03").statusCode())
                    .isEqualTo(400);
            assertThat(f.get("/events" + part + "?api-version=2013-10").statusCode())
                    .isEqualTo(200);
        }
        String old = "?api-version=2012-03";
        assertThat(f.send("DELETE", "/orders" + old, null, "Authorization", f.token)
                        .statusCode())
                .isEqualTo(400);
        assertThat(f.send(
                                "PUT",
                                "/more" + old,
                                AdminFixture.entry(queue("<EnablePartitioning>true</EnablePartitioning>")),
                                "Authorization",
                                f.token)
                        .statusCode())
                .isEqualTo(400);
        assertThat(f.broker.broker.namespace(null).entity("more")).isNull();
    }

    @Test
    @DisplayName("HTTP checklist 36: metadata is returned with all its characters")
    void metadata() {
        String escaped = "&lt;a b=&quot;c&quot;&gt; &amp;amp; \ud83d\ude00 &#xD;&#10;\tz]]&gt; &#x10FFFF; \u00e9";
        HttpResponse<String> answer = f.create("/orders", queue("<UserMetadata>" + escaped + "</UserMetadata>"));
        assertThat(text(answer, "UserMetadata"))
                .isEqualTo("<a b=\"c\"> &amp; \ud83d\ude00 \r\n\tz]]> \udbff\udfff \u00e9");
    }

    @Test
    @DisplayName("HTTP checklist 38: durations from the largest time span on are returned as MAX")
    void longestTime() {
        for (String text : new String[] {
            "P10675199DT2H48M5.477S",
            "P10675199DT2H48M5.477539S",
            "P10675199DT2H48M5.4775807S",
            "P106751991167300DT15H30M7S",
        }) {
            HttpResponse<String> answer = f.create(
                    "/orders",
                    queue("<DefaultMessageTimeToLive>" + text + "</DefaultMessageTimeToLive><AutoDeleteOnIdle>" + text
                            + "</AutoDeleteOnIdle>"));
            assertThat(text(answer, "DefaultMessageTimeToLive")).isEqualTo("P10675199DT2H48M5.4775807S");
            assertThat(text(answer, "AutoDeleteOnIdle")).isEqualTo("P10675199DT2H48M5.4775807S");
            f.delete("/orders");
        }
    }

    @Test
    @DisplayName("HTTP checklist 39: the largest message size is returned from api-version 2021-05 on; an echo of"
            + " the default is valid")
    void largestMessage() {
        f.created("/orders", queue("<MaxMessageSizeInKilobytes>256</MaxMessageSizeInKilobytes>"));
        f.created("/events", topic("<MaxMessageSizeInKilobytes>256</MaxMessageSizeInKilobytes>"));
        refusedSize("1023");
        refusedSize("2048");
        for (String path : new String[] {"/orders", "/events"}) {
            assertThat(text(f.get(path), "MaxMessageSizeInKilobytes")).isEqualTo("256");
            assertThat(text(f.get(path + "?api-version=2017-04"), "MaxMessageSizeInKilobytes"))
                    .isNull();
            assertThat(text(f.get(path + "?x=y"), "MaxMessageSizeInKilobytes")).isNull();
        }
    }

    private void refusedSize(String kilobytes) {
        String element = "<MaxMessageSizeInKilobytes>" + kilobytes + "</MaxMessageSizeInKilobytes>";
        assertThat(detail(f.create("/large", queue(element)), 400))
                .startsWith("SubCode=40000. The property value for 'MaxMessageSizeInKilobytes' must be between 256 and"
                        + " 256 when the namespace is using 'Standard' tier.");
    }

    @Test
    @DisplayName("HTTP 2.10: the refusal of a size lists the sizes like the service")
    void sizesAreNamed() {
        assertThat(detail(f.create("/large", queue("<MaxSizeInMegabytes>1500</MaxSizeInMegabytes>")), 400))
                .startsWith("SubCode=40000. The specified value 1500 is invalid. The property 'MaxSizeInMegabytes' must"
                        + " be one of the following values: 1024;2048;3072;4096;5120.");
    }

    @Test
    @DisplayName("HTTP 2.7: EnableExpress is changed by an update, in both directions")
    void express() {
        f.created("/orders", queue(""));
        f.created("/events", topic(""));
        for (String value : new String[] {"true", "false"}) {
            String element = "<EnableExpress>" + value + "</EnableExpress>";
            assertThat(text(f.update("/orders", queue(element)), "EnableExpress"))
                    .isEqualTo(value);
            assertThat(text(f.update("/events", topic(element)), "EnableExpress"))
                    .isEqualTo(value);
            assertThat(text(f.get("/orders"), "EnableExpress")).isEqualTo(value);
        }
        f.created("/once", queue("<RequiresDuplicateDetection>true</RequiresDuplicateDetection>"));
        assertThat(detail(
                        f.update(
                                "/once",
                                queue("<RequiresDuplicateDetection>true</RequiresDuplicateDetection>"
                                        + "<EnableExpress>true</EnableExpress>")),
                        400))
                .startsWith("SubCode=40000. Both DelayedPersistence");
    }

    @Test
    @DisplayName("HTTP 5.2: a time to live above the largest time span is refused")
    void timeToLiveTooLong() {
        for (String text : new String[] {"P10675199DT2H48M5.4775808S", "P10675199DT2H48M6S", "P40000Y"}) {
            String element = "<DefaultMessageTimeToLive>" + text + "</DefaultMessageTimeToLive>";
            assertThat(detail(f.create("/orders", queue(element)), 400))
                    .startsWith("SubCode=40000. Expected DefaultMessageTimeToLive to be a duration of at most"
                            + " P10675199DT2H48M5.4775807S, but got '" + text);
            assertThat(f.create("/events", topic(element)).statusCode()).isEqualTo(400);
        }
    }

    @Test
    @DisplayName("HTTP 5.1: a backslash is a slash in entity paths")
    void backslashes() {
        f.created("/area%5Corders", queue(""));
        assertThat(text(f.get("/area/orders"), "title")).isEqualTo("area/orders");
        assertThat(f.create("/area%2Forders", queue("")).statusCode()).isEqualTo(409);
        f.created("/area/events", topic(""));
        f.created("/area%5Cevents%5Csubscriptions%5Cred", subscription(""));
        assertThat(f.get("/area/events/subscriptions/red").statusCode()).isEqualTo(200);
        assertThat(f.delete("/area%5Corders").statusCode()).isEqualTo(200);
        assertThat(f.get("/area/orders").body()).contains("Publicly Listed Services");
    }

    @Test
    @DisplayName(
            "HTTP 2.10, 5.1: a name with a dollar sign cannot be created, and the error for a missing rule names it")
    void reservedNames() {
        for (String path : new String[] {"/$x", "/$x/y", "/$Resources/other"}) {
            assertThat(detail(f.create(path, queue("")), 400)).startsWith("SubCode=40000. 'URI_PATH' contains");
        }
        f.created("/events", topic(""));
        f.created("/events/subscriptions/red", subscription(""));
        assertThat(detail(f.delete("/events/subscriptions/red/rules/missing"), 404))
                .startsWith("No service is hosted")
                .contains("events|red|missing");
    }

    @Test
    @DisplayName("HTTP 2.10: characters outside the basic plane are returned unchanged and never split")
    void supplementaryCharacters() {
        String letter = "\ud835\udcb3"; // a letter, which names may contain
        String escaped = "%F0%9D%92%B3";
        f.created("/q" + escaped, queue(""));
        assertThat(detail(f.create("/q" + escaped, queue("")), 409)).contains(":q" + letter + "'");
        assertThat(detail(f.update("/missing" + escaped, queue("")), 404)).contains("missing" + letter);
        assertThat(detail(f.update("/missing%EF%BC%A1", queue("")), 404)).contains("missing\uff21");
        for (int length : new int[] {63, 64, 299, 300}) {
            String detail = detail(f.create("/" + "a".repeat(length) + escaped + "%3F", queue("")), 400);
            assertThat(detail)
                    .doesNotContain("?TrackingId")
                    .matches("[^\ud835\udcb3]*(" + letter + "[^\ud835\udcb3]*)*");
        }
        assertThat(detail(f.create("/o", queue("<LockDuration>" + letter + "</LockDuration>")), 400))
                .contains("'" + letter + "'");
    }

    @Test
    @DisplayName("HTTP checklist 40: invalid names are refused with an error document")
    void names() {
        f.created("/" + "n".repeat(260), queue(""));
        f.created("/_error", queue(""));
        for (String path : new String[] {
            "/" + "n".repeat(261),
            "/a%20b",
            "/a%3Fb",
            "//a",
            "/a//b",
            "/a%2F%2Fb",
            "/a%5C%5Cb",
            "/a%00b",
            "/%24a",
            "/a.",
        }) {
            assertThat(f.create(path, queue("")).statusCode()).as(path).isIn(400, 404);
        }
        f.created("/events", topic(""));
        f.created("/events/subscriptions/" + "s".repeat(50), subscription(""));
        for (String name : new String[] {"s".repeat(51), "a%20b", "$s"}) {
            assertThat(detail(f.create("/events/subscriptions/" + name, subscription("")), 400))
                    .startsWith("SubCode=40000. ");
        }
    }

    @Test
    @DisplayName("HTTP 2.4: a description of another kind than the path is refused")
    void otherDescriptions() {
        f.created("/events", topic(""));
        for (String[] wrong : new String[][] {
            {"/orders", subscription("")},
            {"/orders", rule("")},
            {"/events/subscriptions/red", queue("")},
            {"/events/subscriptions/red/rules/r", subscription("")},
        }) {
            assertThat(detail(f.create(wrong[0], wrong[1]), 400)).startsWith("SubCode=40000. Bad Request.");
        }
    }
}
