package dev.jitney.conformance.cluster;

import static dev.jitney.conformance.cluster.FailoverClients.message;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.ServiceBusProcessorClient;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A processor of sessions. */
final class SessionProcessorCheck extends FailoverCheck {
    private static final int SESSIONS = 3;
    private static final int MESSAGES = 5;

    /** The ids of the completed messages by session. */
    private final Map<String, List<String>> completed = new ConcurrentHashMap<>();

    private final Map<String, Long> deliveryCounts = new ConcurrentHashMap<>();
    private ServiceBusSenderClient sender;
    private ServiceBusProcessorClient processor;

    SessionProcessorCheck(FailoverClients clients) {
        super(clients);
    }

    @Override
    String statement() {
        return "CL-23, CL-24: a processor of sessions continues with the messages of each session in their order";
    }

    @Override
    void before() {
        administration.createQueue(entity, queue().setSessionRequired(true).setDuplicateDetectionRequired(true));
        sender = sdk.sender(entity);
        processor = sdk.keep(sdk.builder()
                .sessionProcessor()
                .queueName(entity)
                .maxConcurrentSessions(SESSIONS)
                .disableAutoComplete()
                .processMessage(context -> {
                    ServiceBusReceivedMessage message = context.getMessage();
                    deliveryCounts.put(message.getMessageId(), message.getDeliveryCount());
                    try {
                        context.complete();
                        completed
                                .computeIfAbsent(message.getSessionId(), key -> new CopyOnWriteArrayList<>())
                                .add(message.getMessageId());
                    } catch (RuntimeException e) {
                        note(e);
                    }
                })
                .processError(context -> note(context.getException()))
                .buildProcessorClient());
        processor.start();
        send("before-");
        awaitLast("before-");
    }

    @Override
    void after() {
        send("after-");
        awaitLast("after-");
        completed.forEach((session, ids) -> assertThat(ids.stream().distinct())
                .containsExactlyElementsOf(Stream.of("before-", "after-")
                        .flatMap(prefix -> IntStream.range(0, MESSAGES).mapToObj(i -> session + prefix + i))
                        .toList()));
        assertThat(deliveryCounts.values()).containsOnly(0L);
        assertThat(processor.isRunning()).isTrue();
    }

    private void send(String prefix) {
        for (int session = 0; session < SESSIONS; session++) {
            for (int i = 0; i < MESSAGES; i++) {
                sender.sendMessage(message("s" + session + prefix + i).setSessionId("s" + session));
            }
        }
    }

    private void awaitLast(String prefix) {
        await(
                "the last message of each session",
                () -> completed.size() == SESSIONS
                        && completed.entrySet().stream()
                                .allMatch(session ->
                                        session.getValue().contains(session.getKey() + prefix + (MESSAGES - 1))));
    }
}
