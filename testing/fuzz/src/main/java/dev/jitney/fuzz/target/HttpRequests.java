package dev.jitney.fuzz.target;

import java.util.Random;

/** Requests nobody would send: messages with their properties, and descriptions of entities in Atom XML. */
final class HttpRequests {
    static final String[] JSON = {
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
    private static final String[] ELEMENTS = {
        "LockDuration", "MaxSizeInMegabytes", "RequiresDuplicateDetection", "RequiresSession",
                "DefaultMessageTimeToLive",
        "DeadLetteringOnMessageExpiration", "DuplicateDetectionHistoryTimeWindow", "MaxDeliveryCount", "Status",
                "ForwardTo",
        "EnableBatchedOperations", "UserMetadata", "AutoDeleteOnIdle", "EnablePartitioning", "AuthorizationRules",
        "ForwardDeadLetteredMessagesTo", "EnableExpress", "SupportOrdering", "MaxMessageSizeInKilobytes", "Nonsense"
    };
    private static final String[] VALUES = {
        "",
        "true",
        "false",
        "1",
        "-1",
        "10",
        "PT1M",
        "P99999999999D",
        "P10675199DT2H48M5.4775807S",
        "Active",
        "Disabled",
        "q",
        "t",
        "https://localhost/q",
        "99999999999999999999",
        "1e5",
        "&lt;",
        "\u00e4"
    };
    private static final String[] DESCRIPTIONS = {
        "QueueDescription", "TopicDescription", "SubscriptionDescription", "RuleDescription", "Nonsense"
    };
    private static final String[] METHODS = {"POST", "POST", "POST", "DELETE", "PUT", "GET", "PATCH", "BREW"};
    private static final String CONNECT = "http://schemas.microsoft.com/netservices/2010/10/servicebus/connect";

    private final Random random;

    HttpRequests(Random random) {
        this.random = random;
    }

    /** One request, head and body. */
    String next() {
        return random.nextBoolean() ? messaging() : administration();
    }

    private String messaging() {
        StringBuilder head = head(one(METHODS), path(one(PATHS)));
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
            head.append("p").append(i).append(": ").append(header()).append("\r\n");
        }
        return with(
                head,
                batch ? (random.nextBoolean() ? "[{\"Body\":\"x\"}" + json(3) + "]" : json(12)) : noise(50, "{}"));
    }

    private String administration() {
        String resource = one(RESOURCES);
        String version = resource.contains("?") ? "" : "?api-version=2021-05";
        String method = random.nextInt(3) == 0 ? one(METHODS) : random.nextInt(3) == 0 ? "GET" : "PUT";
        StringBuilder head = head(method, path(resource + version));
        if (random.nextBoolean()) {
            head.append("If-Match: *\r\n");
        }
        return with(head, method.equals("PUT") ? entry() : "");
    }

    private StringBuilder head(String method, String path) {
        StringBuilder head = new StringBuilder(method).append(' ').append(path).append(" HTTP/1.1\r\nHost: ");
        head.append(random.nextInt(20) == 0 ? noise(10, "/@:[]%") : "localhost").append("\r\n");
        head.append("Authorization: ");
        if (random.nextInt(10) > 0) {
            return head.append(HttpTarget.TOKEN).append("\r\n");
        }
        return head.append("SharedAccessSignature ")
                .append(noise(60, "sr=&sig=%2F"))
                .append("\r\n");
    }

    private static String with(StringBuilder head, String body) {
        return head.append("Content-Length: ").append(body.length()).append("\r\n\r\n") + body;
    }

    private String entry() {
        String description = one(DESCRIPTIONS);
        StringBuilder out =
                new StringBuilder("<entry xmlns=\"http://www.w3.org/2005/Atom\"><content type=\"application/xml\"><");
        out.append(description).append(" xmlns=\"").append(CONNECT);
        out.append("\" xmlns:i=\"http://www.w3.org/2001/XMLSchema-instance\">");
        if (description.equals("RuleDescription")) {
            out.append(rule());
        } else {
            for (int i = random.nextInt(4); i > 0; i--) {
                String element = one(ELEMENTS);
                out.append('<').append(element).append('>').append(one(VALUES));
                out.append("</").append(element).append('>');
            }
        }
        return out.append("</")
                .append(description)
                .append("></content></entry>")
                .toString();
    }

    private String rule() {
        SqlTexts texts = new SqlTexts(random);
        String filter = random.nextBoolean()
                ? "<Filter i:type=\"SqlFilter\"><SqlExpression>" + escaped(texts.filter()) + "</SqlExpression></Filter>"
                : "<Filter i:type=\"" + (random.nextBoolean() ? "CorrelationFilter" : one(VALUES)) + "\"><Label>"
                        + one(VALUES) + "</Label><Properties><KeyValueOfstringanyType><Key>" + one(VALUES)
                        + "</Key><Value i:type=\"d:int\" xmlns:d=\"http://www.w3.org/2001/XMLSchema\">" + one(VALUES)
                        + "</Value></KeyValueOfstringanyType></Properties></Filter>";
        return filter + "<Action i:type=\"SqlRuleAction\"><SqlExpression>" + escaped(texts.action())
                + "</SqlExpression></Action><Name>r</Name>";
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;");
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
