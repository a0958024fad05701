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
 * Sets up logging: silence, because the SDK logs every failure that the command line tells in a sentence; or with
 * {@code --verbose} all it has to say, on standard error. A syphon goes on after failures, so its warnings are told. It
 * acts only in the process of {@link JitneyCommands}.
 */
@ConfiguratorRank(ConfiguratorRank.CUSTOM_TOP_PRIORITY)
public final class LogSetup extends ContextAwareBase implements Configurator {
    private static final String PAIRING = "dev.jitney.paired";

    /** What comes from messages and servers makes no terminal act, and begins no line of its own. */
    static final String PATTERN = "%d{HH:mm:ss.SSS} %-5level %logger{0}: "
            + "%replace(%msg){'[\u0000-\u001f\u007f-\u009f\u2028\u2029]+', ' '}%n"
            + "%replace(%ex){'[\u0000-\b\u000b-\u001f\u007f-\u009f\u2028\u2029]+', ' '}";

    private static volatile boolean wanted;
    private static volatile boolean verbose;
    private static volatile boolean warns;

    /**
     * Makes this the process's logging, from the first logger on.
     *
     * @param everything whether all is logged
     * @param warnings whether the library for paired namespaces may warn
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
