package dev.jitney.core.filter;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The golden cases of the reference, semantics chapter 15, row by row from left to right. */
final class GoldenCasesTest {

    @ParameterizedTest(name = "{0}: {1} is {2}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            FILTER-5  | A = 1                           | T
            FILTER-19 | s = 'abc'                       | F
            FILTER-7  | m = 1                           | U
            FILTER-8  | NOT (m = 1)                     | U
            FILTER-9  | m IS NULL                       | T
            FILTER-9  | n IS NULL                       | T
            FILTER-9  | EXISTS(n)                       | T
            FILTER-9  | EXISTS(m)                       | F
            FILTER-8  | m = 1 OR a = 1                  | T
            FILTER-8  | NOT (m = 1 AND a = 2)           | T
            FILTER-11 | a IN (1, 2)                     | T
            FILTER-11 | m NOT IN (1, 2)                 | U
            FILTER-12 | s LIKE '_b%'                    | T
            FILTER-12 | s LIKE 'Ab'                     | F
            FILTER-12 | m LIKE 'A%'                     | U
            FILTER-12 | a LIKE '1'                      | E
            FILTER-15 | a + d = 3.5                     | T
            FILTER-16 | a / 2 = 0                       | T
            FILTER-16 | a / 0 = 1                       | E
            FILTER-18 | a = '1'                         | E
            FILTER-17 | s + 'd' = 'Abcd'                | T
            FILTER-14 | a = 1.0                         | T
            FILTER-6  | sys.Label = 'x'                 | F
            FILTER-6  | sys.Label IS NULL               | T
            FILTER-21 | p('a') = 1                      | T
            FILTER-5  | [a] = 1 AND "a" = 1             | T
            FILTER-10 | n > 1                           | F
            FILTER-10 | n = NULL                        | T
            FILTER-13 | a = 9223372036854775808         | X
            FILTER-6  | sys.Nope = 1                    | X
            FILTER-2  | begin = 1                       | X
            FILTER-2  | [begin] IS NULL                 | T
            FILTER-3  | b                               | T
            FILTER-3  | a                               | E
            FILTER-21 | foo(1) = 1                      | X
            FILTER-21 | property('m') = 1               | U
            """)
    void givesWhatTheReferenceSays(String id, String filter, String expected) {
        assertThat(Filters.result(filter, Messages.with(Messages.golden()))).isEqualTo(expected);
    }

    /** The tests that single requirements name. */
    @ParameterizedTest(name = "{0}: {1} is {2}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            FILTER-3  | NOT a=1 AND b=2                           | F
            FILTER-3  | NOT a=2 AND d=2.5                         | T
            FILTER-3  | 1+2*3=7                                   | T
            FILTER-3  | NOT NOT b                                 | T
            FILTER-3  | NOT NOT NOT b                             | F
            FILTER-3  | 10-4-3=3                                  | T
            FILTER-3  | 100/10/5=2                                | T
            FILTER-3  | (a) = 1                                   | T
            FILTER-3  | (a+1)*2 = 4                               | T
            FILTER-3  | ((b))                                     | T
            FILTER-3  | a=2 OR a=1 AND b                          | T
            FILTER-3  | (a=2 OR a=1) AND NOT b                    | F
            FILTER-3  | -(a) = -1                                 | T
            FILTER-3  | a = 1 = b                                 | X
            FILTER-5  | [weird]]name] IS NULL                     | T
            FILTER-5  | user.a = 1 AND USER.A = 1 AND [A]=1       | T
            FILTER-7  | m<>1                                      | U
            FILTER-9  | a IS NOT NULL AND m IS NULL               | T
            FILTER-9  | n IS NOT NULL                             | F
            FILTER-9  | 1 IS NULL                                 | X
            FILTER-9  | a+1 IS NULL                               | X
            FILTER-9  | EXISTS(p('a'))                            | X
            FILTER-10 | n <> NULL                                 | F
            FILTER-10 | a = NULL                                  | F
            FILTER-10 | a <> NULL                                 | T
            FILTER-10 | m = NULL                                  | U
            FILTER-11 | a IN (1,NULL)                             | T
            FILTER-11 | a IN (2,NULL)                             | F
            FILTER-11 | a IN (2,m)                                | U
            FILTER-11 | a NOT IN (2,m)                            | U
            FILTER-11 | a NOT IN (2,3)                            | T
            FILTER-11 | a IN (1,'x')                              | T
            FILTER-11 | a IN ('x',1)                              | E
            FILTER-11 | a IN (m,1)                                | T
            FILTER-12 | '100%' LIKE '100!%' ESCAPE '!'            | T
            FILTER-12 | '100x' LIKE '100!%' ESCAPE '!'            | F
            FILTER-12 | s LIKE m                                  | U
            FILTER-12 | s LIKE 'x' ESCAPE 'ab'                    | X
            FILTER-12 | s LIKE 'x' ESCAPE ''                      | X
            FILTER-12 | s LIKE 'x' ESCAPE s                       | E
            FILTER-12 | s NOT LIKE 'a%'                           | T
            FILTER-12 | s LIKE '%'                                | T
            FILTER-12 | '' LIKE '_'                               | F
            FILTER-12 | '' LIKE '%'                               | T
            FILTER-12 | 'aXbXc' LIKE 'a%b_c'                      | T
            FILTER-13 | a > -9223372036854775808                  | T
            FILTER-13 | a < 9223372036854775807                   | T
            FILTER-13 | a > -9223372036854775809                  | X
            FILTER-14 | 0.1+0.2=0.3                               | F
            FILTER-14 | 1E2 = 100 AND 1.5e-1 = 0.15               | T
            FILTER-14 | 1E999 = a                                 | X
            FILTER-16 | 9223372036854775807+a=0                   | E
            FILTER-16 | -7/2 = -3 AND -7%2 = -1                   | T
            FILTER-16 | a % 0 = 1                                 | E
            FILTER-16 | 1.0/0 > 1E308                             | T
            FILTER-16 | -9223372036854775808 / -1 = 0             | E
            FILTER-18 | b = 1                                     | E
            FILTER-18 | b > FALSE                                 | E
            FILTER-18 | newid() < newid()                         | E
            FILTER-18 | s > 1                                     | E
            FILTER-19 | 'A' < 'a'                                 | T
            FILTER-20 | EXISTS(m) AND 1/m=1                       | F
            FILTER-20 | a=1 OR a=s                                | T
            FILTER-20 | a=2 AND a=s                               | F
            FILTER-20 | m=1 AND a=s                               | E
            FILTER-20 | m=1 OR a=s                                | E
            FILTER-21 | newid() = newid()                         | F
            FILTER-21 | p('weird name') IS NULL                   | T
            FILTER-21 | p(s) = 1                                  | U
            FILTER-21 | p(a) = 1                                  | E
            FILTER-21 | p() = 1                                   | X
            FILTER-21 | p('a','b') = 1                            | X
            FILTER-21 | newid(1) = 1                              | X
            FILTER-21 | p = 1 OR property = 1 OR newid = 1        | U
            FILTER-6  | sys.Subject IS NULL AND SYS.LABEL IS NULL | T
            FILTER-6  | other.a = 1                               | X
            """)
    void givesWhatTheRequirementsSay(String id, String filter, String expected) {
        assertThat(Filters.result(filter, Messages.with(Messages.golden()))).isEqualTo(expected);
    }
}
