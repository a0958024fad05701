package dev.jitney.spring;

import dev.jitney.testkit.Jitney;
import dev.jitney.testkit.JitneyBroker;
import dev.jitney.testkit.NamespaceDefinition;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.springframework.beans.BeanUtils;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.MergedContextConfiguration;

/**
 * Starts a broker for a context, which ends with it. Contexts with equal settings are one context.
 *
 * @param settings the settings of the test class
 */
record JitneyContextCustomizer(AutoConfigureJitney settings) implements ContextCustomizer {

    @Override
    public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration configuration) {
        NamespaceDefinition entities = entities(context);
        JitneyBroker broker = JitneyBroker.start();
        Jitney namespace;
        try {
            namespace = broker.newNamespace(entities);
        } catch (RuntimeException e) {
            broker.close();
            throw e;
        }
        DefaultListableBeanFactory beans = (DefaultListableBeanFactory) context.getBeanFactory();
        beans.registerSingleton("jitney", namespace);
        beans.registerSingleton("jitneyBroker", broker);
        // Registered first, so it closes after the beans that use its connections, and also if the context fails to
        // start.
        beans.registerDisposableBean("jitneyBroker", broker::close);
        connect(context, new StarterProperties(namespace::connectionString));
    }

    /** Connects the starters of a context. */
    static void connect(ConfigurableApplicationContext context, StarterProperties properties) {
        context.getEnvironment().getPropertySources().addFirst(properties);
        JmsConnections.register((BeanDefinitionRegistry) context.getBeanFactory(), properties);
    }

    private NamespaceDefinition entities(ConfigurableApplicationContext context) {
        NamespaceDefinition entities = new NamespaceDefinition();
        if (!settings.config().isEmpty()) {
            entities.config(file(context, settings.config()));
        }
        for (String queue : settings.queues()) {
            entities.queue(queue);
        }
        for (Class<? extends Consumer<NamespaceDefinition>> declared : settings.entities()) {
            BeanUtils.instantiateClass(declared).accept(entities);
        }
        return entities;
    }

    private static Path file(ConfigurableApplicationContext context, String location) {
        try {
            return context.getResource(location).getFile().toPath();
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "@AutoConfigureJitney(config = \"" + location + "\"): Expected a file, but it cannot be read ("
                            + e.getMessage() + ").",
                    e);
        }
    }
}
