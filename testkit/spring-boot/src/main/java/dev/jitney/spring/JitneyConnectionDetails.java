package dev.jitney.spring;

import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;

/** The details of a connection to a container with {@code @ServiceConnection}. */
@FunctionalInterface
public interface JitneyConnectionDetails extends ConnectionDetails {
    /** Returns the connection string of the first namespace, with a key that has all rights. */
    String getConnectionString();
}
