package dev.jitney.crash.greedy;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A receive over HTTP of a client that does nothing else. It must not be refused during an attack (QUOTA-8). */
final class OtherReceive {
    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private OtherReceive() {}

    /** Waits for a message, and sends it. */
    static void receive(AttackedServer arena) throws Exception {
        CompletableFuture<HttpResponse<String>> received =
                HTTP.sendAsync(to(arena, "/messages/head?timeout=30").DELETE().build(), BodyHandlers.ofString());
        HttpResponse<String> sent = HTTP.send(
                to(arena, "/messages").POST(BodyPublishers.ofString("other")).build(), BodyHandlers.ofString());
        assertThat(sent.statusCode()).as("the send: " + sent.body()).isEqualTo(201);
        HttpResponse<String> answer = received.get(Verdict.SLOWEST_MS, TimeUnit.MILLISECONDS);
        assertThat(answer.statusCode()).as("the receive: " + answer.body()).isEqualTo(200);
    }

    private static HttpRequest.Builder to(AttackedServer arena, String path) {
        return HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + arena.httpPort() + "/" + AttackedServer.NEW + path))
                .header("Authorization", arena.administration().authorization());
    }
}
