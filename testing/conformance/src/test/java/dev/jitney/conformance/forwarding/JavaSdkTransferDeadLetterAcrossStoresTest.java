package dev.jitney.conformance.forwarding;

import dev.jitney.conformance.support.TestBroker;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Runs the tests with seven stores, so that most destinations are in another store than their source. */
class JavaSdkTransferDeadLetterAcrossStoresTest extends TransferDeadLetterTest {
    @RegisterExtension
    static final TestBroker broker = TestBroker.configuredWithStores(SMALL_QUEUES, 7);

    @Override
    TestBroker broker() {
        return broker;
    }
}
