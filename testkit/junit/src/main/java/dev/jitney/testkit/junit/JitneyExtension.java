package dev.jitney.testkit.junit;

import dev.jitney.testkit.Jitney;
import dev.jitney.testkit.JitneyBroker;
import dev.jitney.testkit.NamespaceDefinition;
import dev.jitney.testkit.QueueDefinition;
import dev.jitney.testkit.TopicDefinition;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives tests a namespace in a Service Bus broker, as a parameter of the type {@link Jitney} or as {@link JitneyConnectionString}.
 *
 * <pre>{@code
 * @RegisterExtension
 * static final JitneyExtension jitney = JitneyExtension.broker().queue("orders").namespacePerTest();
 *
 * @Test
 * void sends(Jitney broker) {
 *     new App(broker.connectionString()).send();
 *     broker.queue("orders").assertHas(1);
 * }
 * }</pre>
 *
 * <p>All tests of the Java machine share one broker, which starts with the first test that needs it. By default the tests of a class
 * share a namespace, and so do those of its nested classes. A namespace ends with its tests, and its messages with it.
 *
 * <p>The message time belongs to the whole broker. A broker whose time a test has changed gets no further namespaces: the next ones are in
 * a new broker, which starts in a fraction of a second. Tests that run at the same time share the time. So give tests that use the
 * clock a {@linkplain #ownBroker() broker of their own} if they run in parallel with others.
 *
 * <p>A static extension, or one of {@code @ExtendWith}, belongs to its class. One in a field of the instance belongs to the test, which
 * then has a namespace of its own. JUnit 5.13 or later is needed.
 *
 * <p>Configure an extension in one thread. Then tests of any number of threads may use it.
 */
public final class JitneyExtension
        implements BeforeAllCallback, BeforeEachCallback, AfterEachCallback, ParameterResolver {
    private static final Namespace SHARED = Namespace.create(JitneyExtension.class);
    private static final String OF_CLASS = "of a class";
    private static final int EVENTS_SHOWN = 20;

    private final NamespaceDefinition definition = new NamespaceDefinition();
    /** The place of the values of this extension: two extensions of a class have different namespaces. */
    private final Namespace own = Namespace.create(JitneyExtension.class, this);

    private boolean perTest;
    private boolean resetPerTest;
    private boolean ownBroker;

    /** Creates an extension without entities, for {@code @ExtendWith}. Tests create what they need with {@link Jitney}'s connection string. */
    public JitneyExtension() {}

    /** Returns an extension without entities, to which calls add queues and topics. */
    public static JitneyExtension broker() {
        return new JitneyExtension();
    }

    /** Adds a queue with default settings. */
    public JitneyExtension queue(String name) {
        definition.queue(name);
        return this;
    }

    /** Adds a queue. */
    public JitneyExtension queue(String name, Consumer<QueueDefinition> settings) {
        definition.queue(name, settings);
        return this;
    }

    /** Adds a topic with its subscriptions. */
    public JitneyExtension topic(String name, Consumer<TopicDefinition> settings) {
        definition.topic(name, settings);
        return this;
    }

    /** Adds the entities of a configuration file of Microsoft's emulator. The path is relative to the folder of the tests. */
    public JitneyExtension config(Path file) {
        definition.config(file);
        return this;
    }

    /** Adds the entities of one namespace in a configuration file of Microsoft's emulator. */
    public JitneyExtension config(Path file, String namespace) {
        definition.config(file, namespace);
        return this;
    }

    /** Gives each test a namespace of its own, which takes some milliseconds. */
    public JitneyExtension namespacePerTest() {
        perTest = true;
        return this;
    }

    /** Removes all messages of the namespace before each test. The tests of the class must not run in parallel. */
    public JitneyExtension resetPerTest() {
        resetPerTest = true;
        return this;
    }

    /** Gives the tests of each namespace a broker of their own, so that no other test sees their clock or their stopped stores. */
    public JitneyExtension ownBroker() {
        ownBroker = true;
        return this;
    }

    /** Notes that the extension belongs to a class. One that belongs to a test instance or a method is not called here. */
    @Override
    public void beforeAll(ExtensionContext context) {
        outermostClass(context).getStore(own).put(OF_CLASS, true);
    }

    /** Gives the constructor of a test class the namespace of its test. */
    @Override
    public ExtensionContextScope getTestInstantiationExtensionContextScope(ExtensionContext root) {
        return ExtensionContextScope.TEST_METHOD;
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        Lent lent = lent(context);
        if (resetPerTest && !perTest) {
            lent.jitney().reset();
        }
    }

    @Override
    public void afterEach(ExtensionContext context) {
        if (context.getExecutionException().isPresent()) {
            report(context, lent(context).jitney());
        }
    }

    /** Adds the last events to the report of a failed test. A broker that does not answer must not hide the failure. */
    private static void report(ExtensionContext context, Jitney jitney) {
        try {
            var events = jitney.history();
            StringBuilder text = new StringBuilder();
            events.stream()
                    .skip(Math.max(0, events.size() - EVENTS_SHOWN))
                    .forEach(event ->
                            text.append(System.lineSeparator()).append("  ").append(event));
            if (!events.isEmpty()) {
                context.publishReportEntry("Last events of the namespace " + jitney.name(), text.toString());
            }
        } catch (RuntimeException e) {
            context.publishReportEntry("Jitney", "The events of the namespace are not available: " + e.getMessage());
        }
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        if (parameter.isAnnotated(JitneyConnectionString.class) && type != String.class) {
            throw new ParameterResolutionException(
                    "Expected a parameter of the type String with @JitneyConnectionString, but got "
                            + parameter.getParameter() + ".");
        }
        return type == Jitney.class || parameter.isAnnotated(JitneyConnectionString.class);
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        Jitney jitney = lent(context).jitney();
        return parameter.getParameter().getType() == Jitney.class ? jitney : jitney.connectionString();
    }

    /**
     * Returns the namespace of a test, or of a class for its parameters and life cycle methods.
     *
     * @throws ParameterResolutionException if each test has a namespace, and this is not within a test
     */
    private Lent lent(ExtensionContext context) {
        ExtensionContext scope = outermostClass(context);
        if (perTest || scope.getStore(own).get(OF_CLASS) == null) {
            if (context.getTestMethod().isEmpty()) {
                throw new ParameterResolutionException(
                        "Expected a test method or @BeforeEach for the namespace of a test, but got the class "
                                + context.getDisplayName()
                                + ". Leave out namespacePerTest(), and declare the extension static, to share a namespace in the class.");
            }
            scope = context;
        }
        return scope.getStore(own).getOrComputeIfAbsent("namespace", key -> lend(context), Lent.class);
    }

    /** Nested classes share the namespace of the class that has the extension, which their stores inherit from. */
    private static ExtensionContext outermostClass(ExtensionContext context) {
        ExtensionContext outermost = context;
        ExtensionContext at = context;
        while (at != null) {
            if (at.getTestClass().isPresent()) {
                outermost = at;
            }
            at = at.getParent().orElse(null);
        }
        return outermost;
    }

    private Lent lend(ExtensionContext context) {
        if (ownBroker) {
            JitneyBroker broker = JitneyBroker.start();
            try {
                return new Lent(broker.newNamespace(definition), broker::close);
            } catch (RuntimeException e) {
                broker.close();
                throw e;
            }
        }
        SharedBroker.Use use = context.getRoot()
                .getStore(SHARED)
                .getOrComputeIfAbsent(SharedBroker.class, key -> new SharedBroker(), SharedBroker.class)
                .begin();
        try {
            return new Lent(use.broker().newNamespace(definition), use::end);
        } catch (RuntimeException e) {
            use.end();
            throw e;
        }
    }

    /**
     * A namespace until the end of its tests, when JUnit closes it.
     */
    private record Lent(Jitney jitney, Runnable end) implements AutoCloseable {
        @Override
        public void close() {
            try {
                jitney.close();
            } finally {
                end.run();
            }
        }
    }
}
