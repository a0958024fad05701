package dev.jitney.paired.internal.transport;

import com.azure.core.amqp.AmqpRetryOptions;
import com.azure.core.credential.AzureSasCredential;
import com.azure.core.exception.ResourceExistsException;
import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.administration.ServiceBusAdministrationAsyncClient;
import com.azure.messaging.servicebus.administration.ServiceBusAdministrationClientBuilder;
import com.azure.messaging.servicebus.administration.models.CreateQueueOptions;
import com.azure.messaging.servicebus.models.ServiceBusReceiveMode;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** A namespace on the official SDK. Clients of one kind share a connection. */
public final class SdkTransport implements NamespaceTransport {
    private static final Duration BRIEF_DELAY = Duration.ofMillis(100);

    private final SdkSettings settings;
    private final String address;
    private final String name;
    private final ServiceBusClientBuilder forApplications;
    /** The builders by timeout. Pings and the syphon have one each. */
    private final Map<Duration, ServiceBusClientBuilder> withoutRetries = new ConcurrentHashMap<>();

    private final ServiceBusClientBuilder forReceivers;
    /** The builder for the paired primary. A factory is paired once, so there is one set of retry options. */
    private @Nullable ServiceBusClientBuilder forPrimary;

    private @Nullable ServiceBusAdministrationAsyncClient administration;

    /**
     * @throws IllegalArgumentException if the settings name no namespace
     */
    public SdkTransport(SdkSettings settings) {
        this.settings = settings;
        this.address = settings.address();
        this.name = settings.name();
        this.forApplications = clients(settings.retries());
        this.forReceivers = clients(settings.retries());
    }

    private ServiceBusClientBuilder clients(AmqpRetryOptions retries) {
        ServiceBusClientBuilder builder = new ServiceBusClientBuilder()
                .transportType(settings.transportType())
                .retryOptions(retries);
        if (settings.connectionString() != null) {
            builder.connectionString(settings.connectionString());
        } else if (settings.fullyQualifiedNamespace() != null && settings.credential() != null) {
            builder.credential(settings.fullyQualifiedNamespace(), settings.credential());
        }
        if (settings.customEndpoint() != null) {
            builder.customEndpointAddress(settings.customEndpoint().toString());
        }
        return builder;
    }

    @Override
    public String address() {
        return address;
    }

    @Override
    public String namespaceName() {
        return name;
    }

    @Override
    public Duration operationTimeout() {
        return settings.retries().getTryTimeout();
    }

    @Override
    public Outlet outlet(String path) {
        return new SdkOutlet(forApplications.sender().queueName(path).buildAsyncClient());
    }

    @Override
    public Outlet outletOfPrimary(String path, @Nullable AmqpRetryOptions asked) {
        if (asked == null && settings.retryOptions() != null) {
            return outlet(path);
        }
        ServiceBusClientBuilder builder;
        synchronized (this) {
            builder = forPrimary;
            if (builder == null) {
                builder = clients(asked == null ? PrimaryRetries.standard() : asked);
                forPrimary = builder;
            }
        }
        return new SdkOutlet(builder.sender().queueName(path).buildAsyncClient());
    }

    @Override
    public Outlet outletWithoutRetries(String path, Duration timeout) {
        ServiceBusClientBuilder builder = withoutRetries.computeIfAbsent(
                timeout,
                any -> clients(new AmqpRetryOptions(settings.retries())
                        .setMaxRetries(0)
                        .setDelay(BRIEF_DELAY)
                        .setTryTimeout(timeout)));
        return new SdkOutlet(builder.sender().queueName(path).buildAsyncClient());
    }

    @Override
    public Inlet inlet(String queue, int prefetch, Supplier<Instant> now) {
        return new SdkInlet(
                forReceivers
                        .receiver()
                        .queueName(queue)
                        .receiveMode(ServiceBusReceiveMode.PEEK_LOCK)
                        .disableAutoComplete()
                        .maxAutoLockRenewDuration(Duration.ZERO)
                        .prefetchCount(prefetch),
                now);
    }

    @Override
    public Mono<Boolean> queueExists(String queue) {
        return Mono.defer(() -> administration().getQueueExists(queue));
    }

    @Override
    public Mono<Void> createQueue(String queue, CreateQueueOptions description) {
        return Mono.defer(() -> administration().createQueue(queue, description))
                .then()
                .onErrorResume(ResourceExistsException.class, e -> Mono.empty());
    }

    private synchronized ServiceBusAdministrationAsyncClient administration() {
        ServiceBusAdministrationAsyncClient client = administration;
        if (client == null) {
            ServiceBusAdministrationClientBuilder builder = new ServiceBusAdministrationClientBuilder();
            String signature = settings.signature();
            if (signature != null) {
                // The only form of a connection string that this client does not support.
                builder.endpoint("https://" + settings.endpoint().getHost())
                        .credential(new AzureSasCredential(signature));
            } else if (settings.connectionString() != null) {
                builder.connectionString(settings.connectionString());
            } else if (settings.fullyQualifiedNamespace() != null && settings.credential() != null) {
                builder.credential(settings.fullyQualifiedNamespace(), settings.credential());
            }
            URI endpoint = settings.administrationEndpoint();
            if (endpoint != null) {
                builder.addPolicy(new AdministrationEndpointPolicy(endpoint));
            }
            client = builder.buildAsyncClient();
            administration = client;
        }
        return client;
    }

    /** Does nothing. The SDK closes a connection with the last client that uses it. */
    @Override
    public void close() {
        // The owners of outlets and inlets close them.
    }
}
