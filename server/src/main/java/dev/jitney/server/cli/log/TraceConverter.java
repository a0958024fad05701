package dev.jitney.server.cli.log;

import ch.qos.logback.classic.pattern.ThrowableProxyConverter;
import ch.qos.logback.classic.spi.IThrowableProxy;
import dev.jitney.model.ClientText;
import java.util.stream.Collectors;

/**
 * The converter of an event's stack trace. Exception messages may contain text from clients: terminal control
 * characters are escaped, and only the first line can look like the beginning of an event.
 */
final class TraceConverter extends ThrowableProxyConverter {
    private static final String FRAME = "\t";
    private static final String CAUSE = "Caused by: ";

    @Override
    protected String throwableProxyToString(IThrowableProxy thrown) {
        String trace = super.throwableProxyToString(thrown);
        String first = trace.lines().limit(1).map(ClientText::oneLine).collect(Collectors.joining());
        return trace.lines()
                .skip(1)
                .map(TraceConverter::indented)
                .collect(Collectors.joining("\n", first + "\n", "\n"));
    }

    private static String indented(String line) {
        return line.startsWith(CAUSE) ? ClientText.oneLine(line) : FRAME + ClientText.oneLine(line.stripLeading());
    }
}
