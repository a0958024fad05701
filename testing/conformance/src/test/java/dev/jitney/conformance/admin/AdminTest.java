package dev.jitney.conformance.admin;

import com.azure.messaging.servicebus.administration.ServiceBusAdministrationClient;
import dev.jitney.conformance.support.TestBroker;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A test of the Java administration client against a broker with HTTPS on port 443. */
abstract class AdminTest {
    @RegisterExtension
    protected static final TestBroker broker = TestBroker.withStandardHttps();

    /** A client with all rights. */
    protected static ServiceBusAdministrationClient admin;

    @BeforeAll
    static void connect() {
        admin = AdminClients.of(broker);
    }
}
