package dev.jitney.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.model.ErrorCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The pages of {@code docs/reference} match the program; this test writes them on request. */
class ReferencePagesTest {
    static final String RENEW =
            "mvn -pl server -am test -Dtest=ReferencePagesTest -Dsurefire.failIfNoSpecifiedTests=false"
                    + " -Djitney.reference.renew=true";
    private static final Path PAGES = Path.of("../docs/reference");

    static Stream<Arguments> pages() {
        return Stream.of(
                Arguments.of("errors.md", ReferencePages.errors()),
                Arguments.of("properties.md", ReferencePages.properties()),
                Arguments.of("settings.md", ReferencePages.settings()));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("pages")
    @DisplayName("A reference page is up to date")
    void pagesAreUpToDate(String name, String generated) throws IOException {
        Path page = PAGES.resolve(name);
        if (Boolean.getBoolean("jitney.reference.renew")) {
            Files.createDirectories(PAGES);
            Files.writeString(page, generated);
        }
        assertThat(page).as("renew the page with: " + RENEW).content().isEqualTo(generated);
    }

    @Test
    @DisplayName("Issue 3, 6: every error has a unique number, a condition, a status, a text and advice")
    void errorsAreComplete() {
        assertThat(Arrays.stream(ErrorCode.values()).map(ErrorCode::number)).doesNotHaveDuplicates();
        for (ErrorCode code : ErrorCode.values()) {
            assertThat(code.amqpCondition()).as(code.name()).matches("[a-z.:-]+");
            assertThat(code.httpStatus()).as(code.name()).isBetween(400, 599);
            assertThat(code.subCode())
                    .as(code.name())
                    .satisfiesAnyOf(
                            sub -> assertThat(sub).isZero(),
                            sub -> assertThat(sub).isBetween(40_000, 60_000));
            assertThat(code.text()).as(code.name()).endsWith(".");
            assertThat(code.advice()).as(code.name()).endsWith(".");
        }
    }
}
