package dev.jitney.gateway.http.testmode;

import dev.jitney.model.AccessRule;
import dev.jitney.model.TierProfile;
import dev.jitney.runtime.Namespace;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The server around the broker, for the requests of tests. Any thread may call it. */
public interface TestServer {

    /** The server without test mode. */
    TestServer NONE = new TestServer() {
        @Override
        public TestModeAccess access() {
            return TestModeAccess.OFF;
        }

        @Override
        public Setup read(String name, byte[] config) {
            throw new UnsupportedOperationException("Expected a server in test mode.");
        }

        @Override
        public String connectionString(AccessRule rule) {
            throw new UnsupportedOperationException("Expected a server in test mode.");
        }

        @Override
        public void disconnect(Namespace namespace) {
            // There are no tests.
        }

        @Override
        public void delay(Namespace namespace, long ms) {
            // There are no tests.
        }
    };

    /** Returns the clients that may use the requests. */
    TestModeAccess access();

    /** The entities of a namespace in the format of the emulator's file, checked. */
    interface Setup {

        /** Returns the tier that the configuration names, or null. */
        @Nullable
        TierProfile tier();

        /**
         * Creates the entities.
         *
         * @return completes when all of them are durable, or fails with {@link InvalidSetupException} or {@link
         *     dev.jitney.runtime.BrokerException}
         */
        CompletionStage<Void> create(Namespace namespace);
    }

    /**
     * Checks the configuration of a namespace.
     *
     * @param name the name of the namespace
     * @param config a JSON object such as {@code {"Queues": […], "Topics": […]}}
     * @throws InvalidSetupException if it is invalid; the message names the place and the rule
     */
    Setup read(String name, byte[] config) throws InvalidSetupException;

    /** The configuration of a namespace is invalid. The message is for the author of the test. */
    final class InvalidSetupException extends Exception {
        private static final long serialVersionUID = 1;

        public InvalidSetupException(String message) {
            super(message);
        }
    }

    /** Returns the connection string of a key for applications on this machine. Its key name selects the namespace. */
    String connectionString(AccessRule rule);

    /** Closes the sockets of the AMQP clients of a namespace without a goodbye. */
    void disconnect(Namespace namespace);

    /**
     * Delays the output to the AMQP clients of a namespace.
     *
     * @param ms milliseconds; 0 ends it
     */
    void delay(Namespace namespace, long ms);
}
