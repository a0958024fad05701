package dev.jitney.cli.connection;

import com.azure.core.amqp.AmqpRetryMode;
import com.azure.core.amqp.AmqpRetryOptions;
import com.azure.core.amqp.AmqpTransportType;
import com.azure.core.amqp.ProxyOptions;
import com.azure.core.amqp.implementation.ConnectionOptions;
import com.azure.core.amqp.models.CbsAuthorizationType;
import com.azure.core.credential.AzureSasCredential;
import com.azure.core.http.jdk.httpclient.JdkHttpClientBuilder;
import com.azure.core.http.policy.ExponentialBackoffOptions;
import com.azure.core.http.policy.RetryOptions;
import com.azure.core.util.ClientOptions;
import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.administration.ServiceBusAdministrationClient;
import com.azure.messaging.servicebus.administration.ServiceBusAdministrationClientBuilder;
import com.azure.messaging.servicebus.implementation.ServiceBusSharedKeyCredential;
import dev.jitney.cli.output.Console;
import java.net.URI;
import java.net.http.HttpClient;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import org.apache.qpid.proton.engine.SslDomain;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.scheduler.Schedulers;

/**
 * The SDK clients of one namespace, created on first use. Closing this object closes all clients that were {@link #keep kept},
 * the last one first. Not thread-safe.
 */
public final class NamespaceClients implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(NamespaceClients.class);
    private static final String LOCAL_HINT = "Start a server with: jitney server";
    private static final String CLOUD_HINT =
            "Check the Endpoint of the connection string, and that a firewall does not block outgoing connections.";
    private static final String SCOPE = "https://servicebus.azure.net/.default";
    private static final int HTTPS_PORT = 443;
    private static final int RETRIES = 2;
    private static final Duration TRY_TIMEOUT = Duration.ofSeconds(30);

    private final NamespaceAddress address;
    private final Supplier<URI> findAdminUrl;
    private final AmqpTransportType transport;
    private final Console console;
    private final Deque<AutoCloseable> kept = new ArrayDeque<>();
    private @Nullable URI adminUrl;
    private @Nullable ServiceBusAdministrationClient admin;
    private @Nullable ServiceBusClientBuilder messages;

    /** @param adminUrl supplies the URL for entity management; called once, on first use */
    NamespaceClients(NamespaceAddress address, Supplier<URI> adminUrl, AmqpTransportType transport, Console console) {
        this.address = address;
        this.findAdminUrl = adminUrl;
        this.transport = transport;
        this.console = console;
    }

    public Console console() {
        return console;
    }

    /** Returns the namespace without secrets. */
    public String namespace() {
        return address.host();
    }

    /** Returns the client for entity management. */
    public ServiceBusAdministrationClient admin() {
        if (admin == null) {
            ServiceBusAdministrationClientBuilder builder = new ServiceBusAdministrationClientBuilder()
                    .httpClient(reachableHttp())
                    .retryOptions(new RetryOptions(new ExponentialBackoffOptions()
                            .setMaxRetries(RETRIES)
                            .setBaseDelay(Duration.ofMillis(500))))
                    .addPolicy(new SubscriptionTimeToLivePolicy())
                    .addPolicy(new UnsaidPartitioningPolicy())
                    .addPolicy(new AdminUrlPolicy(adminUrl()));
            if (address.signature() != null) {
                builder.endpoint("https://" + address.host()).credential(new AzureSasCredential(address.signature()));
            } else {
                builder.connectionString(address.connectionString());
            }
            admin = builder.buildClient();
        }
        return admin;
    }

    /** Returns the client for Jitney's own HTTP API. */
    public ServerApi server() {
        return new ServerApi(reachableHttp(), adminUrl(), address, console.clock());
    }

    private URI adminUrl() {
        URI url = adminUrl;
        if (url == null) {
            url = findAdminUrl.get();
            adminUrl = url;
        }
        return url;
    }

    private com.azure.core.http.HttpClient reachableHttp() {
        URI url = adminUrl();
        boolean tls = url.getScheme().equals("https");
        int port = url.getPort() >= 0 ? url.getPort() : tls ? HTTPS_PORT : 80;
        Reachability.check(
                url.toString(),
                url.getHost(),
                port,
                tls,
                address.emulator()
                        ? LOCAL_HINT
                                + " (if HTTP is on a port that is neither 5300 nor in the connection string, use"
                                + " --admin-url)"
                        : CLOUD_HINT);
        return new JdkHttpClientBuilder(http(tls))
                .connectionTimeout(TRY_TIMEOUT)
                .build();
    }

    /** Returns an HTTP client builder. Loading the trusted certificates takes 100 ms, so plain HTTP skips it. */
    private static HttpClient.Builder http(boolean tls) {
        HttpClient.Builder builder = HttpClient.newBuilder();
        if (!tls) {
            try {
                SSLContext trustsNobody = SSLContext.getInstance("TLS");
                trustsNobody.init(null, new TrustManager[0], null);
                builder.sslContext(trustsNobody);
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException("TLS is a part of every Java", e);
            }
        }
        return builder;
    }

    /** Returns a builder of messaging clients. They share a connection. */
    public ServiceBusClientBuilder messages() {
        if (messages == null) {
            boolean webSockets = transport == AmqpTransportType.AMQP_WEB_SOCKETS;
            boolean tls = webSockets || !address.emulator();
            int port = webSockets ? webSocketPort() : address.amqpPort();
            Reachability.check(
                    (webSockets ? "wss://" : tls ? "amqps://" : "amqp://") + address.host() + ":" + port,
                    address.host(),
                    port,
                    tls,
                    address.emulator() || address.port() != null ? LOCAL_HINT : CLOUD_HINT);
            messages = new ServiceBusClientBuilder()
                    .connectionString(address.connectionString())
                    .transportType(transport)
                    .retryOptions(retry());
            if (webSockets ? port != HTTPS_PORT : !address.emulator() && address.port() != null) {
                messages.customEndpointAddress("https://" + address.host() + ":" + port);
            }
        }
        return messages;
    }

    /**
     * Returns the management node of an entity, for operations that {@link #messages} does not offer. It closes with this object.
     *
     * @param entityPath the entity or its sub-queue
     */
    public ManagementNode management(String entityPath) {
        messages(); // the server is reachable
        boolean webSockets = transport == AmqpTransportType.AMQP_WEB_SOCKETS;
        ServiceBusSharedKeyCredential credential = address.signature() != null
                ? new ServiceBusSharedKeyCredential(address.signature())
                : new ServiceBusSharedKeyCredential(String.valueOf(address.keyName()), String.valueOf(address.key()));
        return keep(new ManagementNode(
                new ConnectionOptions(
                        address.host(),
                        credential,
                        CbsAuthorizationType.SHARED_ACCESS_SIGNATURE,
                        SCOPE,
                        transport,
                        retry(),
                        ProxyOptions.SYSTEM_DEFAULTS,
                        Schedulers.boundedElastic(),
                        new ClientOptions(),
                        address.emulator()
                                ? SslDomain.VerifyMode.ANONYMOUS_PEER
                                : SslDomain.VerifyMode.VERIFY_PEER_NAME,
                        "jitney",
                        "cli",
                        address.host(),
                        webSockets ? webSocketPort() : address.amqpPort(),
                        webSockets || !address.emulator()),
                entityPath));
    }

    private static AmqpRetryOptions retry() {
        return new AmqpRetryOptions()
                .setMode(AmqpRetryMode.EXPONENTIAL)
                .setDelay(Duration.ofMillis(500))
                .setMaxRetries(RETRIES)
                .setTryTimeout(TRY_TIMEOUT);
    }

    /** Returns the port for WebSockets, which is that of entity management over HTTPS. */
    private int webSocketPort() {
        URI url = adminUrl();
        return url.getScheme().equals("https") && url.getPort() >= 0 ? url.getPort() : HTTPS_PORT;
    }

    /** Registers the client to be closed with this object. */
    public <T extends AutoCloseable> T keep(T client) {
        kept.push(client);
        return client;
    }

    @Override
    public void close() {
        while (!kept.isEmpty()) {
            try {
                kept.pop().close();
            } catch (Exception e) {
                // The work is done, or its failure is already reported.
                LOG.debug("A client did not close", e);
            }
        }
    }
}
