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
    @DisplayName("HTTP checklist 20, 21: a name is taken once, by queues and topics together")
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
    @DisplayName("HTTP checklist 22, 24: update answers 200 with the full description, delete 200 with length 0")
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
}
