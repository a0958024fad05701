package dev.jitney.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jitney.testcontainers.JitneyContainer;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.MergedContextConfiguration;

/** The connection of a container that has not started, because there is no daemon for containers. */
class ServiceConnectionTest {
    private final JitneyContextCustomizerFactory factory = new JitneyContextCustomizerFactory();

    static class WithContainer {
        @ServiceConnection
        static final JitneyContainer JITNEY = new JitneyContainer();
    }

    static class WithoutAnnotation {
        static final JitneyContainer JITNEY = new JitneyContainer();
    }

    @AutoConfigureJitney
    static class WithBoth extends WithContainer {}

    @AutoConfigureJitney(queues = "a")
    static class First {}

    @AutoConfigureJitney(queues = "a")
    static class Same {}

    @AutoConfigureJitney(queues = "b")
    static class Other {}

    @Test
    @DisplayName("The properties read the connection string of the container when they are read themselves")
    void lazyProperties() {
        ContextCustomizer customizer = factory.createContextCustomizer(WithContainer.class, List.of());
        assertThat(customizer).isNotNull();
        try (GenericApplicationContext context = new GenericApplicationContext()) {
            customizer.customizeContext(context, new MergedContextConfiguration(null, null, null, null, null));
            assertThat(context.getEnvironment().getProperty("spring.jms.servicebus.pricing-tier"))
                    .isEqualTo("standard");
            for (String starter : List.of("spring.cloud.azure.servicebus", "spring.jms.servicebus")) {
                assertThatThrownBy(() -> context.getEnvironment().getProperty(starter + ".connection-string"))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageMatching("(?s).*(container is started|Docker environment).*");
            }
            assertThat(context.getEnvironment().getProperty("spring.application.name"))
                    .isNull();
        }
    }

    @Test
    @DisplayName("A container without @ServiceConnection is left alone, and two brokers are refused")
    void otherClasses() {
        assertThat(factory.createContextCustomizer(WithoutAnnotation.class, List.of()))
                .isNull();
        assertThat(factory.createContextCustomizer(String.class, List.of())).isNull();
        assertThatThrownBy(() -> factory.createContextCustomizer(WithBoth.class, List.of()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("Remove one of them");
    }

    @Test
    @DisplayName("Test classes with equal settings share a context, others do not")
    void contextCache() {
        ContextCustomizer first = factory.createContextCustomizer(First.class, List.of());
        assertThat(factory.createContextCustomizer(Same.class, List.of()))
                .isEqualTo(first)
                .hasSameHashCodeAs(first);
        assertThat(factory.createContextCustomizer(Other.class, List.of())).isNotEqualTo(first);
    }

    @Test
    @DisplayName("Spring finds the factories by the file of the jar")
    void registered() {
        assertThat(SpringFactoriesLoader.loadFactories(ContextCustomizerFactory.class, null))
                .hasAtLeastOneElementOfType(JitneyContextCustomizerFactory.class);
    }
}
