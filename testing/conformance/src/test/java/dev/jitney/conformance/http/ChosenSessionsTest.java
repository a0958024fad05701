package dev.jitney.conformance.http;

import static dev.jitney.conformance.support.Sdk.next;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.ServiceBusFailureReason;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import dev.jitney.conformance.support.Sdk;
import dev.jitney.conformance.support.SdkTest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The Java SDK and an operator who changes sessions")
class ChosenSessionsTest extends SdkTest {

    private static String done(HttpResponse<String> answer) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return answer.body();
    }

    private static ServiceBusReceiverClient accept(Sdk sdk, String queue, String session) {
        return sdk.keep(sdk.keep(sdk.builder()
                        .sessionReceiver()
                        .queueName(queue)
                        .maxAutoLockRenewDuration(Duration.ZERO)
                        .disableAutoComplete()
                        .buildClient())
                .acceptSession(session));
    }

    @Test
    @DisplayName(
            "a receiver whose session was unlocked loses it, and the next one gets its messages without the cleared state")
    void unlockedAndCleared() throws Exception {
        String queue = broker.queue(q -> q.requiresSession(true));
        sdk.send(queue, new ServiceBusMessage("a").setSessionId("trip/7"));
        ServiceBusReceiverClient holder = accept(sdk, queue, "trip/7");
        ServiceBusReceivedMessage locked = next(holder);
        holder.setSessionState("step 3".getBytes(StandardCharsets.UTF_8));
        HttpCalls operator = new HttpCalls(broker);

        assertThat(done(operator.look(queue + "/sessions")))
                .contains("\"sessionId\":\"trip/7\"", "\"messageCount\":1", "\"stateSizeInBytes\":6", "\"locked\":true")
                .containsPattern("\"holder\":\"link '[^']+' of container '[^']+'\"");
        assertThat(done(operator.look(queue + "/sessions/trip%2F7/state"))).contains("\"text\":\"step 3\"");
        done(operator.operate(queue + "/sessions/trip%2F7/unlock", ""));

        // First a request over the connection: its response comes after the detach. The SDK reports a settlement that
        // is
        // still unanswered when the detach arrives as GENERAL_ERROR.
        Sdk.assertFails(ServiceBusFailureReason.SESSION_LOCK_LOST, () -> holder.setSessionState(new byte[] {1}));
        Sdk.assertFails(ServiceBusFailureReason.SESSION_LOCK_LOST, () -> holder.complete(locked));
        assertThat(operator.delete("/$operator/v1/entities/" + queue + "/sessions/trip%2F7/state"))
                .isEqualTo(200);
        try (Sdk other = broker.sdk()) {
            ServiceBusReceiverClient second = accept(other, queue, "trip/7");
            assertThat(second.getSessionState()).isNull();
            ServiceBusReceivedMessage again = next(second);
            assertThat(again.getBody()).hasToString("a");
            assertThat(again.getDeliveryCount()).isEqualTo(1);
            second.complete(again);
        }
    }

    @Test
    @DisplayName("the resubmitted dead letters of a session come to its receiver in their order")
    void resubmittedInOrder() {
        String queue = broker.queue(q -> q.requiresSession(true));
        ServiceBusReceiverClient holder = accept(sdk, queue, "s");
        for (int i = 1; i <= 5; i++) {
            sdk.send(queue, new ServiceBusMessage("m" + i).setSessionId("s"));
            sdk.send(queue, new ServiceBusMessage("o" + i).setSessionId("other"));
            holder.deadLetter(next(holder));
        }

        assertThat(done(new HttpCalls(broker).operate(queue + "%2F$DeadLetterQueue/sessions/s/resubmit", "")))
                .contains("\"done\":5,\"refused\":0");

        for (int i = 1; i <= 5; i++) {
            ServiceBusReceivedMessage again = next(holder);
            assertThat(again.getBody()).hasToString("m" + i);
            holder.complete(again);
        }
    }
}
