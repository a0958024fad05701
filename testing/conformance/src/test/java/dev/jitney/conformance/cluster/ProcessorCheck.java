package dev.jitney.conformance.cluster;

import static dev.jitney.conformance.cluster.FailoverClients.message;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.ServiceBusProcessorClient;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;

/** A processor, and a sender that sends while there is no leader. */
final class ProcessorCheck extends FailoverCheck {
    private static final int MESSAGES = 20;

    private final Map<String, List<Long>> deliveryCounts = new ConcurrentHashMap<>();
    private final Set<String> completed = ConcurrentHashMap.newKeySet();
    private ServiceBusSenderClient sender;
    private ServiceBusProcessorClient processor;

    ProcessorCheck(FailoverClients clients) {
        super(clients);
    }

    @Override
    String statement() {
        return "CL-23, CL-24: a processor continues, and a message that was locked comes again with the same delivery count";
    }

    @Override
    void before() {
        administration.createQueue(entity, queue());
        sender = sdk.sender(entity);
        processor = sdk.keep(sdk.builder()
                .processor()
                .queueName(entity)
                .disableAutoComplete()
                .maxAutoLockRenewDuration(Duration.ZERO)
                .processMessage(context -> {
                    ServiceBusReceivedMessage message = context.getMessage();
                    String id = message.getMessageId();
                    List<Long> counts = deliveryCounts.computeIfAbsent(id, key -> new CopyOnWriteArrayList<>());
                    counts.add(message.getDeliveryCount());
                    if (id.equals("held") && counts.size() == 1) {
                        return; // its lock ends with the leader
                    }
                    try {
                        context.complete();
                        completed.add(id);
                    } catch (RuntimeException e) {
                        note(e);
                    }
                })
                .processError(context -> note(context.getException()))
                .buildProcessorClient());
        processor.start();
        sender.sendMessage(message("before"));
        sender.sendMessage(message("held"));
        await("both messages", () -> deliveryCounts.containsKey("held") && completed.contains("before"));
    }

    @Override
    void after() {
        List<String> sent =
                IntStream.range(0, MESSAGES).mapToObj(i -> "after-" + i).toList();
        sent.forEach(id -> sender.sendMessage(message(id)));
        await("completion of all messages", () -> completed.contains("held") && completed.containsAll(sent));
        assertThat(deliveryCounts.get("held"))
                .as("delivery counts")
                .hasSizeGreaterThan(1)
                .containsOnly(0L);
        assertThat(processor.isRunning()).isTrue();
    }
}
