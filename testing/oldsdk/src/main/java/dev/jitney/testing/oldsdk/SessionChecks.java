package dev.jitney.testing.oldsdk;

import static dev.jitney.testing.oldsdk.OldSdk.same;
import static dev.jitney.testing.oldsdk.OldSdk.texts;
import static dev.jitney.testing.oldsdk.OldSdk.that;

import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** Checks of sessions. */
final class SessionChecks {

    private SessionChecks() {}

    static void addTo(Map<String, OldSdkChecks.NamedCheck> checks) {
        checks.put("SESS-4, SESS-7: a session is accepted by its id, and received in order", SessionChecks::byId);
        checks.put("SESS-5: the next session is accepted", SessionChecks::next);
        checks.put("SESS-9, SESS-15: the lock is renewed, and the state is kept", SessionChecks::state);
        checks.put("PEEK-5: a session receiver peeks its own session", SessionChecks::peeks);
    }

    private static String queue(OldSdk sdk, String... texts) {
        String queue = sdk.queue(options -> options.setSessionRequired(true));
        for (String text : texts) {
            sdk.sender(queue).sendMessage(new ServiceBusMessage(text).setSessionId("a"));
        }
        return queue;
    }

    private static void byId(OldSdk sdk) {
        String queue = queue(sdk, "1", "2");
        ServiceBusReceiverClient session = sdk.sessionReceiver(queue).acceptSession("a");
        for (String text : List.of("1", "2")) {
            ServiceBusReceivedMessage message = OldSdk.next(session);
            same(text, message.getBody().toString(), "the body");
            same("a", message.getSessionId(), "SessionId");
            session.complete(message);
        }
        session.close();
    }

    private static void next(OldSdk sdk) {
        String queue = queue(sdk, "m");
        ServiceBusReceiverClient session = sdk.sessionReceiver(queue).acceptNextSession();
        ServiceBusReceivedMessage message = OldSdk.next(session);
        same("a", message.getSessionId(), "SessionId");
        session.complete(message);
        session.close();
    }

    private static void state(OldSdk sdk) {
        String queue = queue(sdk);
        ServiceBusReceiverClient session = sdk.sessionReceiver(queue).acceptSession("a");
        that(session.renewSessionLock() != null, "a renewed lock");
        session.setSessionState("halfway".getBytes(StandardCharsets.UTF_8));
        same("halfway", new String(session.getSessionState(), StandardCharsets.UTF_8), "the state");
        session.close();
    }

    private static void peeks(OldSdk sdk) {
        String queue = queue(sdk, "1", "2");
        ServiceBusReceiverClient session = sdk.sessionReceiver(queue).acceptSession("a");
        same(List.of("1", "2"), texts(session.peekMessages(5)), "the peeked messages");
        session.close();
    }
}
