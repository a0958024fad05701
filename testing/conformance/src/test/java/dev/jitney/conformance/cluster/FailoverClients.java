package dev.jitney.conformance.cluster;

import com.azure.core.amqp.AmqpTransportType;
import com.azure.core.http.netty.NettyAsyncHttpClientBuilder;
import com.azure.core.http.policy.HttpPipelinePolicy;
import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.administration.ServiceBusAdministrationClient;
import com.azure.messaging.servicebus.administration.ServiceBusAdministrationClientBuilder;
import dev.jitney.conformance.support.Sdk;
import dev.jitney.conformance.support.TestBroker;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.net.URL;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLException;
import reactor.netty.http.client.HttpClient;

/** Creates Java clients with default options that connect to one node. Thread-safe. */
final class FailoverClients {
    private static final AtomicInteger NAMES = new AtomicInteger();
    private static final String KEY =
            ";SharedAccessKeyName=" + TestBroker.RULE + ";SharedAccessKey=" + TestBroker.KEY + ";";

    private final Way way;
    private final int port;
    private final Path caFile;

    /** @param caFile the authority of the cluster, for the administration client */
    FailoverClients(Way way, int port, Path caFile) {
        this.way = way;
        this.port = port;
        this.caFile = caFile;
    }

    /** Returns the name of an entity that does not exist yet. */
    static String name() {
        return "failover-" + NAMES.incrementAndGet();
    }

    static ServiceBusMessage message(String id) {
        return new ServiceBusMessage(id).setMessageId(id);
    }

    /** Returns clients with one connection of their own. */
    Sdk sdk() {
        ServiceBusClientBuilder builder = new ServiceBusClientBuilder();
        String endpoint = "Endpoint=sb://localhost:" + port + KEY;
        return new Sdk(
                switch (way) {
                    case PLAIN -> builder.connectionString(endpoint + "UseDevelopmentEmulator=true;");
                    case TLS -> builder.connectionString(endpoint).customEndpointAddress("https://localhost:" + port);
                    case WEB_SOCKET ->
                        builder.connectionString(endpoint)
                                .transportType(AmqpTransportType.AMQP_WEB_SOCKETS)
                                .customEndpointAddress("https://localhost:" + port);
                });
    }

    /** Returns an administration client. Only its port and its trust are set in code, because the SDK has no option for them. */
    ServiceBusAdministrationClient administration() {
        String scheme = way == Way.PLAIN ? "http" : "https";
        HttpPipelinePolicy toPort = (context, next) -> {
            URL url = context.getHttpRequest().getUrl();
            context.getHttpRequest().setUrl(scheme + "://localhost:" + port + url.getFile());
            return next.process();
        };
        return new ServiceBusAdministrationClientBuilder()
                .connectionString("Endpoint=sb://localhost" + KEY)
                .httpClient(trusting())
                .addPolicy(toPort)
                .buildClient();
    }

    private com.azure.core.http.HttpClient trusting() {
        try {
            SslContext context =
                    SslContextBuilder.forClient().trustManager(caFile.toFile()).build();
            return new NettyAsyncHttpClientBuilder(HttpClient.create().secure(spec -> spec.sslContext(context)))
                    .build();
        } catch (SSLException e) {
            throw new IllegalStateException(e);
        }
    }
}
