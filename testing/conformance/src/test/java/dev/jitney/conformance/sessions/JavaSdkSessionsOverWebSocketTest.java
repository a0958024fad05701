package dev.jitney.conformance.sessions;

import dev.jitney.conformance.support.OverWebSocket;

/** {@link JavaSdkSessionsTest} through a WebSocket inside TLS. */
@OverWebSocket
class JavaSdkSessionsOverWebSocketTest extends JavaSdkSessionsTest {}
