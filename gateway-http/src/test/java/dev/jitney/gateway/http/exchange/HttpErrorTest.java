package dev.jitney.gateway.http.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.model.ErrorCode;
import dev.jitney.model.Rejection;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class HttpErrorTest {

    @ParameterizedTest
    @EnumSource
    @DisplayName("HTTP 2.10: every refusal has a status for a client or server error, and a text")
    void coversTheCatalogue(ErrorCode code) {
        HttpError error = HttpError.of(Rejection.of(code));
        assertThat(error.status()).isBetween(400, 599);
        assertThat(error.detail()).matches("(SubCode=[45]\\d{4}\\. )?.{10,}");
        assertThat(HttpError.of(new Rejection(code, "")).sentence()).isEqualTo(code.text());
    }

    @ParameterizedTest
    @CsvSource({
        "THROTTLED, 429, 50004",
        "SERVER_BUSY, 503, 50004",
        "QUOTA_EXCEEDED, 403, 40300",
        "MESSAGE_SIZE_EXCEEDED, 403, 40300",
        "ENTITY_DISABLED, 403, 40301",
        "ENTITY_NOT_FOUND, 404, 40400",
        "MESSAGE_LOCK_LOST, 404, 40400",
        "ENTITY_EXISTS, 409, 40900",
        "ARGUMENT, 400, 40000",
        "INVALID_OPERATION, 400, 40000",
        "UNAUTHORIZED, 401, 40100",
        "INTERNAL, 500, 50000",
    })
    @DisplayName("HTTP 2.10, THR-6: the error determines status and sub-code")
    void followsTheTable(ErrorCode code, int status, int subCode) {
        HttpError error = HttpError.of(Rejection.of(code));
        assertThat(error.status()).isEqualTo(status);
        assertThat(error.subCode()).isEqualTo(subCode);
        assertThat(error.detail()).startsWith("SubCode=" + subCode + ". ");
    }

    @Test
    @DisplayName("FILTER-25: a message without a matching subscription is no server fault, despite its status")
    void blamesTheServerForItsFaultsOnly() {
        assertThat(HttpError.of(Rejection.of(ErrorCode.INTERNAL)).fault()).isTrue();
        assertThat(HttpError.internal().fault()).isTrue();
        HttpError unwanted = HttpError.of(Rejection.of(ErrorCode.NO_MATCHING_SUBSCRIPTION));
        assertThat(unwanted.status()).isEqualTo(500);
        assertThat(unwanted.fault()).isFalse();
    }
}
