package dev.jitney.conformance.admin;

import dev.jitney.conformance.support.CheckProgram;
import dev.jitney.conformance.support.JavaProgram;
import dev.jitney.conformance.support.TestBroker;
import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/** The checks of {@code testing/track1}, with the class path with which that SDK was published. */
final class Track1 {

    private Track1() {}

    /** Runs all checks. */
    static Stream<DynamicTest> tests(TestBroker broker) throws IOException {
        return CheckProgram.tests(JavaProgram.of("track1", "dev.jitney.testing.track1.Track1Checks", broker));
    }
}
