package dev.jitney.spring;

import dev.jitney.testcontainers.JitneyContainer;
import org.springframework.boot.testcontainers.service.connection.ContainerConnectionDetailsFactory;
import org.springframework.boot.testcontainers.service.connection.ContainerConnectionSource;

/** The factory of the details of a container with {@code @ServiceConnection}. Spring Boot finds it in {@code spring.factories}. */
class JitneyContainerConnectionDetailsFactory
        extends ContainerConnectionDetailsFactory<JitneyContainer, JitneyConnectionDetails> {

    @Override
    protected JitneyConnectionDetails getContainerConnectionDetails(ContainerConnectionSource<JitneyContainer> source) {
        return new Details(source);
    }

    private static final class Details extends ContainerConnectionDetails<JitneyContainer>
            implements JitneyConnectionDetails {
        Details(ContainerConnectionSource<JitneyContainer> source) {
            super(source);
        }

        @Override
        public String getConnectionString() {
            return getContainer().connectionString();
        }
    }
}
