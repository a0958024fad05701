package dev.jitney.paired.internal.transport;

import com.azure.core.amqp.AmqpRetryOptions;
import com.azure.core.amqp.AmqpTransportType;
import com.azure.core.credential.TokenCredential;
import java.net.URI;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The connection settings of a namespace: either a connection string or a host with a credential.
 *
 * @param connectionString secret
 * @param fullyQualifiedNamespace host, without scheme and port
 * @param customEndpoint address to connect to instead of the host, such as {@code https://HOST:PORT}
 * @param administrationEndpoint URL for queue management instead of {@code https://HOST:443}
 * @param namespaceName first part of the backlog queues' names, or null for the first label of the host
 * @param retryOptions the application's retry options, or null
 */
public record SdkSettings(
        @Nullable String connectionString,
        @Nullable String fullyQualifiedNamespace,
        @Nullable TokenCredential credential,
        @Nullable URI customEndpoint,
        @Nullable URI administrationEndpoint,
        @Nullable String namespaceName,
        AmqpTransportType transportType,
        @Nullable AmqpRetryOptions retryOptions) {

    /** Returns the application's retry options, or the SDK's defaults. */
    AmqpRetryOptions retries() {
        return retryOptions == null ? new AmqpRetryOptions() : retryOptions;
    }

    /**
     * Returns the address for messages.
     *
     * @throws IllegalArgumentException if there is none, with a message that contains no secret
     */
    URI endpoint() {
        if (connectionString == null) {
            return address("fullyQualifiedNamespace", String.valueOf(fullyQualifiedNamespace));
        }
        String endpoint = segment("Endpoint");
        if (endpoint != null) {
            return address("Endpoint", endpoint);
        }
        throw new IllegalArgumentException("Expected a connection string such as"
                + " Endpoint=sb://HOST/;SharedAccessKeyName=NAME;SharedAccessKey=KEY, but it names no Endpoint.");
    }

    /** Returns the signature in the connection string, or null. It is secret. */
    @Nullable
    String signature() {
        return segment("SharedAccessSignature");
    }

    private @Nullable String segment(String name) {
        for (String segment : connectionString == null ? new String[0] : connectionString.split(";", -1)) {
            int equals = segment.indexOf('=');
            if (equals > 0 && segment.substring(0, equals).strip().equalsIgnoreCase(name)) {
                return segment.substring(equals + 1).strip();
            }
        }
        return null;
    }

    private static URI address(String field, String text) {
        try {
            URI address = URI.create(text.contains("://") ? text : "sb://" + text);
            if (address.getHost() != null) {
                return address;
            }
        } catch (IllegalArgumentException e) {
            // The exception below covers this case.
        }
        throw new IllegalArgumentException(
                "Expected " + field + " such as NAME.servicebus.windows.net, but it is '" + text + "'.");
    }

    /** Returns the host and port for messages, and the namespace there. */
    String address() {
        URI endpoint = endpoint();
        String asked = text(endpoint);
        return (customEndpoint == null ? asked : asked + " at " + text(customEndpoint)).toLowerCase(Locale.ROOT);
    }

    private static String text(URI endpoint) {
        return endpoint.getPort() < 0 ? endpoint.getHost() : endpoint.getHost() + ":" + endpoint.getPort();
    }

    /** Returns the first label of the host. An IP address has no labels: it is used in characters allowed in queue names. */
    String name() {
        if (namespaceName != null) {
            return namespaceName;
        }
        String host = endpoint().getHost();
        if (host.startsWith("[")) {
            // Names start and end with a letter or digit, and "::1" means the same as "0::1".
            String groups = (host.startsWith("[:") ? "0" : "")
                    + host.substring(1, host.length() - 1)
                    + (host.endsWith(":]") ? "0" : "");
            return groups.replaceAll("[^0-9A-Za-z]+", "-");
        }
        if (host.matches("[0-9.]+")) {
            return host;
        }
        int dot = host.indexOf('.');
        return dot < 0 ? host : host.substring(0, dot);
    }

    /** Returns the address without secrets. */
    @Override
    public String toString() {
        return "sb://" + address();
    }
}
