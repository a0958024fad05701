package dev.jitney.conformance.topics;

import dev.jitney.conformance.support.OverWebSocket;

/** {@link JavaSdkTopicsTest} through a WebSocket inside TLS. */
@OverWebSocket
class JavaSdkTopicsOverWebSocketTest extends JavaSdkTopicsTest {}
