package dev.jitney.core.filter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.model.ErrorCode;
import dev.jitney.model.Rejection;
import dev.jitney.model.rule.RuleFilter.CorrelationRuleFilter;
import dev.jitney.model.rule.RuleFilter.SqlRuleFilter;
import dev.jitney.model.rule.RuleValue;
import dev.jitney.model.rule.SqlRuleAction;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The refusals at the creation of a rule, with their exact texts. */
final class MalformedTextsTest {

    @ParameterizedTest(name = "FILTER-2: {0}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            a =                | a value at line 1, column 4 of the SQL filter, but got the end.
            a = = 1            | a value at line 1, column 5 of the SQL filter, but got '='.
            a == 1             | a value at line 1, column 4 of the SQL filter, but got '='.
            = 1                | a value or NOT, EXISTS at line 1, column 1 of the SQL filter, but got '='.
            a = 1 b            | an operator or the end at line 1, column 7 of the SQL filter, but got 'b'.
            a = 1 AND          | a value or NOT, EXISTS at line 1, column 10 of the SQL filter, but got the end.
            a = 1; b = 2       | an operator or the end at line 1, column 6 of the SQL filter, but got ';'.
            (a = 1             | ')' at line 1, column 7 of the SQL filter, but got the end.
            a = 1)             | an operator or the end at line 1, column 6 of the SQL filter, but got ')'.
            s = 'abc           | a value at line 1, column 5 of the SQL filter, but got a string that is not closed.
            [a = 1             | a value or NOT, EXISTS at line 1, column 1 of the SQL filter, but got a name in [ that is not closed.
            a = 1 # b          | an operator or the end at line 1, column 7 of the SQL filter, but got '#'.
            a IN ()            | a value at line 1, column 7 of the SQL filter, but got ')'.
            a IN (1,           | a value at line 1, column 9 of the SQL filter, but got the end.
            a IS 1             | NULL at line 1, column 6 of the SQL filter, but got '1'.
            a NOT = 1          | IN, LIKE at line 1, column 7 of the SQL filter, but got '='.
            a LIKE             | a value at line 1, column 7 of the SQL filter, but got the end.
            EXISTS a           | '(' at line 1, column 8 of the SQL filter, but got 'a'.
            EXISTS(1)          | the name of a property at line 1, column 8 of the SQL filter, but got '1'.
            begin = 1          | a value or NOT, EXISTS at line 1, column 1 of the SQL filter, but got the reserved word begin.
            sys. = 1           | the name of a property at line 1, column 6 of the SQL filter, but got '='.
            sys.Nope = 1       | a system property at line 1, column 5 of the SQL filter, but got 'Nope'.
            foo.a = 1          | sys or user before '.' at line 1, column 1 of the SQL filter, but got 'foo'.
            [sys].Label = 1    | sys or user before '.' at line 1, column 1 of the SQL filter, but got '[sys]'.
            foo(1) = 1         | one of the functions newid, property and p at line 1, column 1 of the SQL filter, but got a call of 'foo'.
            a = @x             | a parameter with a value at line 1, column 5 of the SQL filter, but got '@x' without a value.
            a + (b = 1) = 2    | a value at line 1, column 5 of the SQL filter, but got a condition.
            (a = 1) = b        | a value at line 1, column 1 of the SQL filter, but got a condition.
            a = (NOT b)        | a value at line 1, column 5 of the SQL filter, but got a condition.
            a = 9223372036854775808 | an integer from -9223372036854775808 to 9223372036854775807 at line 1, column 5 of the SQL filter, but got '9223372036854775808'.
            1 IS NULL          | a property before IS NULL at line 1, column 1 of the SQL filter, but got '1'.
            s LIKE 'a' ESCAPE 'xy' | one character after ESCAPE at line 1, column 19 of the SQL filter, but got ''xy''.
            SET a = 1          | a value or NOT, EXISTS at line 1, column 1 of the SQL filter, but got 'SET'.
            """)
    void namesThePositionAndWhatWasExpected(String filter, String refusal) {
        assertThat(Filters.refusal(filter)).isEqualTo("Expected " + refusal);
    }

    @ParameterizedTest(name = "FILTER-2: {0}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            SET a               | '=' at line 1, column 6 of the SQL action, but got the end.
            SET = 1             | the name of a property at line 1, column 5 of the SQL action, but got '='.
            SET a = b = 1       | an operator or the end at line 1, column 11 of the SQL action, but got '='.
            REMOVE              | the name of a property at line 1, column 7 of the SQL action, but got the end.
            REMOVE sys.Label    | a user property after REMOVE at line 1, column 8 of the SQL action, but got sys.Label.
            SET sys.SequenceNumber = 1 | a property that can be set at line 1, column 5 of the SQL action, but got sys.SequenceNumber.
            SET p('a') = 1      | a property after SET at line 1, column 5 of the SQL action, but got 'p'.
            SET a = (b = 1)     | a value at line 1, column 9 of the SQL action, but got a condition.
            a = 1               | SET, REMOVE at line 1, column 1 of the SQL action, but got 'a'.
            SET a = 1;; SET b=1 | an operator or the end at line 1, column 11 of the SQL action, but got ';'.
            """)
    void namesThePositionInActions(String action, String refusal) {
        assertThat(Filters.actionRefusal(action)).isEqualTo("Expected " + refusal);
    }

    @Test
    @DisplayName("FILTER-2: a refusal is an argument error, and lines are counted")
    void countsLines() {
        Rejection rejection = Filters.compile("a = 1\n  AND\n    b ~ 2").rejection();

        assertThat(rejection).isNotNull();
        assertThat(rejection.code()).isEqualTo(ErrorCode.ARGUMENT);
        assertThat(rejection.description()).contains("line 3, column 7").contains("but got '~'");
    }

    @ParameterizedTest(name = "FILTER-2: {0} is refused unless delimited")
    @ValueSource(
            strings = {
                "AND",
                "OR",
                "NOT",
                "EXISTS",
                "IS",
                "NULL",
                "IN",
                "LIKE",
                "ESCAPE",
                "TRUE",
                "FALSE",
                "SET",
                "REMOVE",
                "BEGIN",
                "END",
                "BREAK",
                "CONTINUE",
                "GOTO",
                "IF",
                "ELSE",
                "WHILE",
                "TRY",
                "CATCH",
                "AS",
                "BETWEEN",
                "COALESCE",
                "CONVERT",
                "DECLARE",
                "NULLIF"
            })
    void reservedWordsAreNamesOnlyWhenDelimited(String word) {
        assertThat(Filters.compile("EXISTS(" + word + ")").rejection()).isNotNull();
        assertThat(Filters.compile("EXISTS([" + word + "]) AND EXISTS(\"" + word + "\")")
                        .rejection())
                .isNull();
    }

    @Test
    @DisplayName("FILTER-23: 1,024 characters are accepted, one more is refused")
    void limitsCharacters() {
        String filter = "a = '" + "x".repeat(1_018) + "'";

        assertThat(filter).hasSize(1_024);
        assertThat(Filters.compile(filter).rejection()).isNull();
        assertThat(Filters.refusal(filter + " ")).contains("1 to 1024 characters, but got 1025");
        assertThat(Filters.refusal("")).contains("1 to 1024 characters, but got 0");
    }

    @Test
    @DisplayName("FILTER-23: 32 nested parentheses and 32 nested operators are accepted, one more is refused")
    void limitsDepth() {
        assertThat(Filters.compile("(".repeat(32) + "b" + ")".repeat(32)).rejection())
                .isNull();
        assertThat(Filters.refusal("(".repeat(33) + "b" + ")".repeat(33)))
                .contains("at most 32 nested parentheses at line 1, column 33");
        assertThat(Filters.compile("NOT ".repeat(31) + "b").rejection()).isNull();
        assertThat(Filters.refusal("NOT ".repeat(32) + "b")).contains("at most 32 nested operators");
        assertThat(Filters.compile("-(".repeat(30) + "a" + ")".repeat(30) + " = 1")
                        .rejection())
                .isNull();
        assertThat(Filters.refusal("-(".repeat(31) + "a" + ")".repeat(31) + " = 1"))
                .contains("at most 32 nested operators");
    }

    @Test
    @DisplayName("FILTER-23: consecutive operators of the same precedence are one level, for any number of them")
    void rowsOfOperatorsAreNotDeep() {
        String many = IntStream.range(0, 120).mapToObj(i -> "a=" + i).collect(Collectors.joining(" OR "));

        assertThat(Filters.compile(many).rejection()).isNull();
        assertThat(Filters.result(many, Messages.with(Messages.golden()))).isEqualTo("T");
    }

    @Test
    @DisplayName("FILTER-23: 1,024 operands and operators fit into a text and are accepted; more are refused")
    void limitsNodes() {
        String full = "-a*".repeat(340) + "-a" + ">0";

        assertThat(full).hasSize(1_024);
        assertThat(Filters.compile(full).rejection()).isNull();

        SyntaxLimits nine = new SyntaxLimits(1_024, 9, 32, 32);
        assertThat(compile("a=1 OR b=2 OR c", nine)).isNull();
        assertThat(compile("a=1 OR b=2 OR -c", nine)).contains("at most 9 operands and operators");
    }

    private static String compile(String filter, SyntaxLimits limits) {
        Rejection rejection = FilterLanguage.compileFilter(new SqlRuleFilter(filter, Map.of()), limits)
                .rejection();
        return rejection == null ? null : rejection.description();
    }

    @Test
    @DisplayName("FILTER-22: every parameter that is used has a value; a value that the text does not use is accepted")
    void parametersAreAllSuppliedAndAllUsed() {
        RuleValue five = new RuleValue(RuleValue.Type.INT, "5");

        assertThat(Filters.compile("a = @x", Map.of("@x", five)).rejection()).isNull();
        assertThat(Filters.compile("a = @x OR a = @X", Map.of("@x", five)).rejection())
                .isNull();
        assertThat(Filters.compile("a = @x", Map.of("@x", five, "@Y", five)).rejection())
                .isNull();
        assertThat(FilterLanguage.compileAction(new SqlRuleAction("SET a = @x", Map.of("@x", five, "@Y", five)))
                        .rejection())
                .isNull();
        assertThat(Filters.compile("a = @x", Map.of("@x", new RuleValue(RuleValue.Type.INT, "five")))
                        .rejection()
                        .description())
                .isEqualTo("Expected int as the value of parameter '@x', but got 'five'.");
        assertThat(Filters.compile("a = @x", Map.of("@x", five, "@X", five))
                        .rejection()
                        .description())
                .contains("has two");
    }

    @Test
    @DisplayName("FILTER-26: a correlation filter without conditions or with a malformed value is refused")
    void refusesCorrelationFilters() {
        assertThat(correlation(Map.of()).description()).contains("at least one condition");
        assertThat(correlation(Map.of("n", new RuleValue(RuleValue.Type.DOUBLE, "0x1p3")))
                        .description())
                .isEqualTo("Expected double as the value of property 'n', but got '0x1p3'.");
    }

    private static Rejection correlation(Map<String, RuleValue> properties) {
        return FilterLanguage.compileFilter(
                        new CorrelationRuleFilter(null, null, null, null, null, null, null, null, properties))
                .rejection();
    }
}
