package dev.jitney.server.cli;

import ch.qos.logback.classic.pattern.ClassicConverter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.jitney.model.ClientText;

/** The text of an event, on one line and without anything that a terminal acts upon, whatever clients put into it. */
final class MessageConverter extends ClassicConverter {
    @Override
    public String convert(ILoggingEvent event) {
        String text = event.getFormattedMessage();
        return text == null ? "" : ClientText.oneLine(text);
    }
}
