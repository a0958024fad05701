package dev.jitney.cli.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jitney.cli.output.Failure;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NamespaceAddressTest {

    @Test
    @DisplayName("HTTP 1.1: keys in any case, blanks, empty segments, a key that ends in '=', and unknown keys are"
            + " accepted")
    void grammar() {
        NamespaceAddress address = NamespaceAddress.parse(" endpoint = sb://ns.servicebus.windows.net/ ;;"
                + "SHAREDACCESSKEYNAME=app;SharedAccessKey=abc=;EntityPath=orders;Fancy=1;");
        assertThat(address.host()).isEqualTo("ns.servicebus.windows.net");
        assertThat(address.amqpPort()).isEqualTo(5671);
        assertThat(address.emulator()).isFalse();
        assertThat(address.key()).isEqualTo("abc=");
        assertThat(address.connectionString())
                .isEqualTo("Endpoint=sb://ns.servicebus.windows.net/;SharedAccessKeyName=app;SharedAccessKey=abc=");
        assertThat(address).hasToString("sb://ns.servicebus.windows.net");
    }

    @Test
    @DisplayName("HTTP 1.1: the emulator's string means AMQP without TLS, at 5672 or another port")
    void emulator() {
        assertThat(NamespaceAddress.parse(NamespaceAddress.LOCAL).amqpPort()).isEqualTo(5672);
        NamespaceAddress other = NamespaceAddress.parse(
                "Endpoint=sb://localhost:7777;SharedAccessKeyName=n;SharedAccessKey=k;UseDevelopmentEmulator=true;");
        assertThat(other.emulator()).isTrue();
        assertThat(other.connectionString())
                .isEqualTo("Endpoint=sb://localhost:7777/;SharedAccessKeyName=n;SharedAccessKey=k"
                        + ";UseDevelopmentEmulator=true");
    }

    @Test
    @DisplayName("HTTP 1.1: a signature replaces name and key")
    void signature() {
        NamespaceAddress address = NamespaceAddress.parse(
                "Endpoint=sb://h/;SharedAccessSignature=SharedAccessSignature sr=a&sig=b%3d&se=1&skn=c");
        assertThat(address.signature()).isEqualTo("SharedAccessSignature sr=a&sig=b%3d&se=1&skn=c");
        assertThat(address.key()).isNull();
    }

    @ParameterizedTest
    @DisplayName("An invalid connection string is refused, without the key in the message")
    @ValueSource(
            strings = {
                "Endpoint",
                "SharedAccessKeyName=n;SharedAccessKey=TOPSECRET",
                "Endpoint=sb://h/;SharedAccessKey=TOPSECRET",
                "Endpoint=sb://h/;SharedAccessKeyName=n",
                "Endpoint=sb:///;SharedAccessKeyName=n;SharedAccessKey=TOPSECRET",
                "Endpoint=sb://h h/;SharedAccessKeyName=n;SharedAccessKey=TOPSECRET",
                "TOPSECRET;Endpoint=sb://h/;SharedAccessKeyName=n;SharedAccessKey=TOPSECRET"
            })
    void refused(String text) {
        assertThatThrownBy(() -> NamespaceAddress.parse(text))
                .isInstanceOfSatisfying(
                        Failure.class, e -> assertThat(e.exitCode()).isEqualTo(Failure.BAD_OPTION))
                .hasMessageStartingWith("Expected")
                .hasMessageNotContaining("TOPSECRET");
    }
}
