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

/** Collects what a {@link MessagingFactory} needs. Not for several threads. */
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

    /** Host and key of the namespace, in place of {@link #credential}. */
    public MessagingFactoryBuilder connectionString(String text) {
        connectionString = Objects.requireNonNull(text, "connectionString");
        return this;
    }

    /**
     * Host and credential of the namespace, in place of a connection string.
     *
     * @param host such as {@code contoso.servicebus.windows.net}
     */
    public MessagingFactoryBuilder credential(String host, TokenCredential value) {
        fullyQualifiedNamespace = Objects.requireNonNull(host, "host");
        credential = Objects.requireNonNull(value, "credential");
        return this;
    }

    /**
     * Where to connect to instead of the host, such as {@code https://10.0.0.4:5671}; see {@code customEndpointAddress} of
     * the SDK's client builder.
     */
    public MessagingFactoryBuilder customEndpoint(String address) {
        customEndpoint = url("customEndpoint", address);
        return this;
    }

    /**
     * Where queues are managed, such as {@code http://localhost:5300}; otherwise {@code https://HOST:443}. Only the
     * secondary needs it, which backlog queues are created in.
     */
    public MessagingFactoryBuilder administrationEndpoint(String address) {
        administrationEndpoint = url("administrationEndpoint", address);
        return this;
    }

    /**
     * By which the backlog queues of this namespace are named. Otherwise the first label of the host (PAIR-23), which two
     * brokers on one host would share: give them names when they share a secondary.
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

    /** AMQP over TCP, which is the default, or over WebSockets. */
    public MessagingFactoryBuilder transportType(AmqpTransportType type) {
        transportType = Objects.requireNonNull(type, "transportType");
        return this;
    }

    /**
     * How often and for how long the SDK tries before an operation has failed. The default is the SDK's own: three
     * retries, and a minute for each try. A primary that is paired has shorter ones for its sends unless you set them
     * here or in {@link SendAvailabilityPairedNamespaceOptions.Builder#primaryRetryOptions}, which describes them.
     */
    public MessagingFactoryBuilder retryOptions(AmqpRetryOptions options) {
        retryOptions = new AmqpRetryOptions(options);
        return this;
    }

    /** The time to live by; otherwise the machine's. It stays the caller's. */
    public MessagingFactoryBuilder clock(PairingClock value) {
        clock = Objects.requireNonNull(value, "clock");
        return this;
    }

    /**
     * By which backlog queues are chosen and pings get their session ids; for tests that repeat. Several threads use it,
     * which {@link Random} allows.
     */
    public MessagingFactoryBuilder random(RandomGenerator value) {
        random = Objects.requireNonNull(value, "random");
        return this;
    }

    /** Adds one that is told of every change of a path's state. */
    public MessagingFactoryBuilder stateListener(PathStateListener listener) {
        listeners.add(Objects.requireNonNull(listener, "listener"));
        return this;
    }

    /** In place of the SDK. */
    MessagingFactoryBuilder transport(NamespaceTransport value) {
        transport = value;
        return this;
    }

    /**
     * @throws IllegalArgumentException if there is neither a connection string nor a credential, or if it names no
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
            // told below
        }
        throw new IllegalArgumentException(
                "Expected " + option + " such as https://HOST:PORT, but it is '" + address + "'.");
    }
}
