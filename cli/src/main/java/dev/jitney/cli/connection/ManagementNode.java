package dev.jitney.cli.connection;

import com.azure.core.amqp.exception.AmqpException;
import com.azure.core.amqp.implementation.AmqpLinkProvider;
import com.azure.core.amqp.implementation.AzureTokenManagerProvider;
import com.azure.core.amqp.implementation.ConnectionOptions;
import com.azure.core.amqp.implementation.MessageSerializer;
import com.azure.core.amqp.implementation.ReactorConnection;
import com.azure.core.amqp.implementation.ReactorHandlerProvider;
import com.azure.core.amqp.implementation.ReactorProvider;
import com.azure.core.amqp.implementation.RequestResponseChannel;
import com.azure.core.amqp.implementation.RequestResponseUtils;
import com.azure.core.amqp.implementation.TokenManager;
import com.azure.core.amqp.implementation.TokenManagerProvider;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.qpid.proton.Proton;
import org.apache.qpid.proton.amqp.messaging.AmqpValue;
import org.apache.qpid.proton.amqp.messaging.ApplicationProperties;
import org.apache.qpid.proton.amqp.transport.ReceiverSettleMode;
import org.apache.qpid.proton.amqp.transport.SenderSettleMode;
import org.apache.qpid.proton.message.Message;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

/**
 * Calls operations of an entity's {@code $management} node for which the SDK has no method, over a separate connection. Not
 * thread-safe.
 */
public final class ManagementNode implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ManagementNode.class);
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    /*
     * The SDK does not expose its connection, but its parts are public classes of azure-core-amqp. They are not a stable API:
     * a new SDK version may break this class at compile time or in tests. The only caller, purge, falls back to a slower way
     * to delete messages.
     */
    private final Connection connection;
    private final TokenManager token;
    private final Mono<Long> authorized;
    private final Mono<RequestResponseChannel> channel;
    private final String address;

    ManagementNode(ConnectionOptions options, String address) {
        this.address = address;
        TokenManagerProvider tokens = new AzureTokenManagerProvider(
                options.getAuthorizationType(), options.getFullyQualifiedNamespace(), options.getAuthorizationScope());
        this.connection = new Connection(options, new ReactorProvider(), tokens);
        this.token = tokens.getTokenManager(connection.getClaimsBasedSecurityNode(), address);
        // The first call requests the token, and a timer renews it.
        this.authorized = token.authorize().cache();
        this.channel = connection.channel(address);
    }

    /**
     * Calls an operation.
     *
     * @param operation its name, such as {@code com.microsoft:batch-delete-messages}
     * @return the members of the response, empty if the response has no content
     * @throws RuntimeException of the SDK, if the entity refuses or does not answer in time
     */
    public Map<?, ?> call(String operation, Map<String, ?> arguments) {
        Message request = Proton.message();
        request.setApplicationProperties(new ApplicationProperties(Map.of("operation", operation)));
        request.setBody(new AmqpValue(arguments));
        Message answer = authorized
                .then(channel)
                .flatMap(open -> open.sendWithAck(request))
                .block(PATIENCE);
        if (answer == null) {
            throw new AmqpException(true, "The management node of '" + address + "' did not answer.", null);
        }
        return switch (RequestResponseUtils.getStatusCode(answer)) {
            case OK ->
                answer.getBody() instanceof AmqpValue value && value.getValue() instanceof Map<?, ?> members
                        ? members
                        : Map.of();
            case NO_CONTENT -> Map.of();
            default ->
                throw new AmqpException(false, String.valueOf(RequestResponseUtils.getStatusDescription(answer)), null);
        };
    }

    /** Starts closing the connection and returns at once. */
    @Override
    public void close() {
        token.close();
        connection.closeAsync().subscribe(nothing -> {}, e -> LOG.debug("{} did not close", address, e));
    }

    private static final class Connection extends ReactorConnection {
        Connection(ConnectionOptions options, ReactorProvider reactors, TokenManagerProvider tokens) {
            super(
                    "jitney-management",
                    options,
                    reactors,
                    new ReactorHandlerProvider(reactors),
                    new AmqpLinkProvider(),
                    tokens,
                    new Requests(),
                    SenderSettleMode.SETTLED,
                    ReceiverSettleMode.FIRST,
                    true,
                    false);
        }

        Mono<RequestResponseChannel> channel(String address) {
            return createRequestResponseChannel(address + "-mgmt-session", address + "-mgmt", address + "/$management");
        }
    }

    /** A serializer with a small size limit: requests and responses of the node are not application messages. */
    private static final class Requests implements MessageSerializer {
        /** The size limit. Tokens are the largest part, with a few thousand bytes. */
        private static final int REQUEST_BYTES_MAX = 1 << 16;

        @Override
        public int getSize(Message message) {
            return REQUEST_BYTES_MAX;
        }

        @Override
        public <T> Message serialize(T message) {
            throw new UnsupportedOperationException();
        }

        @Override
        public <T> T deserialize(Message message, Class<T> type) {
            throw new UnsupportedOperationException();
        }

        @Override
        public <T> List<T> deserializeList(Message message, Class<T> type) {
            throw new UnsupportedOperationException();
        }
    }
}
