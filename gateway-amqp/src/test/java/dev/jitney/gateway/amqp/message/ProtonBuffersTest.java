package dev.jitney.gateway.amqp.message;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.codec.IncomingMessageDecoder;
import dev.jitney.codec.Wire;
import dev.jitney.model.IncomingMessage;
import java.nio.ByteBuffer;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;
import org.apache.qpid.protonj2.buffer.ProtonBufferAllocator;
import org.apache.qpid.protonj2.types.messaging.Data;
import org.apache.qpid.protonj2.types.messaging.Properties;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ProtonBuffersTest {
    private final IncomingMessageDecoder decoder = new IncomingMessageDecoder(() -> "fresh");

    @Test
    @DisplayName("A payload in several pieces reads like one in one piece, and its offsets do not change"
            + " (checklist 46)")
    void readsPiecesAndOffsets() throws Exception {
        byte[] whole = Wire.bytes(Wire.encode(new Properties(), new Data(new byte[5_000])));
        ProtonBuffer pieces = ProtonBufferAllocator.defaultAllocator().composite(new ProtonBuffer[] {
            ProtonBufferAllocator.defaultAllocator().copy(whole, 0, 100),
            ProtonBufferAllocator.defaultAllocator().copy(whole, 100, whole.length - 100)
        });
        IncomingMessage expected = decoder.decode(Wire.reader(whole), 0).get(0);
        assertThat(decoder.decode(ProtonBuffers.reader(pieces), 0)).containsExactly(expected);
        ProtonBuffer shifted = Wire.buffer(Wire.concat(new byte[3], whole, new byte[3]));
        shifted.setReadOffset(3);
        shifted.setWriteOffset(3 + whole.length);
        assertThat(decoder.decode(ProtonBuffers.reader(shifted), 0)).containsExactly(expected);
        assertThat(shifted.getReadOffset()).isEqualTo(3);
        assertThat(decoder.decode(ProtonBuffers.reader(shifted.convertToReadOnly()), 0))
                .containsExactly(expected);
    }

    @Test
    void wrapsWhatRemains() {
        ByteBuffer bytes = ByteBuffer.wrap(new byte[] {1, 2, 3, 4, 5}, 1, 4).slice();
        bytes.get();
        assertThat(Wire.bytes(ProtonBuffers.wrap(bytes))).containsExactly(3, 4, 5);
    }
}
