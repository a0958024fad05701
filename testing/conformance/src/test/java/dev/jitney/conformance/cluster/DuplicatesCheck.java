package dev.jitney.conformance.cluster;

import static dev.jitney.conformance.cluster.FailoverClients.message;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Duplicate detection, with sends before, during and after the change. */
final class DuplicatesCheck extends FailoverCheck {
    private static final int MESSAGES = 50;

    private ServiceBusSenderClient sender;
    private long lastNumber;

    DuplicatesCheck(FailoverClients clients) {
        super(clients);
    }

    @Override
    String statement() {
        return "CL-23, CL-24, CL-25: with duplicate detection, a send that is repeated after the change stores nothing, and"
                + " sequence numbers and times rise";
    }

    @Override
    void before() {
        administration.createQueue(entity, queue().setDuplicateDetectionRequired(true));
        sender = sdk.sender(entity);
        send("before-");
        lastNumber = last(peek()).getSequenceNumber();
    }

    @Override
    void after() {
        send("after-");
        send("before-");
        send("after-");
        List<ServiceBusReceivedMessage> stored = peek();
        assertThat(stored)
                .extracting(ServiceBusReceivedMessage::getMessageId)
                .containsExactlyElementsOf(
                        Stream.concat(ids("before-"), ids("after-")).toList());
        assertThat(stored)
                .extracting(ServiceBusReceivedMessage::getSequenceNumber)
                .isSorted()
                .doesNotHaveDuplicates();
        assertThat(stored)
                .extracting(ServiceBusReceivedMessage::getEnqueuedTime)
                .isSorted();
        assertThat(stored.get(MESSAGES - 1).getSequenceNumber()).isEqualTo(lastNumber);
    }

    private static Stream<String> ids(String prefix) {
        return IntStream.range(0, MESSAGES).mapToObj(i -> prefix + i);
    }

    private void send(String prefix) {
        ids(prefix).forEach(id -> sender.sendMessage(message(id)));
    }

    private List<ServiceBusReceivedMessage> peek() {
        return sdk.receiver(entity).peekMessages(3 * MESSAGES).stream().toList();
    }

    private static ServiceBusReceivedMessage last(List<ServiceBusReceivedMessage> messages) {
        return messages.get(messages.size() - 1);
    }
}
