package dev.jitney.conformance.wire;

import dev.jitney.testing.amqp.RawPeer;

/** {@link MessagesTest} inside a WebSocket: nothing about AMQP differs (checklist 12, 13). */
class MessagesOverWebSocketTest extends MessagesTest {

    @Override
    protected RawPeer newPeer() {
        return broker.webSocketPeer();
    }

    @Override
    protected RawPeer silentPeer() {
        return RawPeer.silent(broker.webSocket());
    }
}
