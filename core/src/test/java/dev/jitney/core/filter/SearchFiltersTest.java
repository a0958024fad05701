package dev.jitney.core.filter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.core.filter.body.MessageBody;
import dev.jitney.core.filter.property.EncodedMessageProperties;
import dev.jitney.core.filter.value.Value;
import dev.jitney.model.MessageContent;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.qpid.protonj2.types.Binary;
import org.apache.qpid.protonj2.types.Symbol;
import org.apache.qpid.protonj2.types.messaging.AmqpSequence;
import org.apache.qpid.protonj2.types.messaging.AmqpValue;
import org.apache.qpid.protonj2.types.messaging.ApplicationProperties;
import org.apache.qpid.protonj2.types.messaging.Data;
import org.apache.qpid.protonj2.types.messaging.Footer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The filter of a search")
final class SearchFiltersTest {
    private static final String ORDER =
            "{\"order\": {\"id\": 7, \"name\": \"Ada's\", \"paid\": true, \"note\": null, \"items\": [1.5, 2]}}";

    /** Returns a message whose body consists of sections, with the properties body, json and contains. */
    private static MessageContent message(Object... sections) {
        ByteBuffer nothing = ByteBuffer.allocate(0);
        ByteBuffer body = ByteBuffer.allocate(3 << 20);
        for (Object section : sections) {
            body.put(Messages.encode(section));
        }
        Map<String, Object> properties = Map.of("body", "of the property", "json", 3, "contains", "c", "color", "red");
        return MessageContent.of(
                true,
                4,
                false,
                nothing,
                nothing,
                Messages.encode(new ApplicationProperties(new LinkedHashMap<>(properties))),
                body.flip());
    }

    /** Returns a message with a list of nulls, each of which has one byte. */
    private static MessageContent nulls(int count) {
        ByteBuffer nothing = ByteBuffer.allocate(0);
        ByteBuffer body = ByteBuffer.allocate(12 + count);
        body.put(new byte[] {0x00, 0x53, 0x77, (byte) 0xd0}).putInt(4 + count).putInt(count);
        Arrays.fill(body.array(), body.position(), body.capacity(), (byte) 0x40);
        return MessageContent.of(true, 4, false, nothing, nothing, nothing, body.clear());
    }

    private static Data data(String text) {
        return new Data(text.getBytes(StandardCharsets.UTF_8));
    }

    private static Value judge(String filter, MessageContent content) {
        Evaluation evaluation = new Evaluation(
                new EncodedMessageProperties(content, Map.of(), Messages.BROKER),
                () -> new UUID(1, 2),
                StepBudget.ofSearch(),
                MessageBody.of(content));
        return FilterLanguage.compileSearch(filter).get().judge(evaluation);
    }

    private static String result(String filter, MessageContent content) {
        return Filters.letter(judge(filter, content));
    }

    private static String refusal(String filter) {
        return FilterLanguage.compileSearch(filter).rejection().description();
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            body CONTAINS 'Ada''s'                              | T
            body contains '"id": 7'                             | T
            Body CONTAINS 'ada'                                 | F
            NOT body CONTAINS 'Ada'                             | F
            body NOT CONTAINS 'Ada'                             | F
            body NOT CONTAINS 'Bob'                             | T
            (body) CONTAINS 'Ada'                               | X
            body CONTAINS 'A' + 'da'                            | T
            body CONTAINS 'x' OR color = 'red'                  | T
            body CONTAINS 'Ada' AND (body CONTAINS 'paid')      | T
            json('$.order.id') = 7                              | T
            7 = json('$.order.id')                              | T
            JSON('$.order.id') > 6.5                            | T
            json('$.order.id') * 2 + 1 = 15                     | T
            -json('$.order.id') = -7                            | T
            json('$.order.id') IN (1, 7)                        | T
            json('$.order.name') LIKE 'A%'                      | T
            json('$.order.name') + '!' = 'Ada''s!'              | T
            json('$[''order''][''name'']') = 'Ada''s'           | T
            json('$["order"].items[1]') = 2                     | T
            json('$.order.items[0]') = 1.5                      | T
            json('$.order.paid')                                | T
            NOT json('$.order.paid')                            | F
            json('$.order.note') IS NULL                        | T
            json('$.order.note') = NULL                         | T
            json('$.order.gone') IS NULL                        | T
            json('$.order.gone') = 1                            | U
            NOT json('$.order.gone') = 1                        | U
            json('$.order') IS NOT NULL                         | T
            json('$.order') = 1                                 | E
            json('$.order.id') = 'seven'                        | E
            body = 'of the property'                            | T
            user.body LIKE 'of%' AND [body] IS NOT NULL         | T
            EXISTS(body) AND EXISTS(json) AND EXISTS(contains)  | T
            json = 3 AND user.json + json = 6                   | T
            contains = 'c' AND user.contains = 'c'              | T
            p('body') = body                                    | T
            """)
    void readsAnOrder(String filter, String expected) {
        if (expected.equals("X")) {
            assertThat(refusal(filter)).isNotBlank();
        } else {
            assertThat(result(filter, message(data(ORDER)))).isEqualTo(expected);
        }
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            color CONTAINS 'x'            | body before CONTAINS at line 1, column 1 of the SQL filter, but got 'color'.
            a = 1 OR user.body CONTAINS 'x' | body before CONTAINS at line 1, column 10 of the SQL filter, but got 'user'.
            [body] CONTAINS 'x'           | body before CONTAINS at line 1, column 1 of the SQL filter, but got '[body]'.
            body CONTAINS ''              | a string with characters after CONTAINS at line 1, column 15 of the SQL filter, but got ''''.
            body CONTAINS 7               | a string with characters after CONTAINS at line 1, column 15 of the SQL filter, but got '7'.
            body CONTAINS color           | a string with characters after CONTAINS at line 1, column 15 of the SQL filter, but got 'color'.
            body CONTAINS                 | a value at line 1, column 14 of the SQL filter, but got the end.
            body NOT = 'x'                | IN, LIKE, CONTAINS at line 1, column 10 of the SQL filter, but got '='.
            json() = 1                    | one argument for json at line 1, column 1 of the SQL filter, but got 0 arguments.
            json('$', '$') = 1            | one argument for json at line 1, column 1 of the SQL filter, but got 2 arguments.
            json(color) = 1               | a path in quotes at line 1, column 6 of the SQL filter, but got 'color'.
            json('$' + '.a') = 1          | a path in quotes at line 1, column 6 of the SQL filter, but got ''$''.
            json('order') = 1             | a path that begins with '$' at line 1, column 7 of the SQL filter, but got 'o'.
            json('') = 1                  | a path that begins with '$' at line 1, column 7 of the SQL filter, but got the end of the string.
            json('$.a..b') = 1            | the name of a member at line 1, column 11 of the SQL filter, but got '.'.
            json('$[''a''].') = 1         | the name of a member at line 1, column 16 of the SQL filter, but got the end of the string.
            json('$[-1]') = 1             | a name in quotes or an index from 0 to 999999999 at line 1, column 9 of the SQL filter, but got '-'.
            EXISTS(json('$.a'))           | a property in EXISTS at line 1, column 8 of the SQL filter, but got 'json'.
            xml('$.a') = 1                | one of the functions newid, property, p and json at line 1, column 1 of the SQL filter, but got a call of 'xml'.
            """)
    void namesThePositionOfAMistake(String filter, String expected) {
        assertThat(refusal(filter)).isEqualTo("Expected " + expected);
    }

    @Test
    @DisplayName("counts the lines of a path")
    void countsLines() {
        assertThat(refusal("a = 1 OR\n json('$[''\u00fc\ud83d\ude00\nb''].c!') = 1"))
                .startsWith(
                        "Expected '.' or '[' or the end of the path at line 3, column 7 of the SQL filter, but got '!'");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            body CONTAINS 'x'        | an operator or the end at line 1, column 6 of the SQL filter, but got 'CONTAINS'.
            NOT body CONTAINS 'x'    | an operator or the end at line 1, column 10 of the SQL filter, but got 'CONTAINS'.
            body NOT CONTAINS 'x'    | IN, LIKE at line 1, column 10 of the SQL filter, but got 'CONTAINS'.
            json('$.id') = 7         | one of the functions newid, property and p at line 1, column 1 of the SQL filter, but got a call of 'json'.
            """)
    @DisplayName("FILTER-4: a rule never reads the body")
    void rulesRefuse(String filter, String expected) {
        assertThat(Filters.refusal(filter)).isEqualTo("Expected " + expected);
    }

    @ParameterizedTest(name = "FILTER-5: a rule with {0} reads the properties")
    @ValueSource(
            strings = {
                "body = 'of the property' AND json = 3 AND contains = 'c'",
                "user.body IS NOT NULL AND user.contains IS NOT NULL AND p('json') > 2",
                "EXISTS(contains) AND contains IN ('c') AND [contains] LIKE contains"
            })
    void rulesKeepTheNames(String filter) {
        Evaluation rule = Messages.evaluation(message(data("x")), Map.of(), Messages.BROKER);

        assertThat(Filters.result(filter, rule)).isEqualTo("T");
        assertThat(result(filter, message(data("x")))).isEqualTo("T");
        assertThat(Filters.action("SET contains = contains + body; REMOVE body; SET json = 1"))
                .isNotNull();
    }

    @Test
    @DisplayName("reads all data sections as one text")
    void sections() {
        MessageContent split =
                message(data("{\"id\""), data(""), data(": 7, \"na"), data("me\": \"x\"}"), new Footer(Map.of()));

        assertThat(result("body CONTAINS 'd\": 7, \"name' AND json('$.id') = 7 AND json('$.name') = 'x'", split))
                .isEqualTo("T");
        assertThat(result("body CONTAINS 'id\"\u0000'", split)).isEqualTo("F");
    }

    @Test
    @DisplayName("compares the bytes of the text with those of the body")
    void bytes() {
        MessageContent binary = message(new Data(new byte[] {1, (byte) 0xc3, (byte) 0xbc, (byte) 0xff, 0, 'a'}));

        assertThat(result("body CONTAINS '\u00fc'", binary)).isEqualTo("T");
        assertThat(result("body CONTAINS '\u00c3'", binary)).isEqualTo("F");
        assertThat(result("body CONTAINS '\u0000a'", binary)).isEqualTo("T");
        assertThat(result("json('$.id') IS NULL", binary)).isEqualTo("T");
    }

    @Test
    @DisplayName("searches the strings in values and sequences one by one, at any depth, and reads JSON in a string")
    void values() {
        Map<Object, Object> map = new LinkedHashMap<>();
        map.put("key one", List.of(1, "two", new UUID(3, 3)));
        map.put(Symbol.valueOf("symbolic"), new Binary("deep".getBytes(StandardCharsets.UTF_8)));
        map.put("array", new String[] {"first", "second"});
        map.put("numbers", new int[] {0x61626364});
        map.put("span", Messages.timeSpan(5));
        MessageContent value = message(new AmqpValue<>(map));
        for (String part : List.of("key one", "two", "symbolic", "deep", "first", "second", "timespan")) {
            assertThat(result("body CONTAINS '" + part + "'", value)).as(part).isEqualTo("T");
        }
        for (String part : List.of("twothree", "onetwo", "firstsecond", "abcd")) {
            assertThat(result("body CONTAINS '" + part + "'", value)).as(part).isEqualTo("F");
        }
        MessageContent sequence =
                message(new AmqpSequence<>(List.of("a", List.of("bc"))), new AmqpSequence<>(List.of("d")));
        assertThat(result("body CONTAINS 'bc' AND body CONTAINS 'd' AND body NOT CONTAINS 'cd'", sequence))
                .isEqualTo("T");

        assertThat(result("json('$.id') = 7", message(new AmqpValue<>("{\"id\": 7}"))))
                .isEqualTo("T");
        assertThat(result(
                        "json('$.id') = 7",
                        message(new AmqpValue<>(new Binary("{\"id\": 7}".getBytes(StandardCharsets.UTF_8))))))
                .isEqualTo("T");
        assertThat(result("json('$.id') IS NULL", value)).isEqualTo("T");
        assertThat(result("json('$') IS NULL", sequence)).isEqualTo("T");
    }

    @Test
    @DisplayName("finds nothing in a message without a body, and fails for one whose body is not AMQP")
    void noBody() {
        assertThat(result("body NOT CONTAINS 'x' AND json('$') IS NULL", message()))
                .isEqualTo("T");
        assertThat(result("body NOT CONTAINS 'x'", message(new Footer(Map.of(Symbol.valueOf("k"), "x")))))
                .isEqualTo("T");

        ByteBuffer nothing = ByteBuffer.allocate(0);
        ByteBuffer wrong = ByteBuffer.wrap(new byte[] {0, 0x53, 0x77, (byte) 0xd0, 0, 0, 0, 9, 1});
        MessageContent corrupt = MessageContent.of(true, 4, false, nothing, nothing, nothing, wrong);
        assertThat(judge("body CONTAINS 'x'", corrupt).description()).startsWith("Expected a readable body: ");
    }

    @Test
    @DisplayName("fails, and names the bound, if the first mebibyte of a larger body does not decide")
    void largeBodies() {
        String padding = "x".repeat(MessageBody.BYTES_MAX);
        MessageContent large = message(data("{\"id\": 7, \"padding\": \"" + padding + "\", \"last\": 8}"));

        assertThat(result("body CONTAINS '\"id\": 7'", large)).isEqualTo("T");
        assertThat(result("json('$.id') = 7", large)).isEqualTo("T");
        for (String undecided : List.of(
                "body CONTAINS 'last'",
                "body NOT CONTAINS 'last'",
                "NOT body CONTAINS 'last'",
                "json('$.last') = 8",
                "json('$.last') IS NULL",
                "json('$.padding') IS NULL")) {
            assertThat(judge(undecided, large).description()).as(undecided).contains("first 1048576 bytes");
        }
        assertThat(judge("body CONTAINS 'y'", message(data(padding + "x"))).description())
                .contains("first 1048576 bytes");
        assertThat(judge("body CONTAINS 'y'", message(data(padding), data("y"))).description())
                .contains("first 1048576 bytes");
        assertThat(judge("body CONTAINS 'y'", message(new AmqpValue<>(List.of("a", padding + "y"))))
                        .description())
                .contains("first 1048576 bytes");
        assertThat(judge("json('$') = 1", message(data(" ".repeat(MessageBody.BYTES_MAX - 1) + "12")))
                        .description())
                .as("a number that may continue")
                .contains("first 1048576 bytes");
    }

    @Test
    @DisplayName("reads a body of a mebibyte once, also if it is JSON")
    void largestBodies() {
        String item =
                "{\"id\": 12345, \"name\": \"a name of a customer\", \"price\": 12.50, \"tags\": [\"a\", \"b\"]},\n";
        String items = item.repeat((MessageBody.BYTES_MAX - 100) / item.length());
        MessageContent body = message(data("{\"items\": [" + items + "{}], \"last\": 8}"));

        assertThat(result("json('$.last') = 8", body)).isEqualTo("T");
        assertThat(result("body CONTAINS '\"last\": 8' AND body NOT CONTAINS '\"last\": 9'", body))
                .isEqualTo("T");
    }

    @Test
    @DisplayName("fails when its tests of the body need too many steps together, and never takes many more")
    void tooManySteps() {
        List<MessageContent> hostile = new ArrayList<>();
        hostile.add(message(data("a".repeat(1_000_000))));
        hostile.add(message(data("{" + "\"\":1,".repeat(200_000))));
        hostile.add(message(data("[" + "[],".repeat(300_000))));
        hostile.add(message(data("\"" + "\\u00e9".repeat(160_000) + "\"")));
        hostile.add(nulls(1_000_000));
        hostile.add(message(new AmqpValue<>(new ArrayList<>(Collections.nCopies(250_000, "aa")))));
        Data[] empty = new Data[100_000];
        Arrays.fill(empty, data("a"));
        hostile.add(message((Object[]) empty));
        String tests = "body CONTAINS '" + "a".repeat(40)
                + "b' OR json('$.x') = 1 OR json('$[999999]') = 1 OR json('$') = 'x'";
        String filter = String.join(" OR ", tests, tests, tests, tests, tests, tests, tests);

        for (MessageContent content : hostile) {
            StepBudget steps = StepBudget.ofSearch();
            Value value = FilterLanguage.compileSearch(filter)
                    .get()
                    .judge(new Evaluation(
                            new EncodedMessageProperties(content, Map.of(), Messages.BROKER),
                            () -> new UUID(1, 2),
                            steps,
                            MessageBody.of(content)));
            assertThat(value.description()).contains("at most 2010000 steps");
            assertThat(steps.used()).isLessThanOrEqualTo(2_010_000);
        }
    }
}
