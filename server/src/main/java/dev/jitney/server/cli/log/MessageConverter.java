package dev.jitney.server.cli.log;

import ch.qos.logback.classic.pattern.ClassicConverter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.jitney.model.ClientText;

/** The converter of an event's text, which escapes line breaks and terminal control characters from clients. */
final class MessageConverter extends ClassicConverter {
    @Override
    public String convert(ILoggingEvent event) {
        String text = event.getFormattedMessage();
        return text == null ? "" : ClientText.oneLine(text);
    }
}
