package dev.jitney.gateway.amqp.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Random;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;
import org.apache.qpid.protonj2.buffer.ProtonBufferAllocator;
import org.apache.qpid.protonj2.codec.CodecFactory;
import org.apache.qpid.protonj2.codec.Encoder;
import org.apache.qpid.protonj2.types.Binary;
import org.apache.qpid.protonj2.types.transactions.TransactionalState;
import org.apache.qpid.protonj2.types.transport.Disposition;
import org.apache.qpid.protonj2.types.transport.ReceiverSettleMode;
import org.apache.qpid.protonj2.types.transport.Role;
import org.apache.qpid.protonj2.types.transport.Transfer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class IncomingTransferTest {
    private static final int BEFORE = 5;
    private static final int BEHIND = 3;
    private static final int RUNS = 5_000;

    private final IncomingTransfer transfer = new IncomingTransfer();

    /** Encodes a frame at some position of an array. */
    private static byte[] frame(int channel, Object performative, byte... payload) {
        Encoder encoder = CodecFactory.getEncoder();
        ProtonBuffer buffer = ProtonBufferAllocator.defaultAllocator().allocate(64);
        encoder.writeObject(buffer, encoder.newEncoderState(), performative);
        byte[] body = new byte[buffer.getReadableBytes() + payload.length];
        int size = buffer.getReadableBytes();
        buffer.readBytes(body, 0, size);
        System.arraycopy(payload, 0, body, size, payload.length);
        return raw(channel, body);
    }

    private static byte[] raw(int channel, byte... body) {
        return ByteBuffer.allocate(BEFORE + 8 + body.length + BEHIND)
                .position(BEFORE)
                .putInt(8 + body.length)
                .putShort((short) 0x0200)
                .putShort((short) channel)
                .put(body)
                .array();
    }

    private boolean read(byte[] frame) {
        return transfer.read(frame, BEFORE, frame.length - BEFORE - BEHIND);
    }

    @Test
    void whatMostSendersSayIsRead() {
        assertThat(read(frame(
                        300,
                        new Transfer()
                                .setHandle(7)
                                .setDeliveryId(0xffff_fff0L)
                                .setDeliveryTag(new byte[] {1, 2})
                                .setMessageFormat(0x8001_3700L)
                                .setMore(true),
                        (byte) 1,
                        (byte) 2,
                        (byte) 3)))
                .isTrue();

        assertThat(transfer.channel()).isEqualTo(300);
        assertThat(transfer.handle()).isEqualTo(7);
        assertThat(transfer.hasDeliveryId()).isTrue();
        assertThat(transfer.deliveryId()).isEqualTo(0xffff_fff0);
        assertThat(transfer.messageFormat()).isEqualTo(0x8001_3700);
        assertThat(transfer.settled()).isFalse();
        assertThat(transfer.more()).isTrue();
        assertThat(transfer.aborted()).isFalse();
        assertThat(transfer.state()).isNull();
        assertThat(transfer.payloadSize()).isEqualTo(3);
        assertThat(transfer.payload()).containsExactly(1, 2, 3);
    }

    @Test
    @DisplayName("A transfer read directly from the bytes equals that of the decoder")
    void agreesWithTheDecoder() {
        long seed = Long.getLong("jitney.seed", System.nanoTime());
        Random random = new Random(seed);
        IncomingTransfer expected = new IncomingTransfer();
        for (int run = 0; run < RUNS; run++) {
            Transfer said = random(random);
            byte[] payload = new byte[random.nextInt(300)];
            random.nextBytes(payload);
            int channel = random.nextInt(65_536);
            expected.take(
                    channel, said, ProtonBufferAllocator.defaultAllocator().copy(payload));

            assertThat(read(frame(channel, said, payload)))
                    .as("seed %d, %s", seed, said)
                    .isTrue();
            assertThat(transfer).as("seed %d, %s", seed, said).satisfies(found -> {
                assertThat(found.channel()).isEqualTo(expected.channel());
                assertThat(found.handle()).isEqualTo(expected.handle());
                assertThat(found.hasDeliveryId()).isEqualTo(expected.hasDeliveryId());
                assertThat(found.deliveryId()).isEqualTo(expected.deliveryId());
                assertThat(found.messageFormat()).isEqualTo(expected.messageFormat());
                assertThat(found.settled()).isEqualTo(expected.settled());
                assertThat(found.more()).isEqualTo(expected.more());
                assertThat(found.aborted()).isEqualTo(expected.aborted());
                assertThat(found.payload()).isEqualTo(payload).isEqualTo(expected.payload());
            });
        }
    }

    private static Transfer random(Random random) {
        Transfer transfer = new Transfer().setHandle(random.nextInt() >>> random.nextInt(32));
        if (random.nextBoolean()) {
            transfer.setDeliveryId(Integer.toUnsignedLong(random.nextInt() >>> random.nextInt(32)));
        }
        if (random.nextBoolean()) {
            byte[] tag = new byte[random.nextInt(33)];
            random.nextBytes(tag);
            transfer.setDeliveryTag(tag);
        }
        if (random.nextBoolean()) {
            transfer.setMessageFormat(random.nextInt(3));
        }
        if (random.nextBoolean()) {
            transfer.setSettled(random.nextBoolean());
        }
        if (random.nextBoolean()) {
            transfer.setMore(random.nextBoolean());
        }
        if (random.nextBoolean()) {
            transfer.setRcvSettleMode(ReceiverSettleMode.SECOND);
        }
        if (random.nextInt(4) == 0) {
            transfer.setResume(random.nextBoolean());
        }
        if (random.nextInt(4) == 0) {
            transfer.setAborted(random.nextBoolean());
        }
        if (random.nextBoolean()) {
            transfer.setBatchable(random.nextBoolean());
        }
        return transfer;
    }

    @Test
    void allOthersAreLeftToTheDecoder() {
        Transfer some = new Transfer().setHandle(0).setDeliveryId(0);
        assertThat(read(frame(0, some.copy().setState(new TransactionalState().setTxnId(new Binary(new byte[] {1}))))))
                .isFalse();
        assertThat(read(frame(0, new Disposition().setRole(Role.RECEIVER).setFirst(0))))
                .isFalse();
        assertThat(read(raw(0))).isFalse();
    }

    @Test
    void whatIsEncodedAsNoTransferMayBeIsLeftToTheDecoder() {
        byte list8 = (byte) 0xc0;
        assertThat(read(raw(0, (byte) 0, (byte) 0x53, (byte) 0x14, (byte) 0x45)))
                .isFalse(); // no handle
        assertThat(read(raw(0, (byte) 0, (byte) 0x53, (byte) 0x14, list8, (byte) 2, (byte) 1, (byte) 0x40)))
                .isFalse(); // neither
        assertThat(read(raw(0, (byte) 0, (byte) 0x53, (byte) 0x14, list8, (byte) 2, (byte) 1, (byte) 0x41)))
                .isFalse(); // a handle that is true
        assertThat(read(raw(
                        0,
                        (byte) 0,
                        (byte) 0x53,
                        (byte) 0x14,
                        list8,
                        (byte) 4,
                        (byte) 1,
                        (byte) 0x43,
                        (byte) 0x43,
                        (byte) 0x43)))
                .isFalse(); // more than its count
        byte[] sized = {0, 0x53, 0x14, (byte) 0xd0, 0, 0, 0, 6, 0, 0, 0, 2, 0x43, 0x43, 9};
        assertThat(read(raw(0, sized))).isTrue();
        assertThat(transfer.payload()).containsExactly(9);
    }
}
