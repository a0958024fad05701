package dev.jitney.spring;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.apache.qpid.jms.JmsConnectionFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.util.ClassUtils;

/**
 * The connection factory for JMS. That of the starter always uses TLS on port 5671. So a test has the one that it is built on, without
 * TLS. It is the primary one, and templates and listeners use it.
 */
final class JmsConnections {
    private static final String LIBRARY = "org.apache.qpid.jms.JmsConnectionFactory";
    private static final String BEAN = "jitneyJmsConnectionFactory";

    private JmsConnections() {}

    /** Adds the factory if the application has the library. */
    static void register(BeanDefinitionRegistry beans, StarterProperties properties) {
        if (ClassUtils.isPresent(LIBRARY, JmsConnections.class.getClassLoader())) {
            Qpid.register(beans, properties);
        }
    }

    /** Apart, so that applications without JMS need no library for it. */
    private static final class Qpid {
        private static void register(BeanDefinitionRegistry beans, StarterProperties properties) {
            RootBeanDefinition bean = new RootBeanDefinition(
                    JmsConnectionFactory.class,
                    () -> factory(properties.getSource().get()));
            bean.setPrimary(true);
            beans.registerBeanDefinition(BEAN, bean);
        }

        private static JmsConnectionFactory factory(String connectionString) {
            Map<String, String> parts = new HashMap<>();
            for (String part : connectionString.split(";")) {
                int at = part.indexOf('=');
                if (at > 0) {
                    parts.put(part.substring(0, at).toLowerCase(Locale.ROOT), part.substring(at + 1));
                }
            }
            String address = parts.getOrDefault("endpoint", "").replaceFirst("^sb://", "amqp://");
            return new JmsConnectionFactory(
                    parts.get("sharedaccesskeyname"),
                    parts.get("sharedaccesskey"),
                    address + "?amqp.saslMechanisms=PLAIN");
        }
    }
}
