package dev.jitney.crash.mixed;

import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import com.azure.messaging.servicebus.ServiceBusSessionReceiverClient;
import dev.jitney.crash.kill.SessionLedger;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The clients of a queue with sessions and duplicate detection. One client sends. Others accept the next session,
 * complete its messages, set its state, and close it after some time. Duplicate detection drops retried messages, so
 * the ledger is strict.
 */
final class MixedSessions {
    static final int SESSIONS = 12;

    private static final int BACKLOG_MAX = 200;
    private static final int TOGETHER_MAX = 6;
    private static final int COUNT_MAX = 20;
    private static final Duration SHORTLY = Duration.ofMillis(250);

    private final SessionLedger ledger;
    private final Random random;
    private final AtomicInteger received = new AtomicInteger();
    private volatile int sent;

    MixedSessions(SessionLedger ledger, long seed) {
        this.ledger = ledger;
        this.random = new Random(seed);
    }

    /** Returns the number of messages whose sends succeeded. */
    int sent() {
        return sent;
    }

    /** Returns the number of received messages. */
    int received() {
        return received.get();
    }

    /**
     * Sends one or several messages of one session. Returns false if there are enough messages already. One thread at a
     * time.
     */
    boolean send(ServiceBusSenderClient sender) {
        if (ledger.waiting() > BACKLOG_MAX) {
            return false;
        }
        int session = random.nextInt(SESSIONS);
        int count = random.nextBoolean() ? 1 : 1 + random.nextInt(TOGETHER_MAX);
        List<Integer> numbers = new ArrayList<>();
        List<ServiceBusMessage> messages = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int number = ledger.send(session);
            String id = SessionLedger.messageId(session, number);
            numbers.add(number);
            messages.add(
                    new ServiceBusMessage(body(id)).setMessageId(id).setSessionId(SessionLedger.sessionId(session)));
        }
        if (count == 1) {
            sender.sendMessage(messages.get(0));
        } else {
            sender.sendMessages(messages);
        }
        numbers.forEach(number -> ledger.accepted(session, number));
        sent += count;
        return true;
    }

    private static String body(String id) {
        return (id + " ").repeat(1 + Math.floorMod(id.hashCode(), 100));
    }

    /** Receives from the next session for some time. Returns false if no message arrived. */
    boolean receive(ServiceBusSessionReceiverClient sessions) {
        int life = ledger.life();
        try (ServiceBusReceiverClient receiver = sessions.acceptNextSession()) {
            SessionLedger.Hold hold = ledger.hold(receiver.getSessionId(), life);
            if (hold == null) {
                return false;
            }
            try {
                return work(receiver, hold);
            } finally {
                ledger.free(hold);
            }
        }
    }

    private boolean work(ServiceBusReceiverClient receiver, SessionLedger.Hold hold) {
        ledger.compareState(hold, number(receiver.getSessionState()));
        // Only one call: the SDK releases messages that arrive between two calls, so that later messages overtake them.
        for (ServiceBusReceivedMessage message : receiver.receiveMessages(1 + random.nextInt(COUNT_MAX), SHORTLY)) {
            if (!complete(receiver, hold, message)) {
                return false;
            }
        }
        if (hold.count() > 0 && random.nextInt(3) == 0) {
            int wanted = ledger.changeState(hold);
            receiver.setSessionState(ByteBuffer.allocate(4).putInt(wanted).array());
            ledger.stateConfirmed(hold, wanted);
        }
        return hold.count() > 0;
    }

    /**
     * Completes a message. Returns false if the session has ended, after which the message may be an older one from the
     * client's buffer.
     */
    private boolean complete(
            ServiceBusReceiverClient receiver, SessionLedger.Hold hold, ServiceBusReceivedMessage message) {
        String id = message.getMessageId();
        if (!message.getBody().toString().equals(body(id))) {
            ledger.complain(id + " was delivered with another body.");
        }
        received.incrementAndGet();
        int number = ledger.delivered(hold, id);
        if (number < 0) {
            return false;
        }
        SettlementLimit.within(() -> receiver.complete(message));
        ledger.completed(hold, number);
        return true;
    }

    private static int number(byte @Nullable [] state) {
        return state == null || state.length == 0 ? 0 : ByteBuffer.wrap(state).getInt();
    }
}
