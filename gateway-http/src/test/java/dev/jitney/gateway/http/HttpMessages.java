package dev.jitney.gateway.http;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.CompletableFuture;

/** A client for messages over HTTP, with the token of the root rule by default. */
final class HttpMessages {
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final String origin;

    HttpMessages(int port) {
        this.origin = "http://localhost:" + port;
    }

    HttpRequest.Builder to(String path) {
        URI uri = URI.create(path.startsWith("http") ? path : origin + path);
        return HttpRequest.newBuilder(uri).header("Authorization", TestBroker.token());
    }

    HttpResponse<String> call(HttpRequest.Builder request) throws IOException, InterruptedException {
        return client.send(request.build(), BodyHandlers.ofString());
    }

    CompletableFuture<HttpResponse<String>> start(HttpRequest.Builder request) {
        return client.sendAsync(request.build(), BodyHandlers.ofString());
    }

    /** Sends a message; headers are names and values in turn. */
    HttpResponse<String> send(String entity, String body, String... headers) throws IOException, InterruptedException {
        HttpRequest.Builder request = to("/" + entity + "/messages").POST(BodyPublishers.ofString(body));
        return call(headers.length == 0 ? request : request.headers(headers));
    }

    HttpResponse<String> batch(String entity, String json) throws IOException, InterruptedException {
        return send(entity, json, "Content-Type", "application/vnd.microsoft.servicebus.json");
    }

    HttpResponse<String> lock(String entity, int seconds) throws IOException, InterruptedException {
        return call(lockRequest(entity, seconds));
    }

    HttpRequest.Builder lockRequest(String entity, int seconds) {
        return to("/" + entity + "/messages/head?timeout=" + seconds).POST(BodyPublishers.noBody());
    }

    HttpResponse<String> remove(String entity, int seconds) throws IOException, InterruptedException {
        return call(to("/" + entity + "/messages/head?timeout=" + seconds).DELETE());
    }

    HttpResponse<String> delete(String location) throws IOException, InterruptedException {
        return call(to(location).DELETE());
    }

    HttpResponse<String> unlock(String location) throws IOException, InterruptedException {
        return call(to(location).PUT(BodyPublishers.noBody()));
    }

    HttpResponse<String> renew(String location) throws IOException, InterruptedException {
        return call(to(location).POST(BodyPublishers.noBody()));
    }
}
