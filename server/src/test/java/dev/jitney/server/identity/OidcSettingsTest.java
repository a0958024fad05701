package dev.jitney.server.identity;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OidcSettingsTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://login.example.com",
                "http://127.0.0.1.example.com",
                "https://user@login.example.com",
                "https://login.example.com/#a",
                "ftp://localhost",
                "login.example.com",
                "https:///keys"
            })
    void refusesAddressesWhoseAnswersOthersCouldReplace(String address) {
        assertThatThrownBy(() -> OidcSettings.requireSafe("--oidc-issuer", URI.create(address)))
                .hasMessageStartingWith("--oidc-issuer: Expected an address with https");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ops",
                "=Manage",
                "ops=",
                "ops=Read",
                "ops=Send,",
                "ops=Send@",
                "ops=Send@*",
                "ops=Send@/orders",
                "ops=Send@shop/",
                "ops=Send@shop/orders/$DeadLetterQueue",
                "ops=Send@shop/orders/$management"
            })
    void refusesRolesThatItCannotRead(String entry) {
        assertThatThrownBy(() -> RoleMap.of(List.of(entry)))
                .hasMessageStartingWith("Expected a role and its rights")
                .hasMessageContaining("'" + entry + "'");
    }
}
