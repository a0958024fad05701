package dev.jitney.server.cli.log;

import ch.qos.logback.classic.pattern.ClassicConverter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.jitney.model.ClientText;
import java.util.List;
import org.slf4j.event.KeyValuePair;

/**
 * The converter that appends the fields of an event to its text, {@code [entity=orders, connection=0af3_G12]}. It skips
 * empty fields, and appends nothing if none is left. It escapes line breaks and terminal control characters in values
 * from clients.
 */
final class FieldsConverter extends ClassicConverter {
    @Override
    public String convert(ILoggingEvent event) {
        List<KeyValuePair> pairs = event.getKeyValuePairs();
        if (pairs == null) {
            return "";
        }
        StringBuilder out = new StringBuilder();
        for (KeyValuePair pair : pairs) {
            String value = String.valueOf(pair.value);
            if (pair.value != null && !value.isEmpty()) {
                out.append(out.length() == 0 ? " [" : ", ")
                        .append(pair.key)
                        .append('=')
                        .append(ClientText.oneLine(value));
            }
        }
        return out.length() == 0 ? "" : out.append(']').toString();
    }
}
