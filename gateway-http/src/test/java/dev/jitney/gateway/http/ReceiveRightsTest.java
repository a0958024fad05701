package dev.jitney.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.model.AccessRule;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Waiting receives while their access rules change (ENT-4). */
class ReceiveRightsTest extends MessagingScenario {
    private CompletableFuture<HttpResponse<String>> waitWith(String rule, String key) {
        String token = TestBroker.token("https://localhost", rule, key);
        return http.start(java.net.http.HttpRequest.newBuilder(
                        http.to("/orders/messages/head?timeout=55").build().uri())
                .header("Authorization", token)
                .DELETE());
    }

    private void rules(AccessRule... rules) throws Exception {
        broker.broker
                .namespace(null)
                .setAccessRules(List.of(rules))
                .toCompletableFuture()
                .get(30, TimeUnit.SECONDS);
    }

    @Test
    @DisplayName("ENT-4: a waiting receive ends when the rule of its token is removed; other rules do not end it")
    void waitingReceivesFollowTheirRule() throws Exception {
        CompletableFuture<HttpResponse<String>> root = waitWith(AccessRule.ROOT_NAME, TestBroker.KEY);
        CompletableFuture<HttpResponse<String>> listen = waitWith("listen", "second-key");
        await(() -> gateway.waitingReceives() == 2);
        rules(AccessRule.root(TestBroker.KEY));
        HttpResponse<String> refused = listen.get(30, TimeUnit.SECONDS);
        assertThat(refused.statusCode()).isEqualTo(401);
        assertThat(root).isNotDone();
        assertThat(http.call(http.to("/orders/messages").POST(BodyPublishers.ofString("m")))
                        .statusCode())
                .isEqualTo(201);
        assertThat(root.get(30, TimeUnit.SECONDS).body()).isEqualTo("m");
    }
}
