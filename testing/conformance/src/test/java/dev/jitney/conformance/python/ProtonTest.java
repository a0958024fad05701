package dev.jitney.conformance.python;

import dev.jitney.conformance.support.CheckProgram;
import dev.jitney.conformance.support.TestBroker;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Runs the checks with a plain AMQP client: Qpid Proton in Python. */
class ProtonTest {
    @RegisterExtension
    static final TestBroker broker = TestBroker.withHttps();

    private static final int CHECKS = 10;

    @TestFactory
    @DisplayName("Qpid Proton")
    Stream<DynamicTest> proton() {
        Python.requireProton();
        for (int i = 0; i < CHECKS; i++) {
            broker.queue("proton-" + i, q -> q);
            broker.queue("proton-" + i + "-sessions", q -> q.requiresSession(true));
        }
        return CheckProgram.tests(Python.program(broker, "proton_checks.py"));
    }
}
