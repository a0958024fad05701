package dev.jitney.testing.track1;

import static dev.jitney.testing.track1.Check.fails;
import static dev.jitney.testing.track1.Check.same;
import static dev.jitney.testing.track1.Check.sameElements;
import static dev.jitney.testing.track1.Check.that;

import com.microsoft.azure.servicebus.ClientFactory;
import com.microsoft.azure.servicebus.ExceptionPhase;
import com.microsoft.azure.servicebus.IMessage;
import com.microsoft.azure.servicebus.IMessageSender;
import com.microsoft.azure.servicebus.IMessageSession;
import com.microsoft.azure.servicebus.ISessionHandler;
import com.microsoft.azure.servicebus.Message;
import com.microsoft.azure.servicebus.QueueClient;
import com.microsoft.azure.servicebus.ReceiveMode;
import com.microsoft.azure.servicebus.SessionHandlerOptions;
import com.microsoft.azure.servicebus.management.ManagementClient;
import com.microsoft.azure.servicebus.management.QueueDescription;
import com.microsoft.azure.servicebus.primitives.SessionCannotBeLockedException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Checks of sessions over AMQP, through a WebSocket, because this SDK has no option for another port. */
final class SessionChecks extends OverWebSocket {
    private SessionChecks(String connectionString) {
        super(connectionString);
    }

    static void addTo(Map<String, NamedCheck> checks, String connectionString) {
        SessionChecks all = new SessionChecks(connectionString);
        checks.put("SESS-4 to SESS-9: a session is accepted, received in order, renewed and released", all::accepts);
        checks.put("SESS-7, SESS-20: a session handler works on several sessions, on each in order", all::handles);
        checks.put("SESS-15: the state of a session is kept and cleared", all::state);
        checks.put("SESS-17, wire 63: 120 sessions are listed in pages", all::browses);
    }

    private static void create(ManagementClient client, String queue) throws Exception {
        QueueDescription description = new QueueDescription(queue);
        description.setRequiresSession(true);
        client.createQueue(description);
    }

    private void send(String queue, String... sessionsAndIds) throws Exception {
        IMessageSender sender = ClientFactory.createMessageSenderFromConnectionStringBuilder(to(queue));
        for (int i = 0; i < sessionsAndIds.length; i += 2) {
            Message message = new Message(sessionsAndIds[i + 1].getBytes(StandardCharsets.UTF_8));
            message.setMessageId(sessionsAndIds[i + 1]);
            message.setSessionId(sessionsAndIds[i]);
            sender.send(message);
        }
        sender.close();
    }

    private IMessageSession accept(String queue, @Nullable String sessionId) throws Exception {
        return ClientFactory.acceptSessionFromConnectionStringBuilder(to(queue), sessionId, ReceiveMode.PEEKLOCK);
    }

    private void accepts(ManagementClient client) throws Exception {
        String queue = "t1-sessions";
        create(client, queue);
        send(queue, "a", "1", "b", "2", "a", "3");
        IMessageSession next = accept(queue, null);
        same("a", next.getSessionId(), "the next session");
        Instant lockedUntil = next.getLockedUntilUtc();
        that(
                lockedUntil.isAfter(Instant.now().plusSeconds(30)),
                "a lock duration of one minute, but the lock ends at " + lockedUntil);
        fails(SessionCannotBeLockedException.class, false, "cannot be accepted", () -> accept(queue, "a"));
        for (String id : List.of("1", "3")) {
            IMessage message = next.receive(PATIENCE);
            same(id, message.getMessageId(), "the message id");
            same("a", message.getSessionId(), "the session id");
            next.complete(message.getLockToken());
        }
        next.renewSessionLock();
        that(!next.getLockedUntilUtc().isBefore(lockedUntil), "a renewed lock");
        next.close();
        IMessageSession again = accept(queue, "a");
        that(again.receive(Duration.ofSeconds(1)) == null, "no remaining message");
        again.close();
    }

    private void handles(ManagementClient client) throws Exception {
        String queue = "t1-session-handler";
        create(client, queue);
        List<String> sent = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            sent.add("s" + i % 6);
            sent.add(String.valueOf(i));
        }
        send(queue, sent.toArray(String[]::new));
        Map<String, List<Integer>> handled = new ConcurrentHashMap<>();
        CountDownLatch all = new CountDownLatch(30);
        QueueClient receiver = new QueueClient(to(queue), ReceiveMode.PEEKLOCK);
        ExecutorService executor = Executors.newFixedThreadPool(4);
        receiver.registerSessionHandler(
                new ISessionHandler() {
                    @Override
                    public CompletableFuture<Void> onMessageAsync(IMessageSession session, IMessage message) {
                        handled.computeIfAbsent(session.getSessionId(), id -> new CopyOnWriteArrayList<>())
                                .add(Integer.valueOf(message.getMessageId()));
                        all.countDown();
                        return CompletableFuture.completedFuture(null);
                    }

                    @Override
                    public CompletableFuture<Void> OnCloseSessionAsync(IMessageSession session) {
                        return CompletableFuture.completedFuture(null);
                    }

                    @Override
                    public void notifyException(Throwable exception, ExceptionPhase phase) {
                        // Timeouts of the wait for further sessions are reported here as well.
                    }
                },
                new SessionHandlerOptions(4, 1, true, Duration.ofMinutes(1), Duration.ofSeconds(5)),
                executor);
        that(all.await(60, TimeUnit.SECONDS), "30 handled messages, but got " + handled);
        receiver.close();
        executor.shutdown();
        for (int s = 0; s < 6; s++) {
            sameElements(
                    List.of(s, s + 6, s + 12, s + 18, s + 24),
                    handled.getOrDefault("s" + s, List.of()),
                    "the messages of s" + s);
        }
    }

    private void state(ManagementClient client) throws Exception {
        String queue = "t1-session-state";
        create(client, queue);
        IMessageSession session = accept(queue, "s");
        that(session.getState() == null, "no state");
        session.setState(new byte[] {1, 2});
        same(2, session.getState().length, "the length of the state");
        session.setState(null);
        that(session.getState() == null, "no state after it was cleared");
        session.close();
    }

    private void browses(ManagementClient client) throws Exception {
        String queue = "t1-session-list";
        create(client, queue);
        List<String> sent = new ArrayList<>();
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 120; i++) {
            String id = String.format("s%03d", i);
            expected.add(id);
            sent.add(id);
            sent.add("m" + i);
        }
        send(queue, sent.toArray(String[]::new));
        QueueClient browser = new QueueClient(to(queue), ReceiveMode.PEEKLOCK);
        // This method of the SDK is package-private. The check is about its requests and its paging.
        Method list = QueueClient.class.getDeclaredMethod("getMessageSessions");
        list.setAccessible(true);
        List<String> listed = new ArrayList<>();
        for (Object session : (Collection<?>) list.invoke(browser)) {
            listed.add(((IMessageSession) session).getSessionId());
        }
        listed.sort(null);
        sameElements(expected, listed, "the sessions");
        browser.close();
    }
}
