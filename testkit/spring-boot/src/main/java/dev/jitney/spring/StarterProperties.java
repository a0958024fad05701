package dev.jitney.spring;

import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.env.EnumerablePropertySource;

/**
 * The properties of the starters for Service Bus and for JMS. The connection string is read with the property, because a
 * container may start later than the environment. Any thread may read them.
 */
final class StarterProperties extends EnumerablePropertySource<Supplier<String>> {
    private static final String NAME = "jitney";
    private static final Set<String> CONNECTION_STRINGS =
            Set.of("spring.cloud.azure.servicebus.connection-string", "spring.jms.servicebus.connection-string");
    /** The starter for JMS requires a tier. In the lowest one it adds no features of its own. */
    private static final Map<String, String> OTHERS = Map.of("spring.jms.servicebus.pricing-tier", "standard");

    StarterProperties(Supplier<String> connectionString) {
        super(NAME, connectionString);
    }

    @Override
    public String[] getPropertyNames() {
        return Stream.concat(CONNECTION_STRINGS.stream(), OTHERS.keySet().stream())
                .toArray(String[]::new);
    }

    @Override
    public @Nullable Object getProperty(String name) {
        return CONNECTION_STRINGS.contains(name) ? getSource().get() : OTHERS.get(name);
    }
}
