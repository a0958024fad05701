package dev.jitney.core;

import dev.jitney.model.EncodedValue;
import java.util.Map;

/**
 * The changes of a stored message, in a small row next to the row of the message.
 *
 * @param deliveryCount stored number of failed deliveries (STATE-5)
 * @param deferred whether the message is deferred (DEFER-1)
 * @param propertyOverrides all application properties set since the message was stored, in order
 */
public record MessageChange(int deliveryCount, boolean deferred, Map<String, EncodedValue> propertyOverrides) {

    /** Returns the bytes that properties add to a message. */
    public static int sizeOf(Map<String, EncodedValue> properties) {
        int size = 0;
        for (Map.Entry<String, EncodedValue> property : properties.entrySet()) {
            size += property.getKey().length() + property.getValue().encoding().length;
        }
        return size;
    }
}
