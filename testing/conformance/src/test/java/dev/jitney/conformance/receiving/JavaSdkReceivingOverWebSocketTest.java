package dev.jitney.conformance.receiving;

import dev.jitney.conformance.support.OverWebSocket;

/** {@link JavaSdkReceivingTest} through a WebSocket inside TLS. */
@OverWebSocket
class JavaSdkReceivingOverWebSocketTest extends JavaSdkReceivingTest {}
