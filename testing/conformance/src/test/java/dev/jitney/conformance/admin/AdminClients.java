package dev.jitney.conformance.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.exception.HttpResponseException;
import com.azure.core.http.HttpClient;
import com.azure.core.http.netty.NettyAsyncHttpClientBuilder;
import com.azure.messaging.servicebus.administration.ServiceBusAdministrationClient;
import com.azure.messaging.servicebus.administration.ServiceBusAdministrationClientBuilder;
import dev.jitney.conformance.support.TestBroker;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.time.Duration;
import javax.net.ssl.SSLException;
import org.assertj.core.api.Assertions;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Creates Java administration clients as an application does. Only the trust store is set in code. */
public final class AdminClients {
    /** The longest duration, which the service uses for "never" and "unlimited". */
    static final Duration MAX = Duration.parse("P10675199DT2H48M5.4775807S");

    private AdminClients() {}

    static ServiceBusAdministrationClient of(TestBroker broker) {
        return builder(broker, broker.adminConnectionString()).buildClient();
    }

    static ServiceBusAdministrationClient of(TestBroker broker, String rule, String key) {
        return builder(broker, broker.adminConnectionString(rule, key)).buildClient();
    }

    private static ServiceBusAdministrationClientBuilder builder(TestBroker broker, String connectionString) {
        return builderOf(broker).connectionString(connectionString);
    }

    /** Returns a builder without a credential. */
    public static ServiceBusAdministrationClientBuilder builderOf(TestBroker broker) {
        return new ServiceBusAdministrationClientBuilder().httpClient(trusting(broker));
    }

    private static HttpClient trusting(TestBroker broker) {
        try {
            SslContext context = SslContextBuilder.forClient()
                    .trustManager(broker.caFile().toFile())
                    .build();
            return new NettyAsyncHttpClientBuilder(
                            reactor.netty.http.client.HttpClient.create().secure(spec -> spec.sslContext(context)))
                    .build();
        } catch (SSLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Checks that a call fails with exactly this class, status and detail. */
    static void assertFails(
            Class<? extends HttpResponseException> type, int status, String detail, ThrowingCallable call) {
        Assertions.assertThatThrownBy(call).satisfies(e -> {
            assertThat(e).isExactlyInstanceOf(type);
            HttpResponseException failure = (HttpResponseException) e;
            assertThat(failure.getResponse().getStatusCode()).as(e.toString()).isEqualTo(status);
            assertThat(e.getMessage()).contains(detail);
        });
    }

    /** Checks that a call fails with status 400, which has no class of its own. */
    static void assertRefused(String detail, ThrowingCallable call) {
        assertFails(HttpResponseException.class, 400, detail, call);
    }
}
