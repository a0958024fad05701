package dev.jitney.conformance.support;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A base class for tests of the Java SDK with a broker whose clock moves only when the test moves it. */
public abstract class SdkTest {
    @RegisterExtension
    protected static final TestBroker broker = TestBroker.frozen();

    protected Sdk sdk;

    @BeforeEach
    void connect() {
        sdk = broker.sdk();
    }

    @AfterEach
    void disconnect() throws Exception {
        sdk.close();
    }
}
