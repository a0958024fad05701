package dev.jitney.server.cli.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.filter.Filter;
import ch.qos.logback.core.spi.FilterReply;
import dev.jitney.runtime.audit.Audit;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.KeyValuePair;

/**
 * A filter that keeps clients from filling the log. It passes a limited number of lines per code location in ten
 * seconds. The next line that passes has the number of suppressed lines in the field {@code leftOut}. DEBUG and TRACE
 * lines always pass. Audit lines about completed actions always pass too: each cost its author a durable change, and
 * none may be missing. Any thread may call it.
 */
final class FloodFilter extends Filter<ILoggingEvent> {
    private static final int LINES_MAX = 50;
    private static final long WINDOW_MS = 10_000;

    /**
     * Limit of code locations, because libraries that build their message texts dynamically would otherwise fill the
     * memory.
     */
    private static final int PLACES_MAX = 1_000;

    private final Map<Place, Window> windows = new HashMap<>();

    private record Place(String logger, @Nullable String text) {}

    private static final class Window {
        private long startMs;
        private int lines;
    }

    @Override
    public synchronized FilterReply decide(ILoggingEvent event) {
        if (!event.getLevel().isGreaterOrEqual(Level.INFO)
                || event.getLoggerName().equals(Audit.LOGGER)) {
            return FilterReply.NEUTRAL;
        }
        if (windows.size() >= PLACES_MAX) {
            windows.clear();
        }
        Window window =
                windows.computeIfAbsent(new Place(event.getLoggerName(), event.getMessage()), place -> new Window());
        long nowMs = event.getTimeStamp();
        if (nowMs - window.startMs >= WINDOW_MS || nowMs < window.startMs) {
            int leftOut = window.lines - LINES_MAX;
            if (leftOut > 0 && event instanceof LoggingEvent changeable) {
                changeable.addKeyValuePair(new KeyValuePair("leftOut", leftOut));
            }
            window.startMs = nowMs;
            window.lines = 0;
        }
        window.lines++;
        return window.lines > LINES_MAX ? FilterReply.DENY : FilterReply.NEUTRAL;
    }
}
