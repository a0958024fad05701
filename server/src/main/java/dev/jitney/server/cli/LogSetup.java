package dev.jitney.server.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.PatternLayout;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ConfiguratorRank;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import ch.qos.logback.core.spi.ContextAwareBase;
import dev.jitney.runtime.audit.Audit;

/**
 * Sets up logging on standard error: quiet lines for people, or JSON for programs.
 *
 * <p>It is code because reading an XML file costs a quarter of the whole start. It acts only in the process of
 * {@link JitneyCli}: an application that embeds the broker keeps its own logging, and {@code
 * -Dlogback.configurationFile} wins over it.
 */
@ConfiguratorRank(ConfiguratorRank.CUSTOM_TOP_PRIORITY)
public final class LogSetup extends ContextAwareBase implements Configurator {
    /** A line stays one line, whatever clients put into it; a stack trace follows, indented. */
    private static final String PATTERN = "%d{yyyy-MM-dd HH:mm:ss.SSS} %-5level %logger{0}: %text%fields%n%trace";

    private static final String OWN_FILE = "logback.configurationFile";

    private static volatile LogLevel level = LogLevel.INFO;
    private static volatile LogFormat format = LogFormat.TEXT;
    private static volatile boolean wanted;

    /** Makes this the process's logging, from the first logger on. */
    static void use(LogLevel chosen, LogFormat chosenFormat) {
        level = chosen;
        format = chosenFormat;
        wanted = true;
    }

    /** What was chosen last. */
    static LogLevel level() {
        return level;
    }

    /** What was chosen last. */
    static LogFormat format() {
        return format;
    }

    @Override
    public ExecutionStatus configure(LoggerContext context) {
        if (!wanted || System.getProperty(OWN_FILE) != null) {
            return ExecutionStatus.INVOKE_NEXT_IF_ANY;
        }
        Encoder<ILoggingEvent> encoder = format == LogFormat.JSON ? new JsonLogEncoder() : forPeople(context);
        encoder.setContext(context);
        encoder.start();
        FloodFilter flood = new FloodFilter();
        flood.start();
        ConsoleAppender<ILoggingEvent> stderr = new ConsoleAppender<>();
        stderr.setContext(context);
        stderr.setName("stderr");
        stderr.setTarget("System.err");
        stderr.setEncoder(encoder);
        stderr.addFilter(flood);
        stderr.start();
        Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        root.setLevel(Level.WARN);
        root.addAppender(stderr);
        context.getLogger("dev.jitney").setLevel(Level.valueOf(level.name()));
        // Who wants fewer lines for people still wants to know who changed what.
        context.getLogger(Audit.LOGGER).setLevel(level == LogLevel.OFF ? Level.OFF : Level.INFO);
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }

    static Encoder<ILoggingEvent> forPeople(LoggerContext context) {
        PatternLayout layout = new PatternLayout();
        layout.getInstanceConverterMap().put("text", MessageConverter::new);
        layout.getInstanceConverterMap().put("fields", FieldsConverter::new);
        layout.getInstanceConverterMap().put("trace", TraceConverter::new);
        layout.setContext(context);
        layout.setPattern(PATTERN);
        layout.start();
        LayoutWrappingEncoder<ILoggingEvent> encoder = new LayoutWrappingEncoder<>();
        encoder.setLayout(layout);
        return encoder;
    }
}
