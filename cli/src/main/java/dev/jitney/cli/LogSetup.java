package dev.jitney.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ConfiguratorRank;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.spi.ContextAwareBase;

/**
 * The configuration of the logging. By default nothing is logged, because the command line prints every failure in one
 * sentence. With {@code --verbose} the whole SDK log goes to standard error. A syphon continues after failures, so its
 * warnings are printed. The configuration applies only to the process of {@link JitneyCommands}.
 */
@ConfiguratorRank(ConfiguratorRank.CUSTOM_TOP_PRIORITY)
public final class LogSetup extends ContextAwareBase implements Configurator {
    private static final String PAIRING = "dev.jitney.paired";

    /** A pattern that replaces control characters, so that no message or server can control the terminal or fake a log line. */
    static final String PATTERN = "%d{HH:mm:ss.SSS} %-5level %logger{0}: "
            + "%replace(%msg){'[\u0000-\u001f\u007f-\u009f\u2028\u2029]+', ' '}%n"
            + "%replace(%ex){'[\u0000-\b\u000b-\u001f\u007f-\u009f\u2028\u2029]+', ' '}";

    private static volatile boolean wanted;
    private static volatile boolean verbose;
    private static volatile boolean warns;

    /**
     * Makes this the logging configuration of the process. Call it before the first logger is created.
     *
     * @param everything whether to log everything
     * @param warnings whether to log warnings of the library for paired namespaces
     */
    static void use(boolean everything, boolean warnings) {
        verbose = everything;
        warns = warnings;
        wanted = true;
    }

    @Override
    public ExecutionStatus configure(LoggerContext context) {
        if (!wanted) {
            return ExecutionStatus.INVOKE_NEXT_IF_ANY;
        }
        context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME).setLevel(verbose ? Level.INFO : Level.OFF);
        if (!verbose && !warns) {
            return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
        }
        PatternLayoutEncoder encoder = new PatternLayoutEncoder();
        encoder.setContext(context);
        encoder.setPattern(PATTERN);
        encoder.start();
        ConsoleAppender<ILoggingEvent> stderr = new ConsoleAppender<>();
        stderr.setContext(context);
        stderr.setTarget("System.err");
        stderr.setEncoder(encoder);
        stderr.start();
        context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME).addAppender(stderr);
        if (!verbose) {
            context.getLogger(PAIRING).setLevel(Level.WARN);
        }
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }
}
