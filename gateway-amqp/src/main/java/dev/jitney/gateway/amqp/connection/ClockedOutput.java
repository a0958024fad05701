package dev.jitney.gateway.amqp.connection;

import dev.jitney.gateway.amqp.shared.Transport;
import dev.jitney.gateway.amqp.wire.FrameWriter;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;

/** The path of frames to the transport. It records the time of each write for the heartbeat. For the event loop. */
final class ClockedOutput implements FrameWriter.ByteSink {
    private final ConnectionClock clock;
    private final Transport transport;

    ClockedOutput(ConnectionClock clock, Transport transport) {
        this.clock = clock;
        this.transport = transport;
    }

    @Override
    public void write(ProtonBuffer frame) {
        clock.written();
        transport.write(frame);
    }

    @Override
    public void write(byte[] payload, int from, int count) {
        transport.write(payload, from, count);
    }

    @Override
    public boolean isWritable() {
        return transport.isWritable();
    }
}
