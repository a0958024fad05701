package dev.jitney.gateway.http.admin;

import static dev.jitney.gateway.http.admin.AdminFixture.detail;
import static dev.jitney.gateway.http.admin.AdminFixture.rule;
import static dev.jitney.gateway.http.admin.AdminFixture.subscription;
import static dev.jitney.gateway.http.admin.AdminFixture.text;
import static dev.jitney.gateway.http.admin.AdminFixture.topic;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Subscriptions with their first rule, and rules. */
class RulesTest {
    private static final String XSD = "http://www.w3.org/2001/XMLSchema";
    private static final String SER = "http://schemas.microsoft.com/2003/10/Serialization/";
    private static final String RULES = "/t/subscriptions/s/rules";

    private final AdminFixture f = new AdminFixture();

    @BeforeEach
    void subscribe() {
        f.created("/t", topic(""));
        f.created("/t/subscriptions/s", subscription(""));
    }

    @AfterEach
    void stop() {
        f.close();
    }

    private static String content(HttpResponse<String> answer) {
        String body = answer.body();
        int from = body.indexOf("<RuleDescription");
        assertThat(from).as(body).isPositive();
        return body.substring(body.indexOf('>', from) + 1, body.indexOf("</RuleDescription>"));
    }

    @Test
    @DisplayName("HTTP checklist 46: a new subscription has the default rule, or the rule of the request")
    void firstRule() {
        assertThat(content(f.get(RULES + "/$Default")))
                .isEqualTo("<Filter i:type=\"TrueFilter\"><SqlExpression>1=1</SqlExpression><CompatibilityLevel>20"
                        + "</CompatibilityLevel></Filter><Action i:type=\"EmptyRuleAction\"/><CreatedAt>"
                        + "2026-11-21T07:01:43Z</CreatedAt><Name>$Default</Name>");
        String filter = "<Filter i:type=\"FalseFilter\"/><Name>none</Name>";
        for (String element : new String[] {"DefaultRuleDescription", "RuleDescription"}) {
            f.created("/t/subscriptions/x", subscription("<" + element + ">" + filter + "</" + element + ">"));
            HttpResponse<String> rules = f.get("/t/subscriptions/x/rules");
            assertThat(rules.body()).containsOnlyOnce("<entry ").contains("i:type=\"FalseFilter\"", ">none</Name>");
            f.delete("/t/subscriptions/x");
        }
        f.created(
                "/t/subscriptions/y",
                subscription("<DefaultRuleDescription><Filter i:type=\"SqlFilter\">"
                        + "<SqlExpression>a=1</SqlExpression></Filter></DefaultRuleDescription>"));
        assertThat(content(f.get("/t/subscriptions/y/rules/$default"))).contains("<SqlExpression>a=1</SqlExpression>");
        assertThat(f.update(
                                "/t/subscriptions/y",
                                subscription("<DefaultRuleDescription><Name>z</Name>" + "</DefaultRuleDescription>"))
                        .statusCode())
                .isEqualTo(200);
        assertThat(f.get("/t/subscriptions/y/rules/z").statusCode()).isEqualTo(404);
        assertThat(detail(
                        f.create(
                                "/t/subscriptions/bad",
                                subscription("<DefaultRuleDescription><Filter i:type=\"SqlFilter\"/>"
                                        + "</DefaultRuleDescription>")),
                        400))
                .startsWith("SubCode=40000. ");
        assertThat(f.get("/t/subscriptions/bad").statusCode()).isEqualTo(404);
    }

    @Test
    @DisplayName(
            "HTTP checklist 47: without a filter a rule accepts all messages, without an action it changes nothing")
    void defaults() {
        String expected = "<Filter i:type=\"TrueFilter\"><SqlExpression>1=1</SqlExpression><CompatibilityLevel>20"
                + "</CompatibilityLevel></Filter><Action i:type=\"EmptyRuleAction\"/><CreatedAt>2026-11-21T07:01:43Z"
                + "</CreatedAt><Name>r</Name>";
        for (String elements : new String[] {
            "",
            "<Filter/><Action/>",
            "<Action i:type=\"EmptyRuleAction\"/><Name>other</Name>",
            "<Filter i:type=\"TrueFilter\"/>"
        }) {
            HttpResponse<String> answer = f.create(RULES + "/r", rule(elements));
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
            assertThat(content(answer)).isEqualTo(expected);
            f.delete(RULES + "/r");
        }
    }

    @Test
    @DisplayName("HTTP checklist 48: an update may replace the kind of filter and keeps the creation time")
    void otherFilter() {
        f.created(
                RULES + "/R",
                rule("<Filter i:type=\"SqlFilter\"><SqlExpression>a &lt; 1</SqlExpression></Filter>"
                        + "<Action i:type=\"SqlRuleAction\"><SqlExpression>SET b = 'x'</SqlExpression></Action>"));
        assertThat(content(f.get(RULES + "/R")))
                .contains("<SqlExpression>a &lt; 1</SqlExpression>")
                .contains("<Action i:type=\"SqlRuleAction\"><SqlExpression>SET b = 'x'</SqlExpression>"
                        + "<CompatibilityLevel>20</CompatibilityLevel></Action>");
        f.broker.nowMs.addAndGet(5_500);
        HttpResponse<String> updated = f.update(
                RULES + "/r",
                rule("<Filter i:type=\"CorrelationFilter\"><Label>l</Label><MessageId/><ContentType>c</ContentType>"
                        + "<CorrelationId>i</CorrelationId></Filter>"));
        assertThat(updated.statusCode()).isEqualTo(200);
        assertThat(content(updated))
                .isEqualTo("<Filter i:type=\"CorrelationFilter\"><CorrelationId>i</CorrelationId><Label>l</Label>"
                        + "<ContentType>c</ContentType></Filter><Action i:type=\"EmptyRuleAction\"/><CreatedAt>"
                        + "2026-11-21T07:01:43Z</CreatedAt><Name>R</Name>");
        assertThat(text(updated, "title")).isEqualTo("R");
        assertThat(content(f.get(RULES + "/r"))).isEqualTo(content(updated));
    }

    @Test
    @DisplayName(
            "HTTP checklist 49: typed values keep type and text; the type is written as i:type with a prefix of four")
    void typedValues() {
        String[][] values = {
            {"x:string", " a&lt;b ", XSD},
            {"x:string", "", XSD},
            {"x:int", "5", XSD},
            {"x:long", "-5", XSD},
            {"x:double", "7", XSD},
            {"x:double", "1.50E3", XSD},
            {"x:boolean", "true", XSD},
            {"x:dateTime", "2026-11-20T10:00:00.1234567+01:00", XSD},
            {"x:duration", "P1DT2H", SER},
            {"s:duration", "PT0.5S", SER},
            {"s:guid", "6a0e6ed4-4d3c-4c88-9a0f-8f2f4d1c3a55", SER},
        };
        StringBuilder sent = new StringBuilder();
        StringBuilder expected = new StringBuilder();
        for (int i = 0; i < values.length; i++) {
            String type = values[i][0];
            sent.append("<KeyValueOfstringanyType><Key>k")
                    .append(i)
                    .append("</Key><Value p4:type=\"")
                    .append(type)
                    .append("\" xmlns:p4=\"" + AdminFixture.INSTANCE + "\" xmlns:x=\"" + XSD + "\" xmlns:s=\"" + SER
                            + "\">")
                    .append(values[i][1])
                    .append("</Value></KeyValueOfstringanyType>");
            expected.append("<KeyValueOfstringanyType><Key>k")
                    .append(i)
                    .append("</Key><Value i:type=\"d6p1:")
                    .append(type.substring(2))
                    .append("\" xmlns:d6p1=\"")
                    .append(values[i][2])
                    .append("\">")
                    .append(values[i][1])
                    .append("</Value></KeyValueOfstringanyType>");
        }
        f.created(
                RULES + "/c",
                rule("<Filter i:type=\"CorrelationFilter\"><Properties>" + sent + "</Properties></Filter>"));
        assertThat(f.get(RULES + "/c").body()).contains("<Properties>" + expected + "</Properties>");
        assertThat(f.get(RULES).body()).contains("<Properties>" + expected + "</Properties>");
        String expression = IntStream.range(0, values.length) // FILTER-22: every parameter has to be used
                .mapToObj(i -> "a=@k" + i)
                .collect(Collectors.joining(" OR "));
        f.created(
                RULES + "/p",
                rule("<Filter i:type=\"SqlFilterExpression\"><SqlExpression>" + expression
                        + "</SqlExpression><Parameters>" + sent.toString().replace("<Key>k", "<Key>@k")
                        + "</Parameters></Filter>"));
        assertThat(f.get(RULES + "/p").body())
                .contains("<Filter i:type=\"SqlFilter\"><SqlExpression>" + expression
                        + "</SqlExpression><CompatibilityLevel>20</CompatibilityLevel><Parameters>")
                .contains(expected.toString().replace("<Key>k", "<Key>@k"));
    }

    @Test
    @DisplayName("HTTP 2.7: unknown types of filters, actions and values are refused, as are missing and repeated keys")
    void wrongTypes() {
        String pair = "<KeyValueOfstringanyType><Key>k</Key><Value>v</Value></KeyValueOfstringanyType>";
        for (String wrong : new String[] {
            "<Filter i:type=\"OddFilter\"/>",
            "<Filter><SqlExpression>a=1</SqlExpression></Filter>",
            "<Filter i:type=\"no:TrueFilter\"/>",
            "<Action i:type=\"OddAction\"/>",
            "<Filter i:type=\"CorrelationFilter\"/>",
            properties(pair + pair),
            properties("<KeyValueOfstringanyType><Value>v</Value></KeyValueOfstringanyType>"),
            properties("<KeyValueOfstringanyType><Key>k</Key></KeyValueOfstringanyType>"),
            properties(pair.replace("<Value>", "<Value i:type=\"x:int\">")),
            properties(pair.replace("<Value>", "<Value i:type=\"x:odd\" xmlns:x=\"" + XSD + "\">")),
            properties(pair.replace("<Value>", "<Value i:type=\"i:int\">")),
        }) {
            assertThat(detail(f.create(RULES + "/r", rule(wrong)), 400))
                    .as(wrong)
                    .startsWith("SubCode=40000. ");
        }
        assertThat(content(f.create(RULES + "/r", rule(properties(pair))))).contains("d6p1:string");
    }

    private static String properties(String pairs) {
        return "<Filter i:type=\"CorrelationFilter\"><Properties>" + pairs + "</Properties></Filter>";
    }

    @Test
    @DisplayName("HTTP checklist 51: an expression of 1025 characters is refused, and so is an invalid one")
    void wrongExpressions() {
        String expression = "a='" + "x".repeat(1_021) + "'";
        String filter = "<Filter i:type=\"SqlFilter\"><SqlExpression>";
        assertThat(detail(f.create(RULES + "/r", rule(filter + expression + "</SqlExpression></Filter>")), 400))
                .startsWith("SubCode=40000. ");
        for (String wrong : new String[] {"a = = 1", "a = 'x", "SET a = 1"}) {
            assertThat(detail(f.create(RULES + "/r", rule(filter + wrong + "</SqlExpression></Filter>")), 400))
                    .startsWith("SubCode=40000. ");
            assertThat(detail(
                            f.create(
                                    "/t/subscriptions/x",
                                    subscription("<DefaultRuleDescription>" + filter + wrong
                                            + "</SqlExpression></Filter></DefaultRuleDescription>")),
                            400))
                    .startsWith("SubCode=40000. ");
        }
        assertThat(f.get("/t/subscriptions/x").statusCode()).isEqualTo(404);
        f.created(RULES + "/r", rule(filter + expression.replaceFirst("x", "") + "</SqlExpression></Filter>"));
    }

    @Test
    @DisplayName("HTTP checklist 52: from api-version 2024-05 on, a topic has the number of filters of each kind")
    void filterCounts() {
        f.created(RULES + "/c", rule("<Filter i:type=\"CorrelationFilter\"><Label>l</Label></Filter>"));
        f.created(RULES + "/f", rule("<Filter i:type=\"FalseFilter\"/>"));
        assertThat(f.get("/t?api-version=2024-05").body())
                .contains("<SubscriptionCount>1</SubscriptionCount><SqlFilterCount>2</SqlFilterCount>"
                        + "<CorrelationFilterCount>1</CorrelationFilterCount><AutoDeleteOnIdle>");
        assertThat(f.get("/t").body()).doesNotContain("FilterCount");
    }
}
