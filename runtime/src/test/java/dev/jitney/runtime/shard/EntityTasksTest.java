package dev.jitney.runtime.shard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.core.Command;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.MessageContent;
import java.nio.ByteBuffer;
import java.util.Collections;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class EntityTasksTest {

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
}
