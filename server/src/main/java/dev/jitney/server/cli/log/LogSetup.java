package dev.jitney.server.cli.log;

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
 * The logging setup on standard error: short lines for people, or JSON for programs.
 *
 * <p>It is code because parsing an XML file takes a quarter of the whole startup time. It applies only to the process
 * of {@code JitneyCli}: an application that embeds the broker keeps its own logging. {@code
 * -Dlogback.configurationFile} takes precedence over it.
 */
@ConfiguratorRank(ConfiguratorRank.CUSTOM_TOP_PRIORITY)
public final class LogSetup extends ContextAwareBase implements Configurator {
    /** The pattern of a line. Text from clients never breaks a line; an indented stack trace follows it. */
    private static final String PATTERN = "%d{yyyy-MM-dd HH:mm:ss.SSS} %-5level %logger{0}: %text%fields%n%trace";

    private static final String OWN_FILE = "logback.configurationFile";

    /** The logger of the JDK that gRPC uses; a field, because the JDK drops a logger without references together with its level. */
    private static final java.util.logging.Logger GRPC =
            java.util.logging.Logger.getLogger("org.apache.ratis.thirdparty");

    private static volatile LogLevel level = LogLevel.INFO;
    private static volatile LogFormat format = LogFormat.TEXT;
    private static volatile boolean wanted;

    /** Makes this the logging of the process. Call it before the first logger is created. */
    public static void use(LogLevel chosen, LogFormat chosenFormat) {
        level = chosen;
        format = chosenFormat;
        wanted = true;
    }

    /** Returns the level in use. */
    public static LogLevel level() {
        return level;
    }

    /** Returns the format in use. */
    public static LogFormat format() {
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
        // It repeats every few seconds that another node does not answer, which the health of the node says better.
        context.getLogger("org.apache.ratis.grpc.server").setLevel(Level.ERROR);
        GRPC.setLevel(java.util.logging.Level.WARNING);
        context.getLogger("dev.jitney").setLevel(Level.valueOf(level.name()));
        // Audit lines stay on at every level but OFF, so that changes remain traceable.
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
