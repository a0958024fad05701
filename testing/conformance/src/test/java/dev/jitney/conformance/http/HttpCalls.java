package dev.jitney.conformance.http;

import dev.jitney.conformance.support.TestBroker;
import dev.jitney.testing.amqp.SasToken;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.CompletableFuture;

/** The requests of HTTP reference 3.1, as a client without an SDK sends them. */
final class HttpCalls {
    private static final long FAR_FUTURE_SECONDS = 4_000_000_000L;

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final String origin;
    private final String token;

    HttpCalls(TestBroker broker) {
        origin = "http://localhost:" + broker.httpPort();
        token = SasToken.create(origin, TestBroker.RULE, TestBroker.KEY, FAR_FUTURE_SECONDS);
    }

    /**
     * Sends a request.
     *
     * @param headers header names and values in turn
     */
    HttpResponse<String> send(String entity, String body, String... headers) {
        HttpRequest.Builder request = to("/" + entity + "/messages").POST(BodyPublishers.ofString(body));
        return call(headers.length == 0 ? request : request.headers(headers));
    }

    /** Sends a request with a body to the operator API. */
    HttpResponse<String> operate(String path, String body) {
        return call(to("/$operator/v1/entities/" + path).POST(BodyPublishers.ofString(body)));
    }

    /** Sends a request for reading to the operator API. */
    HttpResponse<String> observe(String path) {
        return call(to("/$operator/v1/entities/" + path).GET());
    }

    HttpResponse<String> lock(String entity, int seconds) {
        return call(to("/" + entity + "/messages/head?timeout=" + seconds).POST(BodyPublishers.noBody()));
    }

    HttpResponse<String> remove(String entity, int seconds) {
        return call(to("/" + entity + "/messages/head?timeout=" + seconds).DELETE());
    }

    CompletableFuture<HttpResponse<String>> startRemove(String entity, int seconds) {
        return client.sendAsync(
                to("/" + entity + "/messages/head?timeout=" + seconds).DELETE().build(), BodyHandlers.ofString());
    }

    int unlock(String location) {
        return call(to(location).PUT(BodyPublishers.noBody())).statusCode();
    }

    int renew(String location) {
        return call(to(location).POST(BodyPublishers.noBody())).statusCode();
    }

    int delete(String location) {
        return call(to(location).DELETE()).statusCode();
    }

    private HttpRequest.Builder to(String path) {
        return HttpRequest.newBuilder(URI.create(path.startsWith("http") ? path : origin + path))
                .header("Authorization", token);
    }

    private HttpResponse<String> call(HttpRequest.Builder request) {
        try {
            return client.send(request.build(), BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
