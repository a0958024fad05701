package dev.jitney.runtime.shard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.core.Command;
import dev.jitney.model.EncodedValue;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.MessageContent;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class EntityTasksTest {
    private static final List<UUID> TOKENS = List.of(new UUID(1, 2));
    private static final Map<String, EncodedValue> PROPERTIES =
            Map.of("property", EncodedValue.ofString("x".repeat(1_000)));

    @Test
    @DisplayName("QUOTA-8: waiting messages count with their objects, which are most of a tiny message")
    void tinyMessagesCountWithTheirObjects() {
        ByteBuffer nothing = ByteBuffer.allocate(0);
        ByteBuffer body = ByteBuffer.wrap(new byte[] {0x00, 0x53, 0x77, 0x40});
        IncomingMessage tiny = IncomingMessage.of(MessageContent.of(false, 4, false, nothing, nothing, nothing, body))
                .sizes(4, 0, 0)
                .build();
        Command send = new Command.SendMessages(Collections.nCopies(28_000, tiny));
        assertThat(EntityTasks.bytesOf(send)).isEqualTo(28_000 * 304L);
    }

    @Test
    @DisplayName("QUOTA-8: the properties of a settlement count in the mailbox and in transactions")
    void countsPropertiesOfSettlements() {
        long propertyBytes = 8 + 5 + 1_000; // name, type and length, value
        assertThat(EntityTasks.bytesOf(new Command.AbandonMessages(TOKENS, PROPERTIES)))
                .isEqualTo(propertyBytes);
        assertThat(EntityTasks.bytesOf(new Command.DeferMessages(TOKENS, PROPERTIES)))
                .isEqualTo(propertyBytes);
        assertThat(EntityTasks.bytesOf(new Command.DeadLetterMessages(TOKENS, "because", "it had to", PROPERTIES)))
                .isEqualTo(7 + 9 + propertyBytes);
        assertThat(EntityTasks.bytesOf(new Command.CompleteMessages(TOKENS))).isZero();
    }
}
