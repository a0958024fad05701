package dev.jitney.runtime.rows;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.core.StoredMessage;
import dev.jitney.model.EncodedValue;
import dev.jitney.model.MessageContent;
import dev.jitney.model.MessageEnvelope;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("Each part of a message envelope is stored")
class EnvelopeRowsTest {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);
    private static final MessageContent CONTENT =
            MessageContent.of(false, 4, false, NOTHING, NOTHING, NOTHING, NOTHING);

    static Stream<String> parts() {
        return Stream.of(MessageEnvelope.class.getRecordComponents()).map(RecordComponent::getName);
    }

    @ParameterizedTest
    @MethodSource("parts")
    @DisplayName(
            "A part of the envelope is read back from the message row, and copied by a builder that starts from it")
    void everyPartComesBack(String part) throws Exception {
        MessageEnvelope envelope = with(part);
        StoredMessage message = new StoredMessage(envelope, CONTENT, null);

        assertThat(envelope).isNotEqualTo(MessageEnvelope.NEW);
        assertThat(envelope.toBuilder().build()).isEqualTo(envelope);
        assertThat(MessageRows.message(envelope.sequenceNumber(), MessageRowBytes.of(message), body -> CONTENT))
                .isEqualTo(message);
    }

    private static MessageEnvelope with(String part) throws ReflectiveOperationException {
        MessageEnvelope.Builder builder = MessageEnvelope.builder();
        for (Method setter : MessageEnvelope.Builder.class.getMethods()) {
            if (setter.getName().equals(part)) {
                setter.invoke(builder, value(setter.getParameterTypes()[0]));
            }
        }
        return builder.build();
    }

    private static Object value(Class<?> type) {
        if (type == boolean.class) {
            return true;
        }
        if (type == int.class) {
            return 3;
        }
        if (type == long.class) {
            return 7L;
        }
        return type == String.class ? "text" : Map.of("name", EncodedValue.ofString("value"));
    }
}
