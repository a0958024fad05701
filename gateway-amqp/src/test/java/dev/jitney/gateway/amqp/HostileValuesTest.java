package dev.jitney.gateway.amqp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.gateway.amqp.RawPeer.Frame;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Values inside performatives that would cost the gateway much more than their bytes. */
class HostileValuesTest extends AmqpWireScenario {
    @Test
    @DisplayName("QUOTA-8: arrays of elements without bytes take no memory before authentication")
    void arraysOfElementsWithoutBytes() throws Exception {
        for (int code = 0x41; code <= 0x45; code++) {
            try (RawPeer peer = peer()) {
                peer.raw(RawPeer.AMQP);
                peer.header();
                peer.raw(open(code, 100));
                List<Frame> answers = new ArrayList<>();
                assertThat(peer.closedAfter(answers)).isTrue();
                assertThat(answers).isEmpty();
            }
        }
        authorized().close();
    }

    /** Returns an open with a property that is a list of arrays, each of 65,536 elements without bytes. */
    private static byte[] open(int code, int arrays) {
        int listBytes = 9 + 10 * arrays;
        ByteBuffer body = ByteBuffer.allocate(64 + listBytes);
        body.put(new byte[] {0x00, 0x53, 0x10, (byte) 0xd0});
        body.putInt(4 + 3 + 8 + 9 + 3 + listBytes).putInt(10);
        body.put(new byte[] {(byte) 0xa1, 1, 'c'}).put("@@@@@@@@".getBytes());
        body.put((byte) 0xd1).putInt(4 + 3 + listBytes).putInt(2).put(new byte[] {(byte) 0xa3, 1, 'p'});
        body.put((byte) 0xd0).putInt(4 + 10 * arrays).putInt(arrays);
        for (int i = 0; i < arrays; i++) {
            body.put((byte) 0xf0).putInt(5).putInt(65_536).put((byte) code);
        }
        byte[] frame = new byte[8 + body.position()];
        ByteBuffer.wrap(frame).putInt(frame.length).putInt(0x0200_0000).put(body.array(), 0, body.position());
        return frame;
    }
}
