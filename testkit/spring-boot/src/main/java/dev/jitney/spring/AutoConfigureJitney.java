package dev.jitney.spring;

import dev.jitney.testkit.NamespaceDefinition;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.function.Consumer;

/**
 * Gives the application context of a test a Service Bus broker of its own, in memory. The context has the properties of the
 * starters of Spring Cloud Azure, for Service Bus and for JMS, and the beans {@code Jitney} (the namespace) and {@code
 * JitneyBroker}.
 *
 * <pre>{@code
 * @SpringBootTest
 * @AutoConfigureJitney(queues = "orders")
 * class OrdersTest {
 *     @Autowired
 *     Jitney jitney;
 * }
 * }</pre>
 *
 * <p>Test classes with the same settings share a context, and so a broker. After each test its messages are deleted, and its
 * faults end.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
public @interface AutoConfigureJitney {
    /** The names of queues with default settings. */
    String[] queues() default {};

    /** A configuration file in the format of Microsoft's emulator, such as {@code classpath:Config.json}; empty for none. */
    String config() default "";

    /** Classes that declare queues, topics and subscriptions with their settings. They have a constructor without parameters. */
    Class<? extends Consumer<NamespaceDefinition>>[] entities() default {};

    /** Returns true if messages and faults of a test end after it, so that the next test does not meet them. */
    boolean resetAfterEachTest() default true;
}
