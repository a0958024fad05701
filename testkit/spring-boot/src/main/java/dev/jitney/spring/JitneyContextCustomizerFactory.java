package dev.jitney.spring;

import dev.jitney.testcontainers.JitneyContainer;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.MergedContextConfiguration;
import org.springframework.test.context.TestContextAnnotationUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/** The factory that connects the context of a test with a broker, if the test class has an annotation for it. */
class JitneyContextCustomizerFactory implements ContextCustomizerFactory {
    private static final boolean CONTAINERS = isPresent("dev.jitney.testcontainers.JitneyContainer")
            && isPresent("org.testcontainers.containers.GenericContainer")
            && isPresent("org.springframework.boot.testcontainers.service.connection.ServiceConnection");

    private static boolean isPresent(String name) {
        return ClassUtils.isPresent(name, JitneyContextCustomizerFactory.class.getClassLoader());
    }

    @Override
    public @Nullable ContextCustomizer createContextCustomizer(
            Class<?> testClass, List<ContextConfigurationAttributes> configurations) {
        AutoConfigureJitney settings =
                TestContextAnnotationUtils.findMergedAnnotation(testClass, AutoConfigureJitney.class);
        Field container = CONTAINERS ? Containers.find(testClass) : null;
        if (settings != null && container != null) {
            throw new IllegalStateException("Expected one broker, but " + testClass.getName()
                    + " has @AutoConfigureJitney and the container '" + container.getName()
                    + "' with @ServiceConnection. Remove one of them.");
        }
        if (settings != null) {
            return new JitneyContextCustomizer(settings);
        }
        return container == null ? null : new Containers.Customizer(container);
    }

    /** Apart, so that tests without containers need no library for them. */
    private static final class Containers {
        private static @Nullable Field find(Class<?> testClass) {
            List<Field> found = new ArrayList<>();
            for (Class<?> type = testClass; type != null; type = type.getEnclosingClass()) {
                ReflectionUtils.doWithFields(
                        type,
                        found::add,
                        field -> Modifier.isStatic(field.getModifiers())
                                && field.getType() == JitneyContainer.class
                                && AnnotatedElementUtils.hasAnnotation(field, ServiceConnection.class));
            }
            if (found.size() > 1) {
                throw new IllegalStateException("Expected one JitneyContainer with @ServiceConnection, but "
                        + testClass.getName() + " has " + found.size() + ". Remove the others.");
            }
            return found.isEmpty() ? null : found.get(0);
        }

        /** Takes the connection string from the container of a field, which has started when it is needed. */
        private record Customizer(Field field) implements ContextCustomizer {
            @Override
            public void customizeContext(
                    ConfigurableApplicationContext context, MergedContextConfiguration configuration) {
                JitneyContextCustomizer.connect(context, new StarterProperties(this::connectionString));
            }

            private String connectionString() {
                ReflectionUtils.makeAccessible(field);
                if (ReflectionUtils.getField(field, null) instanceof JitneyContainer container) {
                    return container.connectionString();
                }
                throw new IllegalStateException("Expected a container in the field '" + field.getName()
                        + "', but it is null. Create it in the declaration of the field.");
            }
        }
    }
}
