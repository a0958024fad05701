package dev.jitney.gateway.http.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The sample exchanges of the reference, byte for byte but for host, namespace and times (HTTP reference 8). */
class SamplesTest {
    private static final String C = AdminFixture.CONNECT;
    private static final String I = AdminFixture.INSTANCE;
    private static final String NEVER = "P10675199DT2H48M5.4775807S";

    private final AdminFixture f = new AdminFixture();

    @AfterEach
    void stop() {
        f.close();
    }

    private HttpResponse<String> put(String path, String body) {
        return f.send(
                "PUT",
                path + "?api-version=2021-05",
                body.replace("{C}", C).replace("{I}", I),
                "Authorization",
                f.token,
                "Content-Type",
                "application/atom+xml");
    }

    /** Returns the response in the format of the reference. */
    private String seen(HttpResponse<String> answer) {
        return answer.body()
                .replace(f.origin(), "https://ns.example")
                .replace("<name>first</name>", "<name>ns</name>")
                .replace("<Name>first</Name>", "<Name>ns</Name>")
                .replace("<title type=\"text\">first</title>", "<title type=\"text\">ns</title>")
                .replace(C, "{C}")
                .replace(I, "{I}");
    }

    @Test
    @DisplayName("HTTP 8: create queue")
    void createQueue() {
        f.broker.nowMs.set(Instant.parse("2026-11-22T10:00:00.123Z").toEpochMilli());
        HttpResponse<String> answer = put(
                "/orders",
                "<?xml version=\"1.0\" encoding=\"UTF-8\"?><entry xmlns=\"http://www.w3.org/2005/Atom\"><content type=\"application/xml\"><QueueDescription xmlns=\"{C}\"><LockDuration>PT30S</LockDuration><MaxSizeInMegabytes>1024</MaxSizeInMegabytes><RequiresSession>true</RequiresSession><DefaultMessageTimeToLive>P10675199DT2H48M5.477S</DefaultMessageTimeToLive><MaxDeliveryCount>5</MaxDeliveryCount></QueueDescription></content></entry>");
        assertThat(answer.statusCode()).isEqualTo(201);
        assertThat(answer.headers().firstValue("content-type"))
                .hasValue("application/atom+xml; type=entry; charset=utf-8");
        assertThat(seen(answer))
                .isEqualTo(
                        "<entry xmlns=\"http://www.w3.org/2005/Atom\"><id>https://ns.example/orders?api-version=2021-05</id><title type=\"text\">orders</title><published>2026-11-22T10:00:00Z</published><updated>2026-11-22T10:00:00Z</updated><author><name>ns</name></author><link rel=\"self\" href=\"https://ns.example/orders?api-version=2021-05\"/><content type=\"application/xml\"><QueueDescription xmlns=\"{C}\" xmlns:i=\"{I}\"><LockDuration>PT30S</LockDuration><MaxSizeInMegabytes>1024</MaxSizeInMegabytes><RequiresDuplicateDetection>false</RequiresDuplicateDetection><RequiresSession>true</RequiresSession><DefaultMessageTimeToLive>P10675199DT2H48M5.4775807S</DefaultMessageTimeToLive><DeadLetteringOnMessageExpiration>false</DeadLetteringOnMessageExpiration><DuplicateDetectionHistoryTimeWindow>PT10M</DuplicateDetectionHistoryTimeWindow><MaxDeliveryCount>5</MaxDeliveryCount><EnableBatchedOperations>true</EnableBatchedOperations><SizeInBytes>0</SizeInBytes><MessageCount>0</MessageCount><IsAnonymousAccessible>false</IsAnonymousAccessible><AuthorizationRules></AuthorizationRules><Status>Active</Status><CreatedAt>2026-11-22T10:00:00.123Z</CreatedAt><UpdatedAt>2026-11-22T10:00:00.123Z</UpdatedAt><AccessedAt>0001-01-01T00:00:00Z</AccessedAt><SupportOrdering>true</SupportOrdering><CountDetails xmlns:d2p1=\"http://schemas.microsoft.com/netservices/2011/06/servicebus\"><d2p1:ActiveMessageCount>0</d2p1:ActiveMessageCount><d2p1:DeadLetterMessageCount>0</d2p1:DeadLetterMessageCount><d2p1:ScheduledMessageCount>0</d2p1:ScheduledMessageCount><d2p1:TransferMessageCount>0</d2p1:TransferMessageCount><d2p1:TransferDeadLetterMessageCount>0</d2p1:TransferDeadLetterMessageCount></CountDetails><AutoDeleteOnIdle>P10675199DT2H48M5.4775807S</AutoDeleteOnIdle><EnablePartitioning>false</EnablePartitioning><EntityAvailabilityStatus>Available</EntityAvailabilityStatus><EnableExpress>false</EnableExpress><MaxMessageSizeInKilobytes>256</MaxMessageSizeInKilobytes></QueueDescription></content></entry>");
    }

    @Test
    @DisplayName("HTTP 8: create subscription with its first rule, and the response with the rule")
    void createSubscription() {
        f.created("/events", AdminFixture.topic(""));
        f.created("/orders", AdminFixture.queue(""));
        f.broker.nowMs.set(Instant.parse("2026-11-22T10:00:01.5Z").toEpochMilli());
        HttpResponse<String> answer = put(
                "/events/Subscriptions/red",
                "<entry xmlns=\"http://www.w3.org/2005/Atom\"><content type=\"application/xml\"><SubscriptionDescription xmlns=\"{C}\" xmlns:i=\"{I}\"><LockDuration>PT1M</LockDuration><DefaultRuleDescription><Filter i:type=\"SqlFilter\"><SqlExpression>colour = @c</SqlExpression><Parameters><KeyValueOfstringanyType><Key>@c</Key><Value i:type=\"d6p1:string\" xmlns:d6p1=\"http://www.w3.org/2001/XMLSchema\">red</Value></KeyValueOfstringanyType></Parameters></Filter><Name>red-only</Name></DefaultRuleDescription><ForwardTo>sb://ns.example/orders</ForwardTo></SubscriptionDescription></content></entry>");
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
        assertThat(seen(answer))
                .endsWith("<content type=\"application/xml\"><SubscriptionDescription xmlns=\"{C}\" xmlns:i=\"{I}\">"
                        + "<LockDuration>PT1M</LockDuration><RequiresSession>false</RequiresSession>"
                        + "<DefaultMessageTimeToLive>" + NEVER + "</DefaultMessageTimeToLive>"
                        + "<DeadLetteringOnMessageExpiration>false</DeadLetteringOnMessageExpiration>"
                        + "<DeadLetteringOnFilterEvaluationExceptions>true</DeadLetteringOnFilterEvaluationExceptions>"
                        + "<MessageCount>0</MessageCount><MaxDeliveryCount>10</MaxDeliveryCount>"
                        + "<EnableBatchedOperations>true</EnableBatchedOperations><Status>Active</Status>"
                        + "<ForwardTo>sb://ns.example/orders</ForwardTo><CreatedAt>2026-11-22T10:00:01.5Z</CreatedAt>"
                        + "<UpdatedAt>2026-11-22T10:00:01.5Z</UpdatedAt><AccessedAt>0001-01-01T00:00:00Z</AccessedAt>"
                        + "<CountDetails xmlns:d2p1=\"http://schemas.microsoft.com/netservices/2011/06/servicebus\">"
                        + "<d2p1:ActiveMessageCount>0</d2p1:ActiveMessageCount><d2p1:DeadLetterMessageCount>0"
                        + "</d2p1:DeadLetterMessageCount><d2p1:ScheduledMessageCount>0</d2p1:ScheduledMessageCount>"
                        + "<d2p1:TransferMessageCount>0</d2p1:TransferMessageCount><d2p1:TransferDeadLetterMessageCount>"
                        + "0</d2p1:TransferDeadLetterMessageCount></CountDetails><AutoDeleteOnIdle>" + NEVER
                        + "</AutoDeleteOnIdle><EntityAvailabilityStatus>Available</EntityAvailabilityStatus>"
                        + "<IsClientAffine>false</IsClientAffine></SubscriptionDescription></content></entry>");
        assertThat(seen(f.get("/events/Subscriptions/red/Rules/red-only?api-version=2021-05")))
                .isEqualTo(
                        "<entry xmlns=\"http://www.w3.org/2005/Atom\"><id>https://ns.example/events/Subscriptions/red/Rules/red-only?api-version=2021-05</id><title type=\"text\">red-only</title><published>2026-11-22T10:00:01Z</published><updated>2026-11-22T10:00:01Z</updated><link rel=\"self\" href=\"https://ns.example/events/Subscriptions/red/Rules/red-only?api-version=2021-05\"/><content type=\"application/xml\"><RuleDescription xmlns=\"{C}\" xmlns:i=\"{I}\"><Filter i:type=\"SqlFilter\"><SqlExpression>colour = @c</SqlExpression><CompatibilityLevel>20</CompatibilityLevel><Parameters><KeyValueOfstringanyType><Key>@c</Key><Value i:type=\"d6p1:string\" xmlns:d6p1=\"http://www.w3.org/2001/XMLSchema\">red</Value></KeyValueOfstringanyType></Parameters></Filter><Action i:type=\"EmptyRuleAction\"/><CreatedAt>2026-11-22T10:00:01.5Z</CreatedAt><Name>red-only</Name></RuleDescription></content></entry>");
    }

    @Test
    @DisplayName("HTTP 8: correlation rule request in the format of JavaScript")
    void correlationRule() {
        f.created("/events", AdminFixture.topic(""));
        f.created("/events/Subscriptions/red", AdminFixture.subscription(""));
        HttpResponse<String> answer = put(
                "/events/Subscriptions/red/Rules/inv",
                "<entry xmlns=\"http://www.w3.org/2005/Atom\"><content type=\"application/xml\"><RuleDescription xmlns=\"{C}\" xmlns:i=\"{I}\"><Filter p4:type=\"CorrelationFilter\" xmlns:p4=\"{I}\"><CorrelationId>c-1</CorrelationId><Label>invoice</Label><Properties><KeyValueOfstringanyType><Key>n</Key><Value p4:type=\"l28:double\" xmlns:l28=\"http://www.w3.org/2001/XMLSchema\">7</Value></KeyValueOfstringanyType></Properties></Filter><Action p4:type=\"EmptyRuleAction\" xmlns:p4=\"{I}\"/><Name>inv</Name></RuleDescription></content></entry>");
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
        assertThat(answer.body())
                .contains(
                        "<Filter i:type=\"CorrelationFilter\"><CorrelationId>c-1</CorrelationId><Label>invoice</Label>"
                                + "<Properties><KeyValueOfstringanyType><Key>n</Key><Value i:type=\"d6p1:double\""
                                + " xmlns:d6p1=\"http://www.w3.org/2001/XMLSchema\">7</Value></KeyValueOfstringanyType>"
                                + "</Properties></Filter><Action i:type=\"EmptyRuleAction\"/>");
    }

    @Test
    @DisplayName("HTTP 8, checklist 62: namespace info")
    void namespaceInfo() {
        f.broker.nowMs.set(Instant.parse("2026-11-22T10:00:00Z").toEpochMilli());
        assertThat(seen(f.get("/$namespaceinfo?api-version=2021-05")))
                .isEqualTo(
                        "<entry xmlns=\"http://www.w3.org/2005/Atom\"><id>https://ns.example/$namespaceinfo?api-version=2021-05</id><title type=\"text\">ns</title><updated>2026-11-22T10:00:00Z</updated><author><name>ns</name></author><link rel=\"self\" href=\"https://ns.example/$namespaceinfo?api-version=2021-05\"/><content type=\"application/xml\"><NamespaceInfo xmlns=\"{C}\" xmlns:i=\"{I}\"><CreatedTime>2026-11-21T07:01:43Z</CreatedTime><MessagingSKU>Standard</MessagingSKU><ModifiedTime>2026-11-21T07:01:43Z</ModifiedTime><Name>ns</Name><NamespaceType>Messaging</NamespaceType></NamespaceInfo></content></entry>");
    }
}
