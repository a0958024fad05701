package dev.jitney.gateway.http.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.gateway.http.HttpGateway;
import dev.jitney.gateway.http.HttpGatewayOptions;
import dev.jitney.gateway.http.RecordingTunnels;
import dev.jitney.gateway.http.TestBroker;
import dev.jitney.gateway.http.console.ConsoleAccess;
import dev.jitney.gateway.http.exchange.AmqpPorts;
import dev.jitney.gateway.http.operator.backup.BackupService;
import dev.jitney.gateway.http.operator.privacy.BodyPrivacy;
import dev.jitney.gateway.http.testmode.TestServer;
import dev.jitney.model.AccessRule;
import dev.jitney.runtime.Namespace;
import dev.jitney.runtime.client.ClientAdmission;
import dev.jitney.runtime.client.ConnectedClients;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A gateway in front of a broker with the queue {@code shop/orders}. */
abstract class OperatorScenario {
    final TestBroker broker = new TestBroker();
    private final HttpClient client = HttpClient.newHttpClient();
    private HttpGateway gateway;

    /** Returns the clients of AMQP. */
    ConnectedClients clients() {
        return ConnectedClients.NONE;
    }

    /** Returns the values of bodies that are hidden. */
    BodyPrivacy privacy() {
        return BodyPrivacy.OFF;
    }

    /** Returns the rules by which clients are admitted. */
    ClientAdmission admission() {
        return ClientAdmission.open();
    }

    /** Adds an access rule of the namespace. */
    final void addRule(AccessRule rule) throws Exception {
        Namespace namespace = broker.broker.namespaces().get(0);
        List<AccessRule> rules = new ArrayList<>(namespace.accessRules());
        rules.add(rule);
        namespace.setAccessRules(rules).toCompletableFuture().get(30, TimeUnit.SECONDS);
    }

    final int port() {
        return gateway.httpPort();
    }

    @BeforeEach
    void open() throws Exception {
        openGateway();
        broker.create("shop/orders");
    }

    /** Ends the gateway and all jobs at once, and opens another one on the same broker. */
    final void reopenGateway() throws Exception {
        gateway.close();
        openGateway();
    }

    /** Returns the ports for AMQP, which a test may replace. */
    AmqpPorts amqpPorts() {
        return AmqpPorts.SAME;
    }

    private void openGateway() throws Exception {
        gateway = HttpGateway.start(
                new HttpGatewayOptions(
                        "127.0.0.1",
                        0,
                        null,
                        null,
                        null,
                        false,
                        "unknown",
                        clients(),
                        ConsoleAccess.OFF,
                        privacy(),
                        amqpPorts(),
                        TestServer.NONE,
                        admission(),
                        BackupService.NONE),
                broker.broker,
                broker.broker::trouble,
                new RecordingTunnels());
    }

    @AfterEach
    void close() {
        gateway.close();
        broker.close();
    }

    /**
     * Sends a request.
     *
     * @param token null for none
     * @param headers names and values in turn
     */
    final HttpResponse<String> send(String method, String target, String body, String token, String... headers)
            throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + gateway.httpPort() + target))
                .method(method, BodyPublishers.ofString(body));
        if (token != null) {
            request.header("Authorization", token);
        }
        for (int i = 0; i + 1 < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        return client.send(request.build(), BodyHandlers.ofString());
    }

    /** Sends a message to the queue. */
    final void message(String body, String... headers) throws Exception {
        assertThat(send("POST", "/shop/orders/messages", body, TestBroker.token(), headers)
                        .statusCode())
                .isEqualTo(201);
    }
}
