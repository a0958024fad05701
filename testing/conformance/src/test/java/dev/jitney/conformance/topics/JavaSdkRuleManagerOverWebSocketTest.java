package dev.jitney.conformance.topics;

import dev.jitney.conformance.support.OverWebSocket;

/** {@link JavaSdkRuleManagerTest} through a WebSocket inside TLS. */
@OverWebSocket
class JavaSdkRuleManagerOverWebSocketTest extends JavaSdkRuleManagerTest {}
