package dev.jitney.paired;

import com.azure.core.amqp.AmqpRetryOptions;
import com.azure.core.amqp.AmqpTransportType;
import com.azure.core.credential.TokenCredential;
import dev.jitney.paired.internal.transport.NamespaceTransport;
import dev.jitney.paired.internal.transport.SdkSettings;
import dev.jitney.paired.internal.transport.SdkTransport;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A builder of {@link MessagingFactory}. Not thread-safe. */
public final class MessagingFactoryBuilder {
    private static final Pattern NAMESPACE_NAME = Pattern.compile("[0-9A-Za-z][0-9A-Za-z._-]{0,99}");

    private @Nullable String connectionString;
    private @Nullable String fullyQualifiedNamespace;
    private @Nullable TokenCredential credential;
    private @Nullable URI customEndpoint;
    private @Nullable URI administrationEndpoint;
    private @Nullable String namespaceName;
    private AmqpTransportType transportType = AmqpTransportType.AMQP;
    private @Nullable AmqpRetryOptions retryOptions;
    private @Nullable PairingClock clock;
    private @Nullable RandomGenerator random;
    private final List<PathStateListener> listeners = new ArrayList<>();
    private @Nullable NamespaceTransport transport;

    MessagingFactoryBuilder() {}

    /** Sets host and key of the namespace, instead of {@link #credential}. */
    public MessagingFactoryBuilder connectionString(String text) {
        connectionString = Objects.requireNonNull(text, "connectionString");
        return this;
    }

    /**
     * Sets host and credential of the namespace, instead of a connection string.
     *
     * @param host such as {@code contoso.servicebus.windows.net}
     */
    public MessagingFactoryBuilder credential(String host, TokenCredential value) {
        fullyQualifiedNamespace = Objects.requireNonNull(host, "host");
        credential = Objects.requireNonNull(value, "credential");
        return this;
    }

    /**
     * Sets the address to connect to instead of the host, such as {@code https://10.0.0.4:5671}. See {@code
     * customEndpointAddress} of the SDK's client builder.
     */
    public MessagingFactoryBuilder customEndpoint(String address) {
        customEndpoint = url("customEndpoint", address);
        return this;
    }

    /**
     * Sets the URL for queue management, such as {@code http://localhost:5300}. The default is {@code https://HOST:443}. Only the
     * secondary, in which backlog queues are created, needs it.
     */
    public MessagingFactoryBuilder administrationEndpoint(String address) {
        administrationEndpoint = url("administrationEndpoint", address);
        return this;
    }

    /**
     * Sets the first part of the backlog queues' names. The default is the first label of the host (PAIR-23). Two brokers on
     * one host with the same secondary need different names.
     *
     * @param name 1 to 100 letters, digits, periods, hyphens and underscores
     */
    public MessagingFactoryBuilder namespaceName(String name) {
        if (!NAMESPACE_NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "Expected a namespaceName of 1 to 100 letters, digits, '.', '-' and '_', but it is '" + name
                            + "'.");
        }
        namespaceName = name;
        return this;
    }

    /** Sets AMQP over TCP, the default, or over WebSockets. */
    public MessagingFactoryBuilder transportType(AmqpTransportType type) {
        transportType = Objects.requireNonNull(type, "transportType");
        return this;
    }

    /**
     * Sets the SDK's retries. The default is the SDK's own: three retries, and a minute for each try. A paired primary has
     * shorter ones for its sends unless you set them here or in {@link
     * SendAvailabilityPairedNamespaceOptions.Builder#primaryRetryOptions}, which describes them.
     */
    public MessagingFactoryBuilder retryOptions(AmqpRetryOptions options) {
        retryOptions = new AmqpRetryOptions(options);
        return this;
    }

    /** Sets the clock; the default is the system clock. The caller closes its own clock. */
    public MessagingFactoryBuilder clock(PairingClock value) {
        clock = Objects.requireNonNull(value, "clock");
        return this;
    }

    /**
     * Sets the random generator for the choice of backlog queues and the session ids of pings, for repeatable tests. Several
     * threads use it, which {@link Random} allows.
     */
    public MessagingFactoryBuilder random(RandomGenerator value) {
        random = Objects.requireNonNull(value, "random");
        return this;
    }

    /** Adds a listener for changes of a path's state. */
    public MessagingFactoryBuilder stateListener(PathStateListener listener) {
        listeners.add(Objects.requireNonNull(listener, "listener"));
        return this;
    }

    /** Sets a transport instead of the SDK. */
    MessagingFactoryBuilder transport(NamespaceTransport value) {
        transport = value;
        return this;
    }

    /**
     * @throws IllegalArgumentException if there is neither a connection string nor a credential, or both, or if they name no
     *         namespace
     */
    public MessagingFactory build() {
        NamespaceTransport given = transport;
        if (given == null) {
            if ((connectionString == null) == (credential == null)) {
                throw new IllegalArgumentException("Expected either a connectionString or a credential, but "
                        + (credential == null ? "neither is" : "both are") + " set.");
            }
            given = new SdkTransport(new SdkSettings(
                    connectionString,
                    fullyQualifiedNamespace,
                    credential,
                    customEndpoint,
                    administrationEndpoint,
                    namespaceName,
                    transportType,
                    retryOptions));
        }
        return new MessagingFactory(given, clock, random == null ? new Random() : random, listeners);
    }

    private static URI url(String option, String address) {
        try {
            URI url = URI.create(address);
            if (url.getScheme() != null && url.getHost() != null) {
                return url;
            }
        } catch (IllegalArgumentException e) {
            // The exception below covers this case.
        }
        throw new IllegalArgumentException(
                "Expected " + option + " such as https://HOST:PORT, but it is '" + address + "'.");
    }
}
