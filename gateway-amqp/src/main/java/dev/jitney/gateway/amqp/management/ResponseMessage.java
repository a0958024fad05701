package dev.jitney.gateway.amqp.management;

import dev.jitney.codec.AmqpWriter;
import dev.jitney.codec.Sections;
import dev.jitney.codec.ValueWriter;
import dev.jitney.gateway.amqp.message.ProtonBuffers;
import java.util.Map;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;
import org.jspecify.annotations.Nullable;

/** The encoder for answers to a {@link RequestMessage} (wire reference 6.1 and 2.3). */
public final class ResponseMessage {
    private static final int PROPERTIES_FIELDS = 13;
    private static final int TO = 2;
    private static final int CORRELATION_ID = 5;
    private static final int INITIAL_CAPACITY = 512;

    private ResponseMessage() {}

    /**
     * Encodes the header, properties, application properties and a body of one AMQP value: the sections and fields that
     * all clients rely on.
     *
     * @param correlationId message id of the request, in its type; null if it had none
     * @param to reply-to of the request, or null
     * @param applicationProperties values as {@link ValueWriter} accepts them; symbols as
     *                              {@link dev.jitney.codec.Symbol}
     * @param body value of the same kinds, never null: clients read it without a check
     */
    public static ProtonBuffer encode(
            @Nullable Object correlationId,
            @Nullable String to,
            Map<String, ?> applicationProperties,
            Map<String, ?> body) {
        AmqpWriter out = new AmqpWriter(INITIAL_CAPACITY);
        out.writeDefaultHeader();
        out.writeSection(Sections.PROPERTIES);
        int mark = out.beginList(PROPERTIES_FIELDS);
        for (int field = 0; field < PROPERTIES_FIELDS; field++) {
            ValueWriter.write(out, field == TO ? to : field == CORRELATION_ID ? correlationId : null);
        }
        out.endCompound(mark);
        out.writeSection(Sections.APPLICATION_PROPERTIES);
        ValueWriter.write(out, applicationProperties);
        out.writeSection(Sections.AMQP_VALUE);
        ValueWriter.write(out, body);
        return ProtonBuffers.wrap(out.toByteBuffer());
    }
}
