package dev.jitney.core.filter.body;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jitney.core.filter.value.Value;
import dev.jitney.core.filter.value.Value.Kind;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The value at a path of a JSON document")
final class JsonReaderTest {
    private static final String ORDER = """
            {
              "order": {"id": 7, "total": 12.5, "paid": true, "note": null, "name": "Ada", "a b": 1, "": 2},
              "items": [ {"sku": "x"}, {"sku": "y"}, [10, [20, 30]], "last" ],
              "big": 9223372036854775807, "small": -9223372036854775808, "bigger": 9223372036854775808
            }
            """;

    private static final Steps UNLIMITED = steps -> true;

    private static Value read(String document, String path) {
        return read(document.getBytes(StandardCharsets.UTF_8), path);
    }

    private static Value read(byte[] document, String path) {
        return read(document, path, UNLIMITED);
    }

    private static Value read(byte[] document, String path, Steps steps) {
        byte[] surrounded = new byte[document.length + 2];
        Arrays.fill(surrounded, (byte) '9'); // bytes outside the range, which must not be read
        System.arraycopy(document, 0, surrounded, 1, document.length);
        return new JsonReader(surrounded, 1, 1 + document.length, steps).read(parsed(path));
    }

    private static JsonPath parsed(String path) {
        try {
            return JsonPath.parse(path);
        } catch (ParseException e) {
            throw new AssertionError(path, e);
        }
    }

    private static String shown(Value value) {
        return switch (value.kind()) {
            case LONG -> "long " + value.bits();
            case DOUBLE -> "double " + value.asDouble();
            case STRING -> "string " + value.text();
            case BOOLEAN -> String.valueOf(value.isTrue());
            case NULL -> "null";
            case UNKNOWN -> "unknown";
            case OTHER -> "other";
            default -> value.kind() + " " + value.description();
        };
    }

    @ParameterizedTest(name = "{0} is {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            $.order.id               | long 7
            $['order']["id"]         | long 7
            $.order.total            | double 12.5
            $.order.paid             | true
            $.order.note             | null
            $.order.name             | string Ada
            $.order['a b']           | long 1
            $.order['']              | long 2
            $.items[0].sku           | string x
            $.items[1]['sku']        | string y
            $.items[2][1][0]         | long 20
            $.items[3]               | string last
            $.items[4]               | unknown
            $.items[2][2]            | unknown
            $.big                    | long 9223372036854775807
            $.small                  | long -9223372036854775808
            $.bigger                 | double 9.223372036854776E18
            $.order                  | other
            $.items                  | other
            $                        | other
            $.missing                | unknown
            $.order.id.more          | unknown
            $.order[0]               | unknown
            $.items.sku              | unknown
            $.Order.id               | unknown
            """)
    void ofAnOrder(String path, String expected) {
        assertThat(shown(read(ORDER, path))).isEqualTo(expected);
    }

    @ParameterizedTest(name = "{0} is {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            7                                  | long 7
            ` \t\r 7 `                         | long 7
            -0                                 | long 0
            -12                                | long -12
            0.5                                | double 0.5
            -1.5e3                             | double -1500.0
            1E+2                               | double 100.0
            1e2                                | double 100.0
            1e999999                           | double Infinity
            -1e999999999999999999999           | double -Infinity
            1e-999999                          | double 0.0
            99999999999999999999999999         | double 1.0E26
            01                                 | unknown
            -                                  | unknown
            +1                                 | unknown
            .5                                 | unknown
            1.                                 | unknown
            1.e2                               | unknown
            1e                                 | unknown
            1e+                                | unknown
            1x                                 | unknown
            1-2                                | unknown
            0x10                               | unknown
            NaN                                | unknown
            True                               | unknown
            tru                                | unknown
            trueish                            | unknown
            false                              | false
            null                               | null
            hello                              | unknown
            `"a`                               | unknown
            `"a\\`                             | unknown
            `"a\\"`                            | unknown
            `"\\"\\\\\\/\\u00e9\\ud83d\\ude00"` | `string "\\/\u00e9\ud83d\ude00`
            `"\\u12g4"`                        | unknown
            `"\\u12"`                          | unknown
            `"\\x"`                            | unknown
            """)
    void ofADocumentThatIsOneValue(String document, String expected) {
        assertThat(shown(read(document, "$"))).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "{",
                "[",
                "}",
                "{]",
                "{\"x\"",
                "{\"x\":",
                "{\"x\":1",
                "{\"x\":1 \"id\":7}",
                "{\"x\":,\"id\":7}",
                "{x:1,\"id\":7}",
                "{'id':7}",
                "{\"id\" 7}",
                "{,\"id\":7}",
                "{\"x\":{\"y\":1,\"id\":7}",
                "[\"id\",7]",
                "{\"x\":\"\\\",\"id\":7}",
                "<id>7</id>",
                "\"id\"",
                "{\"x\":#,\"id\":7}"
            })
    @DisplayName("is unknown if the bytes before it are not JSON")
    void malformed(String document) {
        assertThat(shown(read(document, "$.id"))).isEqualTo("unknown");
    }

    @Test
    @DisplayName("is that of the first member if several have the same name, at every level")
    void duplicates() {
        assertThat(shown(read("{\"id\": 1, \"id\": 2}", "$.id"))).isEqualTo("long 1");
        assertThat(shown(read("{\"a\": {\"b\": 1}, \"a\": {\"c\": 2}}", "$.a.c")))
                .isEqualTo("unknown");
        assertThat(shown(read("{\"\\u0069d\": 1, \"id\": 2}", "$.id")))
                .as("an escaped name")
                .isEqualTo("long 1");
    }

    @Test
    @DisplayName("is found after values with brackets and quotes in their strings, and after a byte order mark")
    void skips() {
        String document = "\ufeff{\"a\": \"}]\\\"{[\", \"b\": [{\"c\": \"]\"}, [[]], {}], \"c\": -1.5e3, \"id\": 7}";

        assertThat(shown(read(document, "$.id"))).isEqualTo("long 7");
        assertThat(shown(read("{\"\u00fc\": 1, \"\ud83d\ude00\": 2}", "$.\ud83d\ude00")))
                .isEqualTo("long 2");
    }

    @Test
    @DisplayName("does not depend on the bytes after it")
    void ignoresTheRest() {
        assertThat(shown(read("{\"id\": 7} and more", "$.id"))).isEqualTo("long 7");
        assertThat(shown(read("{\"id\": \"a\", ", "$.id"))).isEqualTo("string a");
    }

    @Test
    @DisplayName("is found behind a million levels on a small stack")
    void deepNesting() throws InterruptedException {
        String[] shown = new String[1];
        String document = "{\"a\": " + "[".repeat(1_000_000) + "]".repeat(1_000_000) + ", \"id\": 7}";
        Thread small = new Thread(null, () -> shown[0] = shown(read(document, "$.id")), "small", 128 * 1024);
        small.start();
        small.join();

        assertThat(shown[0]).isEqualTo("long 7");
        assertThat(shown(read("[".repeat(1_000_000), "$[0]" + "[0]".repeat(300))))
                .isEqualTo("other");
    }

    @Test
    @DisplayName("is an error if it is a number of more than 400 characters; such a number can be skipped")
    void hugeNumbers() {
        String digits = "7".repeat(401);

        assertThat(shown(read(digits, "$"))).contains("at most 400 characters");
        assertThat(shown(read("{\"a\": " + digits + ", \"id\": 7}", "$.id"))).isEqualTo("long 7");
        assertThat(shown(read("a".repeat(401), "$"))).as("no number").isEqualTo("unknown");
        assertThat(read("7".repeat(400), "$").kind()).isEqualTo(Kind.DOUBLE);
    }

    @Test
    @DisplayName("is unknown if it is not UTF-8, also in a part that UTF-8 could encode")
    void invalidUtf8() {
        for (byte[] wrong : new byte[][] {{(byte) 0xff}, {(byte) 0xc3}, {(byte) 0xed, (byte) 0xa0, (byte) 0x80}}) {
            byte[] document = "{\"a\": \"___\", \"id\": 7}".getBytes(StandardCharsets.UTF_8);
            System.arraycopy(wrong, 0, document, 7, wrong.length);

            assertThat(shown(read(document, "$.a"))).isEqualTo("unknown");
            assertThat(shown(read(document, "$.id"))).isEqualTo("long 7");
        }
        assertThat(shown(read("\"\ufffd\"", "$")))
                .as("the replacement character itself")
                .isEqualTo("string \ufffd");
    }

    @Test
    @DisplayName("takes a step for each byte, and ends when there are too few")
    void steps() {
        long[] left = {100_000};
        Steps limited = steps -> (left[0] -= steps) >= 0;
        byte[] document =
                ("{\"id\": 7, \"a\": \"" + "x".repeat(200_000) + "\", \"z\": 1}").getBytes(StandardCharsets.UTF_8);

        assertThat(shown(read(document, "$.id", limited))).isEqualTo("long 7");
        assertThat(left[0]).as("the steps after a value at the beginning").isGreaterThan(99_000);
        assertThat(shown(read(document, "$.z", limited))).isEqualTo("unknown");
        assertThat(left[0]).as("the steps after a value at the end").isNegative();
    }

    @Test
    @DisplayName("is read from any bytes without an exception")
    void anyBytes() {
        long seed = Long.getLong("filter.seed", System.nanoTime());
        Random random = new Random(seed);
        String alphabet = "{}[]\",:\\u0x-1.eE tfn\u00e9";
        String[] paths = {"$", "$.a", "$[1]", "$.a[0].b", "$['']"};
        for (int run = 0; run < 50_000; run++) {
            StringBuilder text = new StringBuilder(random.nextBoolean() ? "{\"a\":" : "");
            for (int i = random.nextInt(30); i > 0; i--) {
                text.append(alphabet.charAt(random.nextInt(alphabet.length())));
            }
            byte[] document = text.toString().getBytes(StandardCharsets.UTF_8);
            if (document.length > 0 && random.nextInt(4) == 0) {
                document[random.nextInt(document.length)] = (byte) random.nextInt();
            }
            for (String path : paths) {
                assertThat(read(document, path))
                        .as("-Dfilter.seed=%d %s %s", seed, path, text)
                        .isNotNull();
            }
        }
    }

    @ParameterizedTest(name = "{0} is refused at {1}: {2}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            ``             | 0  | a path that begins with '$'
            order          | 0  | a path that begins with '$'
            $order         | 1  | '.' or '[' or the end of the path
            $.             | 2  | the name of a member
            $..id          | 2  | the name of a member
            $.*            | 2  | the name of a member
            $.1a           | 2  | the name of a member
            $.a-b          | 3  | '.' or '[' or the end of the path
            `$.a `         | 3  | '.' or '[' or the end of the path
            $[             | 2  | a name in quotes or an index from 0 to 999999999
            $[]            | 2  | a name in quotes or an index from 0 to 999999999
            $[-1]          | 2  | a name in quotes or an index from 0 to 999999999
            $[*]           | 2  | a name in quotes or an index from 0 to 999999999
            $[01]          | 2  | a name in quotes or an index from 0 to 999999999
            $[1234567890]  | 2  | a name in quotes or an index from 0 to 999999999
            $[1:2]         | 3  | ']'
            $['a           | 4  | the quote after the name
            $['a\\'b']     | 4  | a name without '\\'
            $['a'          | 5  | ']'
            $['a','b']     | 5  | ']'
            $[?(@.a)]      | 2  | a name in quotes or an index from 0 to 999999999
            """)
    void wrongPaths(String path, int index, String expected) {
        assertThatThrownBy(() -> JsonPath.parse(path))
                .isInstanceOfSatisfying(
                        ParseException.class,
                        mistake -> assertThat(mistake.getErrorOffset()).isEqualTo(index))
                .hasMessage(expected);
    }
}
