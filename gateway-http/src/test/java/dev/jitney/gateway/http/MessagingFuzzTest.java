package dev.jitney.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.gateway.http.exchange.HttpLimits;
import java.io.IOException;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Requests nobody would send: each is answered, none with a fault of the server. */
class MessagingFuzzTest {
    private static final int REQUESTS = 800;
    private static final String[] PATHS = {
        "/orders/messages",
        "/orders/messages/head?timeout=0",
        "/orders/messages/1/" + new UUID(1, 2),
        "/orders/$DeadLetterQueue/messages/head?timeout=0",
        "/%6frders/messages",
    };
    private static final String[] METHODS = {"POST", "POST", "POST", "DELETE", "PUT", "GET", "PATCH", "BREW"};
    private static final String[] JSON = {
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"MessageId\"",
        "\"TimeToLive\"",
        "\"SessionId\"",
        "\"Body\"",
        "\"a\"",
        "1",
        "-1",
        "1e400",
        "1e-400",
        "true",
        "null",
        "\"\\ud800\"",
        "\"ScheduledEnqueueTimeUtc\"",
        "\"Sun, 06 Nov 1994 08:49:37 GMT\"",
        "\"Fri, 31 Dec 9999 23:59:59 GMT\"",
        "\"TimeToLiveTimeSpan\"",
        "\"99999999.23:59:59.9999999\"",
        "\"BrokerProperties\"",
        "\"UserProperties\"",
        "99999999999999999999999",
    };

    /** Receives wait for nothing, however the query came out. */
    private static final HttpLimits NO_WAITING = new HttpLimits(100, 60, 60, 1 << 20, 64 << 20, 10, 0);

    private final long seed = new Random().nextLong();
    private final Random random = new Random(seed);

    @Test
    @DisplayName("HTTP 3: whatever is asked is answered, never with 500, and whatever was taken can be received")
    void answersEverything() throws Exception {
        try (TestBroker broker = new TestBroker();
                HttpGateway gateway = HttpGateway.start(
                        new HttpGatewayOptions("127.0.0.1", 0, null, null),
                        broker.broker,
                        () -> null,
                        new RecordingTunnels(),
                        NO_WAITING)) {
            broker.create("orders");
            RawClient client = new RawClient(gateway.httpPort());
            int fine = 0;
            for (int i = 0; i < REQUESTS; i++) {
                String request = request();
                String hint = "seed " + seed + ", request " + i + ": " + request;
                String answer = client.send(request).answer();
                assertThat(answer).as(hint).matches("(?s)HTTP/1\\.1 ([1234]\\d\\d|501|503) .*");
                fine += answer.startsWith("HTTP/1.1 20") ? 1 : 0;
                if (isOver(answer)) {
                    client.close();
                    client = new RawClient(gateway.httpPort());
                }
            }
            client.close();
            if (broker.broker.namespace(null).entity("orders") == null) {
                broker.create("orders"); // nonsense may make a request to delete it, which is no mistake
            }
            HttpMessages http = new HttpMessages(gateway.httpPort());
            for (int status = 200; status == 200; ) {
                status = http.remove("orders", 0).statusCode();
                assertThat(status).as("seed " + seed).isIn(200, 204);
            }
            assertThat(fine).as("seed " + seed).isGreaterThan(REQUESTS / 20);
        }
    }

    /** A message answer is chunked, which the client does not take apart; a refused head ends the connection. */
    private static boolean isOver(String answer) {
        return !answer.toLowerCase(java.util.Locale.ROOT).contains("content-length:") && !answer.contains(" 204 ")
                || answer.contains("onnection: close")
                || answer.contains(" 400 ")
                || answer.contains(" 405 ");
    }

    private String request() throws IOException {
        String method = METHODS[random.nextInt(METHODS.length)];
        StringBuilder head =
                new StringBuilder(method).append(' ').append(path()).append(" HTTP/1.1\r\nHost: ");
        head.append(random.nextInt(20) == 0 ? noise(10, "/@:[]%") : "localhost").append("\r\n");
        if (random.nextInt(10) > 0) {
            head.append("Authorization: ").append(TestBroker.token()).append("\r\n");
        } else {
            head.append("Authorization: SharedAccessSignature ")
                    .append(noise(60, "sr=&sig=%2F"))
                    .append("\r\n");
        }
        boolean batch = random.nextInt(4) == 0;
        if (batch) {
            head.append("Content-Type: application/vnd.microsoft.servicebus.json\r\n");
        }
        if (random.nextBoolean()) {
            head.append("BrokerProperties: ")
                    .append(random.nextInt(3) == 0 ? json(6) : object())
                    .append("\r\n");
        }
        for (int i = random.nextInt(4); i > 0; i--) {
            head.append("p").append(i).append(": ").append(value()).append("\r\n");
        }
        String body = batch ? (random.nextBoolean() ? "[{\"Body\":\"x\"}" + json(3) + "]" : json(12)) : noise(50, "{}");
        return head.append("Content-Length: ").append(body.length()).append("\r\n\r\n") + body;
    }

    private String path() {
        String path = PATHS[random.nextInt(PATHS.length)];
        if (random.nextInt(4) > 0) {
            return path;
        }
        int at = 1 + random.nextInt(path.length() - 1);
        return path.substring(0, at) + noise(4, "%/?&=") + path.substring(at);
    }

    private String object() {
        StringBuilder out = new StringBuilder("{");
        for (int i = random.nextInt(4); i > 0; i--) {
            out.append(JSON[6 + random.nextInt(JSON.length - 6)])
                    .append(':')
                    .append(JSON[6 + random.nextInt(JSON.length - 6)]);
            out.append(i > 1 ? "," : "");
        }
        return out.append('}').toString();
    }

    private String json(int pieces) {
        StringBuilder out = new StringBuilder();
        for (int i = random.nextInt(pieces + 1); i > 0; i--) {
            out.append(JSON[random.nextInt(JSON.length)]);
        }
        return out.toString();
    }

    private String value() {
        return switch (random.nextInt(5)) {
            case 0 -> "\"" + noise(20, "\\\"u00") + "\"";
            case 1 -> noise(20, "\"\\u");
            case 2 -> noise(6, "0123456789.eE+-");
            case 3 -> "\"" + noise(20, "éü\u00ff") + "\"";
            default -> "true";
        };
    }

    /** Printable octets, many of them from the favourites. */
    private String noise(int lengthMax, String favourites) {
        StringBuilder out = new StringBuilder();
        for (int i = random.nextInt(lengthMax + 1); i > 0; i--) {
            char c = (char) (0x21 + random.nextInt(0xdf));
            out.append(
                    random.nextBoolean()
                            ? favourites.charAt(random.nextInt(favourites.length()))
                            : c == 0x7f ? 'x' : c);
        }
        return out.toString();
    }
}
