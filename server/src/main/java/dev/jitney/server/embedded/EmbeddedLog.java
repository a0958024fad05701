package dev.jitney.server.embedded;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ConfiguratorRank;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.filter.Filter;
import ch.qos.logback.core.spi.ContextAwareBase;
import ch.qos.logback.core.spi.FilterReply;
import dev.jitney.runtime.audit.Audit;
import java.util.List;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The log of servers in a class loader of their own: lines on standard error that begin with the name of the broker.
 *
 * <p>The file of {@code -Dlogback.configurationFile} belongs to the application, and is not read.
 */
@ConfiguratorRank(ConfiguratorRank.CUSTOM_TOP_PRIORITY)
public final class EmbeddedLog extends ContextAwareBase implements Configurator {
    private static final List<String> LEVELS = List.of("TRACE", "DEBUG", "INFO", "WARN", "ERROR", "OFF");

    /** True once a server is started as an embedded one. Other programs keep their own logging. */
    private static volatile boolean wanted;

    /** Creates the configurator, for Logback. */
    public EmbeddedLog() {}

    /**
     * Sets the level of the log. Call it before the first logger is created.
     *
     * @throws IllegalArgumentException if there is no such level
     */
    static synchronized void use(String level) {
        String name = level.toUpperCase(Locale.ROOT);
        if (!LEVELS.contains(name)) {
            throw new IllegalArgumentException(
                    EmbeddedServer.LOG_LEVEL + ": Expected one of " + LEVELS + ", but got '" + level + "'.");
        }
        wanted = true;
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        Level chosen = Level.toLevel(name);
        // Below WARN the lines of libraries help only those who change the libraries.
        boolean all = chosen.isGreaterOrEqual(Level.WARN) || chosen == Level.TRACE;
        context.getLogger(Logger.ROOT_LOGGER_NAME).setLevel(all ? chosen : Level.WARN);
        context.getLogger("dev.jitney").setLevel(chosen);
        // Tests create and delete all the time, so their audit log is of use only to those who ask for it.
        context.getLogger(Audit.LOGGER).setLevel(chosen);
    }

    @Override
    public ExecutionStatus configure(LoggerContext context) {
        if (!wanted) {
            return ExecutionStatus.INVOKE_NEXT_IF_ANY;
        }
        PatternLayoutEncoder encoder = new PatternLayoutEncoder();
        encoder.setContext(context);
        encoder.setPattern("[jitney] %d{HH:mm:ss.SSS} %-5level %logger{0}: %msg%n");
        encoder.start();
        ConsoleAppender<ILoggingEvent> appender = new ConsoleAppender<>();
        appender.setContext(context);
        appender.setName("stderr");
        appender.setTarget("System.err");
        appender.setEncoder(encoder);
        appender.addFilter(new TestModeFilter());
        appender.start();
        context.getLogger(Logger.ROOT_LOGGER_NAME).addAppender(appender);
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }

    /** Drops the warning about test mode, which is the purpose of these servers. */
    private static final class TestModeFilter extends Filter<ILoggingEvent> {
        @Override
        public FilterReply decide(ILoggingEvent event) {
            return event.getMessage().startsWith("--test-mode:") ? FilterReply.DENY : FilterReply.NEUTRAL;
        }
    }
}
