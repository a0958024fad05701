package dev.jitney.crash.mixed;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.core.AppenderBase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.slf4j.LoggerFactory;

/**
 * The last lines of the log of the SDK, in memory. They are written to a file only if clients are stuck, because clients of killed
 * servers log a lot. Thread-safe.
 */
public final class SdkLog extends AppenderBase<ILoggingEvent> {
    private static final int LINES_MAX = 30_000;
    private static final int CHARACTERS_MAX = 600;

    private final Deque<String> lines = new ArrayDeque<>();

    private SdkLog() {}

    /** Begins to collect the log of the SDK and of its Reactor library. */
    public static SdkLog collect() {
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        SdkLog log = new SdkLog();
        log.setContext(context);
        log.start();
        for (String name : List.of("com.azure", "reactor")) {
            Logger logger = context.getLogger(name);
            logger.setLevel(Level.INFO);
            logger.setAdditive(false);
            logger.addAppender(log);
        }
        return log;
    }

    @Override
    protected void append(ILoggingEvent event) {
        IThrowableProxy thrown = event.getThrowableProxy();
        String text =
                Instant.ofEpochMilli(event.getTimeStamp()) + " " + event.getLevel() + " " + event.getThreadName() + " "
                        + event.getLoggerName().substring(event.getLoggerName().lastIndexOf('.') + 1) + " "
                        + event.getFormattedMessage() + (thrown == null ? "" : " " + thrown.getMessage());
        String line = text.length() > CHARACTERS_MAX ? text.substring(0, CHARACTERS_MAX) : text;
        synchronized (lines) {
            lines.addLast(line);
            if (lines.size() > LINES_MAX) {
                lines.removeFirst();
            }
        }
    }

    /** Writes the last lines to a file. */
    public void write(Path file) throws IOException {
        List<String> copy;
        synchronized (lines) {
            copy = List.copyOf(lines);
        }
        Files.write(file, copy);
    }
}
