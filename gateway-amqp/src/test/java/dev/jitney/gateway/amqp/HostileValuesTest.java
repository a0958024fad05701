package dev.jitney.gateway.amqp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.gateway.amqp.RawPeer.Frame;
import dev.jitney.runtime.InMemoryBroker;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.qpid.protonj2.codec.CodecFactory;
import org.apache.qpid.protonj2.codec.decoders.ProtonDecoder;
import org.apache.qpid.protonj2.types.Symbol;
import org.apache.qpid.protonj2.types.UnknownDescribedType;
import org.apache.qpid.protonj2.types.UnsignedLong;
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

    @Test
    @DisplayName("QUOTA-8: unknown descriptors are accepted, and nothing of them is kept for the process")
    void unknownDescriptors() throws Exception {
        authorized().close();
        int known = describedTypes();
        List<Object> values = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            values.add(new UnknownDescribedType(UnsignedLong.valueOf(1_000_000L + i), "x"));
            values.add(new UnknownDescribedType(Symbol.valueOf("example:" + i), "x"));
        }
        values.add(new UnknownDescribedType("d".repeat(30_000), null));
        Map<Symbol, Object> properties = Map.of(Symbol.valueOf("p"), values);
        try (RawPeer peer = peer().properties(properties).plain(RULE, InMemoryBroker.KEY)) {
            peer.begin(0);
            peer.send(0, RawPeer.receiver("r", 0, "q"));
            assertThat(peer.next(ATTACH).field(5)).isNotNull();
        }
        assertThat(describedTypes()).isEqualTo(known);
    }

    /** Returns the number of described types that the engine's decoder knows. */
    private static int describedTypes() throws ReflectiveOperationException {
        Field field = ProtonDecoder.class.getDeclaredField("describedTypeDecoders");
        field.setAccessible(true);
        return ((Map<?, ?>) field.get(CodecFactory.getDecoder())).size();
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
