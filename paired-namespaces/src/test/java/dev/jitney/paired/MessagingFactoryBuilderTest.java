package dev.jitney.paired;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.azure.core.credential.AccessToken;
import com.azure.core.credential.TokenCredential;
import java.time.OffsetDateTime;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

/** The real transport without a network, as it connects on first use. */
final class MessagingFactoryBuilderTest {
    private static final String KEY = ";SharedAccessKeyName=name;SharedAccessKey=c2VjcmV0";
    private static final TokenCredential CREDENTIAL =
            request -> Mono.just(new AccessToken("token", OffsetDateTime.MAX));

    private static String named(MessagingFactory factory) {
        try (factory) {
            return factory.transport().namespaceName() + " "
                    + factory.transport().address();
        }
    }

    @ParameterizedTest(name = "PAIR-23: {0}")
    @CsvSource({
        "sb://contoso.servicebus.windows.net/, contoso contoso.servicebus.windows.net",
        "sb://Contoso.servicebus.windows.net, Contoso contoso.servicebus.windows.net",
        "sb://localhost:5673, localhost localhost:5673",
        "sb://10.0.0.4:5671/, 10.0.0.4 10.0.0.4:5671",
        "sb://[::1]:5671/, 0-1 [::1]:5671",
        "sb://[2001:db8::]:5671/, 2001-db8-0 [2001:db8::]:5671",
    })
    @DisplayName("PAIR-23, PAIR-3: the name of a namespace is the first label of its host, and its identity is host and"
            + " port")
    void namesNamespaces(String endpoint, String expected) {
        assertThat(named(MessagingFactory.create("Endpoint=" + endpoint + KEY))).isEqualTo(expected);
    }

    @Test
    @DisplayName("PAIR-23: the name can be set, and a credential can replace a connection string")
    void takesNameAndCredential() {
        assertThat(named(MessagingFactory.builder()
                        .credential("fabrikam.servicebus.windows.net", CREDENTIAL)
                        .build()))
                .isEqualTo("fabrikam fabrikam.servicebus.windows.net");
        assertThat(named(MessagingFactory.builder()
                        .connectionString("Endpoint=sb://localhost/" + KEY)
                        .customEndpoint("https://10.0.0.4:5671")
                        .administrationEndpoint("http://10.0.0.4:5300")
                        .namespaceName("east")
                        .build()))
                .isEqualTo("east localhost at 10.0.0.4:5671");
    }

    @ParameterizedTest(name = "\"{0}\"")
    @ValueSource(strings = {"", "nonsense", "Endpoint=;SharedAccessKey=c2VjcmV0", "SharedAccessKey=c2VjcmV0"})
    @DisplayName("A connection string without a namespace is refused with a message that contains no key")
    void refusesWhatNamesNoNamespace(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MessagingFactory.create(text))
                .withMessageNotContaining("c2VjcmV0");
    }

    @Test
    @DisplayName("Either a connection string or a credential is required, not both")
    void needsOneWayIn() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MessagingFactory.builder().build())
                .withMessageContaining("neither");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MessagingFactory.builder()
                        .connectionString("Endpoint=sb://a.b/" + KEY)
                        .credential("a.b", CREDENTIAL)
                        .build())
                .withMessageContaining("both");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MessagingFactory.builder().customEndpoint("localhost"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MessagingFactory.builder().administrationEndpoint(":"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MessagingFactory.builder().namespaceName("a/b"));
    }

    @Test
    @DisplayName("Senders of the real transport are created and closed without a connection")
    void makesSendersWithoutAConnection() {
        try (MessagingFactory factory = MessagingFactory.create("Endpoint=sb://contoso.servicebus.example/" + KEY)) {
            MessageSender sender = factory.createMessageSender(" orders ");
            assertThat(sender.path()).isEqualTo("orders");
            sender.close();
        }
    }
}
