package dev.jitney.fuzz.input;

import java.util.Random;

/** Unusual HTTP requests: messages with their properties, administration, lists, and chunked bodies. */
public final class HttpRequests {
    /** The placeholder for a valid token, which the target inserts. */
    public static final String TOKEN = "{token}";

    public static final String[] JSON = {
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
        "99999999999999999999999"
    };
    private static final String[] PATHS = {
        "/q/messages",
        "/q/messages/head?timeout=0",
        "/q/messages/1/00000000-0000-0001-0000-000000000002",
        "/q/$DeadLetterQueue/messages/head?timeout=0",
        "/%71/messages",
        "/s/messages",
        "/t/messages",
        "/t/subscriptions/a/messages/head?timeout=0"
    };
    private static final String[] RESOURCES = {
        "/q",
        "/t",
        "/t/subscriptions/a",
        "/t/subscriptions/a/rules/$Default",
        "/t/subscriptions/a/rules/r",
        "/new",
        "/$Resources/Queues?$skip=0&$top=10&api-version=2021-05",
        "/$namespaceinfo",
        "/$Resources/Topics",
        "/t/subscriptions",
        "/q/AuthorizationRules/x",
        "/$namespaces/first",
        "/t/subscriptions/new",
        "/metering/q"
    };
    private static final String[] LISTS = {"Queues", "Topics", "queues", "Nonsense"};

    /** The first bytes of a client that uses HTTP/2 without negotiation. */
    private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

    private static final String[] METHODS = {"POST", "POST", "POST", "DELETE", "PUT", "GET", "PATCH", "BREW"};
    private static final String[] FILTERS = {
        "startswith(path,%20'q')%20eq%20true",
        "messagecount%20gt%20-1",
        "createdat%20le%20'2026-11-22T00:00:00Z'",
        "updatedAt%20ne%202026-11-22",
        "accessedat%20lt%20'99999-01-01'",
        "messagecount%20eq%2099999999999999999999",
        "startswith(name,'",
        "a%20eq%20b"
    };
    private static final String[] NUMBERS = {
        "0", "1", "-1", "101", "2147483647", "9999999999999999999", "1e3", "", "%20"
    };

    private final Random random;

    public HttpRequests(Random random) {
        this.random = random;
    }

    /** Returns one request, head and body. */
    public String next() {
        return switch (random.nextInt(12)) {
            case 0, 1, 2, 3, 4 -> messaging();
            case 5 -> listing();
            case 6 -> PREFACE + noise(40, "\0\4");
            default -> administration();
        };
    }

    /** Returns a batch of messages, valid or not. */
    public String batch() {
        if (random.nextInt(3) == 0) {
            return json(12);
        }
        StringBuilder out = new StringBuilder("[");
        for (int i = random.nextInt(4); i >= 0; i--) {
            out.append("{\"Body\":").append(random.nextInt(4) == 0 ? one(JSON) : "\"x\"");
            out.append(",\"BrokerProperties\":").append(object());
            out.append(",\"UserProperties\":").append(object()).append(i > 0 ? "}," : "}");
        }
        return out.append(random.nextInt(4) == 0 ? json(3) : "").append("]").toString();
    }

    /** Returns a header of that name. */
    public String brokerProperties() {
        return random.nextInt(3) == 0 ? json(6) : object();
    }

    /** Returns the path of a page of a list. */
    private String listing() {
        StringBuilder query =
                new StringBuilder("/$Resources/").append(one(LISTS)).append('?');
        for (int i = random.nextInt(5); i > 0; i--) {
            query.append(
                    switch (random.nextInt(5)) {
                        case 0 -> "$skip=" + one(NUMBERS);
                        case 1 -> "$top=" + one(NUMBERS);
                        case 2 -> "$filter=" + one(FILTERS) + (random.nextBoolean() ? "%20and%20" + one(FILTERS) : "");
                        case 3 -> "enrich=" + one(NUMBERS);
                        default -> "api-version=20" + one(NUMBERS);
                    });
            query.append('&');
        }
        return with(head("GET", path(query.toString())), "");
    }

    private String messaging() {
        StringBuilder head = head(one(METHODS), path(one(PATHS)));
        boolean batch = random.nextInt(4) == 0;
        if (batch) {
            head.append("Content-Type: application/vnd.microsoft.servicebus.json\r\n");
        }
        if (random.nextBoolean()) {
            head.append("BrokerProperties: ").append(brokerProperties()).append("\r\n");
        }
        for (int i = random.nextInt(4); i > 0; i--) {
            head.append("p").append(i).append(": ").append(header()).append("\r\n");
        }
        return with(head, batch ? batch() : noise(50, "{}"));
    }

    private String administration() {
        String resource = one(RESOURCES);
        String version = resource.contains("?") ? "" : "?api-version=2021-05";
        String method = random.nextInt(3) == 0 ? one(METHODS) : random.nextInt(3) == 0 ? "GET" : "PUT";
        StringBuilder head = head(method, path(resource + version));
        if (random.nextBoolean()) {
            head.append("If-Match: *\r\n");
        }
        return with(head, method.equals("PUT") ? new AtomTexts(random).entry() : "");
    }

    private StringBuilder head(String method, String path) {
        StringBuilder head = new StringBuilder(method).append(' ').append(path).append(" HTTP/1.1\r\nHost: ");
        head.append(random.nextInt(20) == 0 ? noise(10, "/@:[]%") : "localhost").append("\r\n");
        head.append("Authorization: ");
        if (random.nextInt(10) > 0) {
            return head.append(TOKEN).append("\r\n");
        }
        if (random.nextInt(3) == 0) {
            return head.append(random.nextInt(4) == 0 ? "" : "Bearer ")
                    .append(JwtTexts.token(new JwtTexts(random).next()))
                    .append("\r\n");
        }
        String token = random.nextBoolean()
                ? TokenTexts.signed(new TokenTexts(random).next())
                : "SharedAccessSignature " + noise(60, "sr=&sig=%2F");
        return head.append(token).append("\r\n");
    }

    private String with(StringBuilder head, String body) {
        if (random.nextInt(8) > 0) {
            return head.append("Content-Length: ").append(body.length()).append("\r\n\r\n") + body;
        }
        head.append("Transfer-Encoding: chunked\r\n\r\n");
        for (int at = 0; at < body.length(); ) {
            String chunk = body.substring(at, Math.min(body.length(), at + 1 + random.nextInt(60)));
            int told = random.nextInt(20) == 0 ? random.nextInt() : chunk.length();
            String extension = random.nextInt(8) == 0 ? ";a=\"" + noise(5, "\"\\;") + '"' : "";
            head.append(Integer.toHexString(told))
                    .append(extension)
                    .append("\r\n")
                    .append(chunk)
                    .append("\r\n");
            at += chunk.length();
        }
        return head.append("0\r\n").append(random.nextInt(8) == 0 ? "Trailer: x\r\n" : "") + "\r\n";
    }

    private String one(String[] of) {
        return of[random.nextInt(of.length)];
    }

    private String path(String path) {
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
            out.append(one(JSON));
        }
        return out.toString();
    }

    private String header() {
        return switch (random.nextInt(5)) {
            case 0 -> "\"" + noise(20, "\\\"u00") + "\"";
            case 1 -> noise(20, "\"\\u");
            case 2 -> noise(6, "0123456789.eE+-");
            case 3 -> "\"" + noise(20, "\u00e9\u00fc\u00ff") + "\"";
            default -> "true";
        };
    }

    /** Returns printable bytes, many of them from the given characters. */
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
