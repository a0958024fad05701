package dev.jitney.fuzz.engine;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.core.AppenderBase;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * A log appender that detects failures that clients do not see: errors, and exceptions that were caught late. It
 * replaces all other output. It also detects uncaught exceptions of threads and output to standard error.
 */
public final class LogWatch extends AppenderBase<ILoggingEvent> {
    /** The text that gateways log when an exception other than that of a socket reached the channel. */
    private static final String CAUGHT_LATE = "is closed: java.";

    private static final int CALLS_SHOWN = 12;

    private final AtomicReference<@Nullable String> heard = new AtomicReference<>();

    private LogWatch() {}

    /** Installs the appender. */
    public static LogWatch listen() {
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        LogWatch watch = new LogWatch();
        watch.setContext(context);
        watch.start();
        Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        root.detachAndStopAllAppenders();
        root.setLevel(Level.INFO);
        root.addAppender(watch);
        System.setErr(watch.new Written());
        Thread.setDefaultUncaughtExceptionHandler((thread, died) -> watch.note(thread.getName() + " died of " + died));
        return watch;
    }

    /** Returns the first problem since the last call, or null. */
    public @Nullable String take() {
        return heard.getAndSet(null);
    }

    @Override
    protected void append(ILoggingEvent event) {
        IThrowableProxy thrown = event.getThrowableProxy();
        String message = event.getFormattedMessage();
        if (event.getLevel().isGreaterOrEqual(Level.ERROR) || thrown != null || message.contains(CAUGHT_LATE)) {
            String where = thrown == null
                    ? ""
                    : " (" + thrown.getClassName() + ": " + thrown.getMessage() + " at " + place(thrown) + ")";
            note(event.getLevel() + " " + event.getLoggerName() + ": " + message + where);
        }
    }

    /** Returns the innermost calls, which distinguish one error from another. */
    private static String place(IThrowableProxy thrown) {
        return Arrays.stream(thrown.getStackTraceElementProxyArray())
                .limit(CALLS_SHOWN)
                .map(call -> call.getStackTraceElement().toString())
                .collect(Collectors.joining(" < "));
    }

    private void note(String complaint) {
        heard.compareAndSet(null, complaint);
    }

    /** Standard error, to which nothing may be written. */
    private final class Written extends PrintStream {
        Written() {
            super(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8);
        }

        @Override
        public void write(byte[] octets, int from, int count) {
            note("Output to standard error: " + new String(octets, from, count, StandardCharsets.UTF_8));
        }
    }
}
