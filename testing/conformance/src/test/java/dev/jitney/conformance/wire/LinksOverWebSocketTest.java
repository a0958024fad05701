package dev.jitney.conformance.wire;

import dev.jitney.testing.amqp.RawPeer;

/** Runs {@link LinksTest} inside a WebSocket, where AMQP is the same (checklist 12, 13). */
class LinksOverWebSocketTest extends LinksTest {

    @Override
    protected RawPeer newPeer() {
        return broker.webSocketPeer();
    }

    @Override
    protected RawPeer silentPeer() {
        return RawPeer.silent(broker.webSocket());
    }
}
