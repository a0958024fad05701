package dev.jitney.conformance.sending;

import dev.jitney.conformance.support.OverWebSocket;

/** {@link JavaSdkSendingTest} through a WebSocket inside TLS. */
@OverWebSocket
class JavaSdkSendingOverWebSocketTest extends JavaSdkSendingTest {}
