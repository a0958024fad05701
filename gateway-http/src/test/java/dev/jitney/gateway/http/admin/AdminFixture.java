package dev.jitney.gateway.http.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.gateway.http.HttpGateway;
import dev.jitney.gateway.http.HttpGatewayOptions;
import dev.jitney.gateway.http.RecordingTunnels;
import dev.jitney.gateway.http.TestBroker;
import dev.jitney.runtime.Entity;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import javax.xml.parsers.DocumentBuilderFactory;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Document;

/** A gateway on a broker in memory, with a client for requests of any kind. */
final class AdminFixture implements AutoCloseable {
    static final String CONNECT = "http://schemas.microsoft.com/netservices/2010/10/servicebus/connect";
    static final String INSTANCE = "http://www.w3.org/2001/XMLSchema-instance";
    static final String VERSION = "?api-version=2021-05";

    final TestBroker broker;
    final HttpGateway gateway;
    final String token = TestBroker.token();
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    AdminFixture() {
        this(new TestBroker());
    }

    AdminFixture(TestBroker broker) {
        this.broker = broker;
        try {
            gateway = HttpGateway.start(
                    new HttpGatewayOptions("127.0.0.1", 0, null, null),
                    broker.broker,
                    () -> null,
                    new RecordingTunnels());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    String origin() {
        return "http://127.0.0.1:" + gateway.httpPort();
    }

    /** Sends a request; headers are names and values in turn. */
    HttpResponse<String> send(String method, String target, @Nullable String body, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(origin() + target))
                .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        try {
            return client.send(request.build(), BodyHandlers.ofString());
        } catch (IOException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    HttpResponse<String> get(String path) {
        return send("GET", path + (path.contains("?") ? "" : VERSION), null, "Authorization", token);
    }

    HttpResponse<String> create(String path, String description) {
        return send("PUT", path + VERSION, entry(description), "Authorization", token);
    }

    HttpResponse<String> update(String path, String description) {
        return send("PUT", path + VERSION, entry(description), "Authorization", token, "If-Match", "*");
    }

    HttpResponse<String> delete(String path) {
        return send("DELETE", path + VERSION, null, "Authorization", token);
    }

    /** Creates an entity, which must succeed. */
    void created(String path, String description) {
        HttpResponse<String> answer = create(path, description);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
    }

    Entity entity(String path) {
        return Objects.requireNonNull(broker.broker.namespace(null).entity(path));
    }

    static String entry(String description) {
        return "<entry xmlns=\"http://www.w3.org/2005/Atom\"><content type=\"application/xml\">" + description
                + "</content></entry>";
    }

    static String queue(String elements) {
        return description("QueueDescription", elements);
    }

    static String topic(String elements) {
        return description("TopicDescription", elements);
    }

    static String subscription(String elements) {
        return description("SubscriptionDescription", elements);
    }

    static String rule(String elements) {
        return description("RuleDescription", elements);
    }

    private static String description(String name, String elements) {
        return "<" + name + " xmlns=\"" + CONNECT + "\" xmlns:i=\"" + INSTANCE + "\">" + elements + "</" + name + ">";
    }

    /** Returns the text of the first element of that name, with any prefix; null if there is none. */
    static @Nullable String text(HttpResponse<String> answer, String element) {
        var nodes = xml(answer).getElementsByTagNameNS("*", element);
        return nodes.getLength() == 0 ? null : nodes.item(0).getTextContent();
    }

    static Document xml(HttpResponse<String> answer) {
        try {
            DocumentBuilderFactory factory = DocumentBuilderFactory.newDefaultNSInstance();
            return factory.newDocumentBuilder()
                    .parse(new ByteArrayInputStream(answer.body().getBytes(StandardCharsets.UTF_8)));
        } catch (Exception e) {
            throw new AssertionError("Expected XML, but got " + answer.body(), e);
        }
    }

    /** Checks an error document and returns its detail. */
    static String detail(HttpResponse<String> answer, int status) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        assertThat(answer.headers().firstValue("content-type")).hasValue("application/xml; charset=utf-8");
        assertThat(text(answer, "Code")).isEqualTo(Integer.toString(status));
        return String.valueOf(text(answer, "Detail"));
    }

    @Override
    public void close() {
        gateway.close();
        broker.close();
    }
}
