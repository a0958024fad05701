package dev.jitney.paired.internal.message;

import com.azure.core.amqp.models.AmqpMessageBody;
import java.lang.reflect.Field;
import java.util.List;

/** A body of two data sections, which only the SDK itself can create, by receiving it. */
final class SeveralSections {
    private SeveralSections() {}

    static AmqpMessageBody of(AmqpMessageBody body) {
        try {
            for (Field field : AmqpMessageBody.class.getDeclaredFields()) {
                if (List.class.isAssignableFrom(field.getType())
                        && field.getName().contains("data")) {
                    field.setAccessible(true);
                    field.set(body, List.of(new byte[] {1}, new byte[] {2}));
                    return body;
                }
            }
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
        throw new AssertionError("Expected the sections in this field of the SDK, but it has moved");
    }
}
