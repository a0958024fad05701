package dev.jitney.conformance.forwarding;

import dev.jitney.conformance.support.TestBroker;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Runs the tests with all entities in one store. */
class JavaSdkTransferDeadLetterTest extends TransferDeadLetterTest {
    @RegisterExtension
    static final TestBroker broker = TestBroker.configured(SMALL_QUEUES);

    @Override
    TestBroker broker() {
        return broker;
    }
}
