package dev.jitney.core.filter;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** FILTER-8: the tables of true, false and unknown, and the propagation of errors (FILTER-20). */
final class ThreeValuedLogicTest {
    private static final Map<String, Object> PROPERTIES = Map.of("t", true, "f", false, "e", 1);

    @ParameterizedTest(name = "FILTER-8: {0} AND {1} is {2}, OR is {3}")
    @CsvSource({
        "t,t,T,T", "t,f,F,T", "t,u,U,T", "f,t,F,T", "f,f,F,F", "f,u,F,U", "u,t,U,T", "u,f,F,U", "u,u,U,U", "t,e,E,T",
        "f,e,F,E", "u,e,E,E", "e,t,E,E", "e,f,E,E", "e,u,E,E", "e,e,E,E"
    })
    void combines(String left, String right, String and, String or) {
        Evaluation evaluation = Messages.with(PROPERTIES);

        assertThat(Filters.result(left + " AND " + right, evaluation)).isEqualTo(and);
        assertThat(Filters.result(left + " OR " + right, evaluation)).isEqualTo(or);
    }

    @Test
    @DisplayName("FILTER-8: NOT U is U, and comparison and arithmetic with U give U")
    void unknownSpreads() {
        Evaluation evaluation = Messages.with(PROPERTIES);

        assertThat(Filters.result("NOT u", evaluation)).isEqualTo("U");
        assertThat(Filters.result("NOT e", evaluation)).isEqualTo("E");
        for (String operator : new String[] {"=", "<>", "!=", "<", "<=", ">", ">="}) {
            assertThat(Filters.result("u " + operator + " 1", evaluation)).isEqualTo("U");
            assertThat(Filters.result("1 " + operator + " u", evaluation)).isEqualTo("U");
            assertThat(Filters.result("u " + operator + " u", evaluation)).isEqualTo("U");
        }
        for (String operator : new String[] {"+", "-", "*", "/", "%"}) {
            assertThat(Filters.result("u " + operator + " 1 = 1", evaluation)).isEqualTo("U");
            assertThat(Filters.result("'x' " + operator + " u = 1", evaluation)).isEqualTo("U");
        }
        assertThat(Filters.result("-u = 1", evaluation)).isEqualTo("U");
        assertThat(Filters.result("u = 1/0", evaluation)).isEqualTo("E");
    }
}
