package dev.jitney.conformance.oldsdk;

import dev.jitney.conformance.support.CheckProgram;
import dev.jitney.conformance.support.JavaProgram;
import dev.jitney.conformance.support.OrdinaryOnly;
import dev.jitney.conformance.support.TestBroker;
import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Runs the checks of the old SDK, one JUnit test per check. */
@OrdinaryOnly("SEQ-7: the checks send without partition keys and expect one order.")
class OldJavaSdkTest {
    @RegisterExtension
    static final TestBroker broker = TestBroker.withStandardHttps();

    @TestFactory
    @DisplayName("Java SDK 7.2.0 through a WebSocket inside TLS")
    Stream<DynamicTest> oldJavaSdk() throws IOException {
        return CheckProgram.tests(JavaProgram.of("oldsdk", "dev.jitney.testing.oldsdk.OldSdkChecks", broker));
    }
}
