package dev.jitney.conformance.support;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A test of the Java SDK against a broker whose clock stands still until the test moves it. */
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
