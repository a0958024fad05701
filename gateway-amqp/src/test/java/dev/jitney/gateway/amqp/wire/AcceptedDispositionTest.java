package dev.jitney.gateway.amqp.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;
import org.apache.qpid.protonj2.buffer.ProtonBufferAllocator;
import org.apache.qpid.protonj2.codec.CodecFactory;
import org.apache.qpid.protonj2.codec.Encoder;
import org.apache.qpid.protonj2.types.messaging.Accepted;
import org.apache.qpid.protonj2.types.messaging.Released;
import org.apache.qpid.protonj2.types.transactions.TransactionalState;
import org.apache.qpid.protonj2.types.transport.Disposition;
import org.apache.qpid.protonj2.types.transport.Flow;
import org.apache.qpid.protonj2.types.transport.Role;
import org.junit.jupiter.api.Test;

class AcceptedDispositionTest {
    private static final int BEFORE = 5;

    private final AcceptedDisposition disposition = new AcceptedDisposition();

    /** Encodes a frame at some position of an array. */
    private static byte[] frame(int channel, Object performative) {
        Encoder encoder = CodecFactory.getEncoder();
        ProtonBuffer buffer = ProtonBufferAllocator.defaultAllocator().allocate(64);
        encoder.writeObject(buffer, encoder.newEncoderState(), performative);
        byte[] body = new byte[buffer.getReadableBytes()];
        buffer.readBytes(body, 0, body.length);
        return raw(channel, body);
    }

    private static byte[] raw(int channel, byte[] body) {
        return ByteBuffer.allocate(BEFORE + 8 + body.length + 3)
                .position(BEFORE)
                .putInt(8 + body.length)
                .putShort((short) 0x0200)
                .putShort((short) channel)
                .put(body)
                .array();
    }

    private boolean read(byte[] frame) {
        return disposition.read(frame, BEFORE, frame.length - BEFORE - 3);
    }

    private static Disposition accepted() {
        return new Disposition().setRole(Role.RECEIVER).setFirst(0).setState(Accepted.getInstance());
    }

    @Test
    void whatMostReceiversSayIsRead() {
        assertThat(read(frame(300, accepted().setFirst(7)))).isTrue();
        assertThat(disposition.channel()).isEqualTo(300);
        assertThat(disposition.first()).isEqualTo(7);
        assertThat(disposition.last()).isEqualTo(7);
        assertThat(disposition.settled()).isFalse();

        assertThat(read(frame(
                        0xffff, accepted().setFirst(0xffff_fff0L).setLast(3).setSettled(true))))
                .isTrue();
        assertThat(disposition.channel()).isEqualTo(0xffff);
        assertThat(disposition.first()).isEqualTo(0xffff_fff0);
        assertThat(disposition.last()).isEqualTo(3);
        assertThat(disposition.settled()).isTrue();
    }

    @Test
    void aLastFieldMaySayThatAnswersNeedNotHurry() {
        assertThat(read(frame(0, accepted().setBatchable(true)))).isTrue();
    }

    @Test
    void allOthersAreLeftToTheEngine() {
        assertThat(read(frame(0, accepted().setRole(Role.SENDER)))).isFalse();
        assertThat(read(frame(0, accepted().setState(Released.getInstance())))).isFalse();
        assertThat(read(frame(0, accepted().setState(null)))).isFalse();
        assertThat(read(frame(
                        0,
                        accepted()
                                .setState(new TransactionalState()
                                        .setTxnId(new org.apache.qpid.protonj2.types.Binary(new byte[] {1}))
                                        .setOutcome(Accepted.getInstance())))))
                .isFalse();
        assertThat(read(frame(
                        0, new Flow().setIncomingWindow(1).setNextOutgoingId(0).setOutgoingWindow(1))))
                .isFalse();
        assertThat(read(raw(0, new byte[0]))).isFalse();
    }

    @Test
    void whatIsEncodedInAnotherWayIsLeftToTheEngine() {
        byte[] sparse = {0, 0x53, 0x15, (byte) 0xc0, 7, 5, 0x41, 0x43, 0x40, 0x40, 0x00, 0x53, 0x24};
        assertThat(read(raw(0, sparse))).isFalse(); // the state is cut off
        byte[] endsEarly = {0, 0x53, 0x15, (byte) 0xc0, 4, 5, 0x41, 0x43, 0x40};
        assertThat(disposition.read(
                        Arrays.copyOf(raw(0, endsEarly), BEFORE + 8 + endsEarly.length), BEFORE, 8 + endsEarly.length))
                .isFalse(); // ends with the last byte of the array
        byte[] wrongType = {0, 0x53, 0x15, (byte) 0xc0, 9, 5, 0x41, (byte) 0xa1, 0, 0x40, 0x40, 0x00, 0x53, 0x24, 0x45};
        assertThat(read(raw(0, wrongType))).isFalse(); // the first delivery is a string
        byte[] oddSettled = {0, 0x53, 0x15, (byte) 0xc0, 9, 5, 0x41, 0x43, 0x40, 0x56, 1, 0x00, 0x53, 0x24, 0x45};
        assertThat(read(raw(0, oddSettled))).isFalse();
    }
}
