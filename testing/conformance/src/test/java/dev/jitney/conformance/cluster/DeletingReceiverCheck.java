package dev.jitney.conformance.cluster;

import static dev.jitney.conformance.cluster.FailoverClients.message;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.ServiceBusProcessorClient;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import com.azure.messaging.servicebus.models.ServiceBusReceiveMode;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;

/** A processor in receive-and-delete mode. */
final class DeletingReceiverCheck extends FailoverCheck {
    private static final int MESSAGES = 50;

    private final List<String> received = new CopyOnWriteArrayList<>();
    private ServiceBusSenderClient sender;

    DeletingReceiverCheck(FailoverClients clients) {
        super(clients);
    }

    @Override
    String statement() {
        return "CL-27: a receiver in receive-and-delete mode gets no message twice";
    }

    @Override
    void before() {
        // Without duplicate detection, a send that the SDK repeats may store a message twice (CL-23).
        administration.createQueue(entity, queue().setDuplicateDetectionRequired(true));
        sender = sdk.sender(entity);
        IntStream.range(0, MESSAGES).forEach(i -> sender.sendMessage(message("before-" + i)));
        ServiceBusProcessorClient processor = sdk.keep(sdk.builder()
                .processor()
                .queueName(entity)
                .receiveMode(ServiceBusReceiveMode.RECEIVE_AND_DELETE)
                .processMessage(context -> received.add(context.getMessage().getMessageId()))
                .processError(context -> note(context.getException()))
                .buildProcessorClient());
        processor.start();
        await("a message", () -> !received.isEmpty());
    }

    @Override
    void after() {
        IntStream.range(0, MESSAGES).forEach(i -> sender.sendMessage(message("after-" + i)));
        sender.sendMessage(message("last"));
        await("the last message", () -> received.contains("last"));
        assertThat(received).doesNotHaveDuplicates();
        assertThat(administration.getQueueRuntimeProperties(entity).getTotalMessageCount())
                .isZero();
    }
}
