package dev.jitney.conformance.wire;

import dev.jitney.testing.amqp.RawPeer;

/** {@link SettlementTest} inside a WebSocket: nothing about AMQP differs (checklist 12, 13). */
class SettlementOverWebSocketTest extends SettlementTest {

    @Override
    protected RawPeer newPeer() {
        return broker.webSocketPeer();
    }

    @Override
    protected RawPeer silentPeer() {
        return RawPeer.silent(broker.webSocket());
    }
}
