package dev.jitney.core;

import dev.jitney.model.EncodedValue;
import java.util.Map;

/**
 * What became of a stored message: a small row beside the message's own.
 *
 * @param deliveryCount stored number of failed deliveries (STATE-5)
 * @param deferred whether it left normal retrieval (DEFER-1)
 * @param propertyOverrides all application properties set since it was stored, in order
 */
public record MessageChange(int deliveryCount, boolean deferred, Map<String, EncodedValue> propertyOverrides) {

    /** Bytes that properties add to a message. */
    public static int sizeOf(Map<String, EncodedValue> properties) {
        int size = 0;
        for (Map.Entry<String, EncodedValue> property : properties.entrySet()) {
            size += property.getKey().length() + property.getValue().encoding().length;
        }
        return size;
    }
}
