package dev.jitney.fuzz.input;

import java.util.Random;
import java.util.stream.Stream;

/** Descriptions of entities in Atom XML. Some of them have invalid fields, and some are not XML. */
public final class AtomTexts {
    private static final String CONNECT = "http://schemas.microsoft.com/netservices/2010/10/servicebus/connect";
    private static final String[] ELEMENTS = {
        "LockDuration",
        "MaxSizeInMegabytes",
        "RequiresDuplicateDetection",
        "RequiresSession",
        "DefaultMessageTimeToLive",
        "DeadLetteringOnMessageExpiration",
        "DuplicateDetectionHistoryTimeWindow",
        "MaxDeliveryCount",
        "Status",
        "ForwardTo",
        "EnableBatchedOperations",
        "UserMetadata",
        "AutoDeleteOnIdle",
        "EnablePartitioning",
        "ForwardDeadLetteredMessagesTo",
        "EnableExpress",
        "SupportOrdering",
        "MaxMessageSizeInKilobytes",
        "EnableFilteringMessagesBeforePublishing",
        "IsClientAffine",
        "Nonsense"
    };
    private static final String[] VALUES = {
        "",
        "true",
        "false",
        "1",
        "-1",
        "10",
        "1024",
        "PT1M",
        "P99999999999D",
        "P10675199DT2H48M5.4775807S",
        "PT0.0000001S",
        "Active",
        "Disabled",
        "q",
        "t",
        "https://localhost/q",
        "99999999999999999999",
        "1e5",
        "&lt;",
        "&#13;&#10;&#9;",
        "&#x10FFFF;",
        "]]&gt;",
        "\u00e4"
    };
    private static final String[] DESCRIPTIONS = {
        "QueueDescription", "TopicDescription", "SubscriptionDescription", "RuleDescription", "Nonsense"
    };
    private static final String[] TYPES = {
        "d:int",
        "d:string",
        "d:long",
        "d:double",
        "d:boolean",
        "d:dateTime",
        "d:duration",
        "d:decimal",
        "e:guid",
        "e:duration",
        "e:char",
        "d:anyURI",
        "none:int",
        "d:nonsense",
        ""
    };
    private static final String[] RIGHTS = {"Send", "Listen", "Manage", "manage", ""};

    /** A nesting depth that no reader should follow. */
    private static final int DEEP = 2_000;

    private final Random random;

    public AtomTexts(Random random) {
        this.random = random;
    }

    public static Stream<String> words() {
        return Stream.concat(Stream.of(ELEMENTS), Stream.of(VALUES));
    }

    /** Returns the body of a request. */
    public String entry() {
        return switch (random.nextInt(30)) {
            case 0 -> "<!DOCTYPE entry [<!ENTITY a \"" + "a".repeat(50) + "\"><!ENTITY b \"&a;&a;\">]>" + entry("&b;");
            case 1 -> entry("<a>".repeat(random.nextInt(DEEP)) + "x");
            case 2 -> entry("<a b='c'/>".repeat(random.nextInt(DEEP)));
            case 3 -> "<?xml version=\"1.0\" encoding=\"" + one(VALUES) + "\"?>" + entry("");
            default -> entry("");
        };
    }

    private String entry(String more) {
        String description = one(DESCRIPTIONS);
        StringBuilder out =
                new StringBuilder("<entry xmlns=\"http://www.w3.org/2005/Atom\"><content type=\"application/xml\"><");
        out.append(description).append(" xmlns=\"").append(CONNECT);
        out.append("\" xmlns:i=\"http://www.w3.org/2001/XMLSchema-instance\">");
        if (description.equals("RuleDescription")) {
            out.append(rule());
        } else {
            for (int i = random.nextInt(5); i > 0; i--) {
                element(out, one(ELEMENTS), one(VALUES));
            }
            if (random.nextInt(4) == 0) {
                out.append(accessRules());
            }
            if (random.nextInt(4) == 0) {
                element(out, "DefaultRuleDescription", rule());
            }
        }
        return out.append(more)
                .append("</")
                .append(description)
                .append("></content></entry>")
                .toString();
    }

    private static void element(StringBuilder out, String name, String content) {
        out.append('<')
                .append(name)
                .append('>')
                .append(content)
                .append("</")
                .append(name)
                .append('>');
    }

    private String accessRules() {
        StringBuilder out = new StringBuilder("<AuthorizationRules>");
        for (int i = random.nextInt(3); i > 0; i--) {
            out.append(
                    "<AuthorizationRule i:type=\"SharedAccessAuthorizationRule\"><ClaimType>SharedAccessKey</ClaimType>"
                            + "<ClaimValue>None</ClaimValue><Rights>");
            for (int right = random.nextInt(4); right > 0; right--) {
                element(out, "AccessRights", one(RIGHTS));
            }
            out.append("</Rights>");
            element(out, "KeyName", one(VALUES));
            element(out, "PrimaryKey", one(VALUES));
            out.append("</AuthorizationRule>");
        }
        return out.append("</AuthorizationRules>").toString();
    }

    private String rule() {
        SqlTexts texts = new SqlTexts(random);
        String filter = random.nextBoolean()
                ? "<Filter i:type=\"SqlFilter\"><SqlExpression>" + escaped(texts.filter())
                        + "</SqlExpression><Parameters>" + pair() + "</Parameters></Filter>"
                : "<Filter i:type=\"" + (random.nextInt(4) > 0 ? "CorrelationFilter" : one(VALUES)) + "\"><Label>"
                        + one(VALUES) + "</Label><Properties>" + pair() + "</Properties></Filter>";
        return filter + "<Action i:type=\"SqlRuleAction\"><SqlExpression>" + escaped(texts.action())
                + "</SqlExpression></Action><Name>r</Name>";
    }

    private String pair() {
        return "<KeyValueOfstringanyType><Key>" + (random.nextBoolean() ? "@p" : one(VALUES)) + "</Key><Value i:type=\""
                + one(TYPES) + "\" xmlns:d=\"http://www.w3.org/2001/XMLSchema\""
                + " xmlns:e=\"http://schemas.microsoft.com/2003/10/Serialization/\">" + one(VALUES)
                + "</Value></KeyValueOfstringanyType>";
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;");
    }

    private String one(String[] of) {
        return of[random.nextInt(of.length)];
    }
}
