package dev.jitney.conformance.locks;

import dev.jitney.conformance.support.OverWebSocket;

/** {@link JavaSdkLocksTest} through a WebSocket inside TLS. */
@OverWebSocket
class JavaSdkLocksOverWebSocketTest extends JavaSdkLocksTest {}
