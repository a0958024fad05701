package dev.jitney.gateway.amqp.message;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.model.ErrorCode;
import dev.jitney.model.Rejection;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ErrorTextTest {
    private final ErrorText texts = new ErrorText("ns", () -> 1_700_000_000_123L);

    @ParameterizedTest
    @EnumSource
    @DisplayName("Every error has a text with a tracking id, the system and the time of the broker's clock (GEN-1)")
    void describesEveryError(ErrorCode code) {
        assertThat(texts.describe(Rejection.of(code), "orders"))
                .matches(".{10,} TrackingId:[0-9a-f-]{36}, SystemTracker:ns:Queue:orders,"
                        + " Timestamp:2023-11-14T22:13:20Z");
        assertThat(texts.describe(new Rejection(code, " "), "")).matches(".{10,} TrackingId:.*Tracker:ns, Time.*");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "The messaging entity could not be found.",
                "The messaging entity 'sb://ns/orders' could not be found.",
                "No such queue."
            })
    @DisplayName("A missing entity has the phrase that two clients match (wire 9.2)")
    void saysThatEntitiesAreMissing(String description) {
        assertThat(texts.describe(new Rejection(ErrorCode.ENTITY_NOT_FOUND, description), "orders"))
                .containsPattern("^The messaging entity '.*orders' could not be found\\.");
    }

    @Test
    @DisplayName("The system tracker names queues, topics and subscriptions as Service Bus does (GEN-1)")
    void tracksEveryKind() {
        ErrorText knowing = new ErrorText("ns", "news"::equals, "c1", () -> 0);
        Rejection any = Rejection.of(ErrorCode.ARGUMENT);
        assertThat(knowing.describe(any, "orders")).contains("SystemTracker:ns:Queue:orders,");
        assertThat(knowing.describe(any, "news")).contains("SystemTracker:ns:Topic:news,");
        assertThat(knowing.describe(any, "news/Subscriptions/all")).contains("SystemTracker:ns:Topic:news|all,");
    }
}
