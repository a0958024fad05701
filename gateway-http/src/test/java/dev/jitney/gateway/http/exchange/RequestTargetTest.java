package dev.jitney.gateway.http.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RequestTargetTest {

    @ParameterizedTest
    @CsvSource({
        "/a/b, a/b",
        "/a%2Fb, a/b",
        "/a%2fb/, a/b",
        "/, ''",
        "/a%20b+c, a b+c",
        "/%24Resources/queues, $Resources/queues",
        "/a%252Fb, a%2Fb",
        "/a//b, a//b",
        "/%C3%BC, ü",
    })
    @DisplayName(
            "HTTP 2.1, 14: each segment is decoded once, a decoded slash separates, one slash at the end is ignored")
    void readsPaths(String raw, String path) throws Exception {
        assertThat(RequestTarget.parse(raw, null).path()).isEqualTo(path);
    }

    @Test
    @DisplayName("HTTP 2.1: query keys may be escaped and are compared without case")
    void readsQueries() throws Exception {
        RequestTarget target = RequestTarget.parse("/q", "%24skip=1&$TOP=20&timeout=&x&a=b+c%2B&$skip=7");
        assertThat(target.query("$skip")).isEqualTo("1");
        assertThat(target.query("$top")).isEqualTo("20");
        assertThat(target.query("timeout")).isEmpty();
        assertThat(target.query("x")).isEmpty();
        assertThat(target.query("a")).isEqualTo("b c+");
        assertThat(target.query("none")).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "*", "/%", "/%4", "/%zz", "/%ff", "/a%C3"})
    @DisplayName("HTTP 2.10: an invalid path is refused with 400")
    void refusesOthers(String raw) {
        assertThatThrownBy(() -> RequestTarget.parse(raw, null))
                .isInstanceOfSatisfying(
                        RefusedException.class,
                        e -> assertThat(e.error().status()).isEqualTo(400));
        assertThatThrownBy(() -> RequestTarget.parse("/q", "a=%")).isInstanceOf(RefusedException.class);
        assertThatThrownBy(() -> RequestTarget.parse("/q", "&".repeat(200))).isInstanceOf(RefusedException.class);
    }

    @Test
    void countsFromTheEnd() throws Exception {
        RequestTarget target = RequestTarget.parse("/a/messages/head", null);
        assertThat(target.fromEnd(0)).isEqualTo("head");
        assertThat(target.fromEnd(1)).isEqualTo("messages");
        assertThat(target.fromEnd(3)).isEmpty();
        assertThat(target.head(1)).isEqualTo("a");
    }
}
