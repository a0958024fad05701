package dev.jitney.conformance.recorded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.conformance.recorded.RawHttp.Answer;
import dev.jitney.conformance.support.TestBroker;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of all token forms of the SDKs, which are the same on both listeners (HTTP 1.4 and 1.5). */
class TokenFormsTest {
    @RegisterExtension
    static final TestBroker broker = TestBroker.withHttps();

    @BeforeAll
    static void createQueues() {
        broker.queue("orders", q -> q);
        broker.queue("orders-2", q -> q);
    }

    private static String token(UnaryOperator<String> escapes, String audience) {
        String resource = escapes.apply(audience);
        long expiry = broker.now().getEpochSecond() + 600;
        return "SharedAccessSignature sr=" + resource + "&sig="
                + escapes.apply(Signature.of(resource, expiry, TestBroker.KEY)) + "&se=" + expiry + "&skn="
                + TestBroker.RULE;
    }

    /** Returns the response to a GET of a queue. It is the same on both listeners, whatever host name the client uses. */
    private static Answer get(String path, String token) {
        try (RawHttp plain = RawHttp.plain(broker);
                RawHttp tls = RawHttp.tls(broker)) {
            Answer first = plain.send(request(path, "sb.example:1234", token));
            Answer second = tls.send(request(path, "localhost", token));
            assertThat(second.status()).as(first.body() + second.body()).isEqualTo(first.status());
            return first;
        }
    }

    private static String request(String path, String host, String token) {
        return "GET " + path + "?api-version=2021-05 HTTP/1.1\r\nHost: " + host + "\r\nauthorization: " + token
                + "\r\n\r\n";
    }

    private static void assertRefused(String subCode, Answer answer) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(401);
        assertThat(answer.headers().get("Content-Type")).isEqualTo("application/xml; charset=utf-8");
        assertThat(answer.body()).contains("<Code>401</Code>").contains(subCode);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://localhost",
                "https://localhost/",
                "http://localhost:5300",
                "sb://localhost",
                "sb://localhost:5300/orders",
                "amqps://localhost/orders",
                "localhost",
                "https://LOCALHOST/ORDERS",
                "https://localhost:443/orders?api-version=2021-05&enrich=False"
            })
    @DisplayName("HTTP checklist 3, 6 and 16: audiences with any scheme, port and query, escaped in either case")
    void audiences(String audience) {
        assertThat(get("/orders", token(Signature::upper, audience)).status()).isEqualTo(200);
        assertThat(get("/orders", token(Signature::lower, audience)).status()).isEqualTo(200);
    }

    @Test
    @DisplayName("HTTP checklist 2: the fields of a token stand in any order")
    void order() {
        String[] fields = token(Signature::lower, "http://localhost:5300/orders?api-version=2021-05")
                .substring("SharedAccessSignature ".length())
                .split("&");
        String reordered = "sharedaccesssignature " + fields[1] + "&" + fields[2] + "&" + fields[3] + "&" + fields[0];
        assertThat(get("/orders", reordered).status()).isEqualTo(200);
    }

    @Test
    @DisplayName("HTTP checklist 5: a path covers itself and its sub-paths, segment by segment")
    void scopes() {
        assertRefused("SubCode=40104.", get("/orders-2", token(Signature::upper, "https://localhost/orders")));
        assertRefused("SubCode=40104.", get("/orders", token(Signature::upper, "https://localhost/ord")));
        assertRefused("SubCode=40104.", get("/$namespaceinfo", token(Signature::upper, "https://localhost/orders")));
    }

    @Test
    @DisplayName("HTTP checklist 1 and 4: changed, malformed, unsigned and expired tokens are rejected")
    void broken() {
        String token = token(Signature::upper, "https://localhost");
        char third = token.charAt(token.indexOf("&sig=") + 7);
        StringBuilder changed = new StringBuilder(token);
        changed.setCharAt(token.indexOf("&sig=") + 7, third == 'A' ? 'B' : 'A');
        assertRefused("SubCode=4010", get("/orders", changed.toString()));
        assertRefused("SubCode=40110.", get("/orders", token.replaceAll("&sig=[^&]*", "")));
        assertRefused("SubCode=40108.", get("/orders", token.replaceAll("&se=[^&]*", "")));
        assertRefused("SubCode=40105.", get("/orders", token.replaceAll("&se=[^&]*", "&se=tomorrow")));
        assertRefused("SubCode=40106.", get("/orders", token.replaceAll("&se=[^&]*", "&se=1700000000")));
        assertRefused("SubCode=", get("/orders", "WRAP access_token=\"x\""));
        assertRefused("SubCode=", get("/orders", "Bearer eyJhbGciOiJub25lIn0.e30."));
        try (RawHttp http = RawHttp.plain(broker)) {
            assertRefused("SubCode=40102.", http.send("GET /orders HTTP/1.1\r\nHost: localhost\r\n\r\n"));
        }
    }
}
