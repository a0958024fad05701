package dev.jitney.conformance.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusErrorContext;
import com.azure.messaging.servicebus.ServiceBusException;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusProcessorClient;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import dev.jitney.conformance.support.Await;
import dev.jitney.conformance.support.Sdk;
import dev.jitney.runtime.store.InMemoryMessagingStore;
import dev.jitney.runtime.store.MessagingStore;
import dev.jitney.server.FrontNode;
import dev.jitney.server.JitneyServer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(180)
class JavaSdkLeaderChangeTest {
    private static final int MESSAGES = 10;

    @TempDir
    Path dir;

    private final List<MessagingStore> stores = List.of(new InMemoryMessagingStore());
    private final List<Throwable> errors = new CopyOnWriteArrayList<>();
    private FrontNode first;
    private FrontNode second;

    @BeforeEach
    void open() throws Exception {
        first = FrontNode.open(JitneyServer.builder().dataDir(dir.resolve("a")).port(0), stores);
        second = FrontNode.open(JitneyServer.builder().dataDir(dir.resolve("b")).port(0), stores);
        first.lead();
        first.createQueue("q");
        second.follow(first);
    }

    @AfterEach
    void close() {
        second.close();
        first.close();
    }

    @Test
    @DisplayName(
            "CL-20, CL-23: clients with default options, at any node, continue without a restart when the leader changes")
    void continues() throws Exception {
        Set<String> received = ConcurrentHashMap.newKeySet();
        List<String> sent = new ArrayList<>();
        try (Sdk atFirst = new Sdk(client(first));
                Sdk atSecond = new Sdk(client(second))) {
            ServiceBusSenderClient fromFirst = atFirst.sender("q");
            ServiceBusSenderClient fromSecond = atSecond.sender("q");
            ServiceBusProcessorClient processor = atSecond.keep(client(second)
                    .processor()
                    .queueName("q")
                    .processMessage(context -> received.add(context.getMessage().getMessageId()))
                    .processError(this::note)
                    .buildProcessorClient());
            processor.start();
            send(fromFirst, "1a", sent);
            send(fromSecond, "1b", sent);
            awaitCompleted("all messages before the change", first, received, sent);

            first.loseLeadership();
            second.follow((FrontNode) null);
            second.lead();
            first.follow(second);
            send(fromFirst, "2a", sent);
            send(fromSecond, "2b", sent);
            awaitCompleted("all messages after the change", second, received, sent);

            second.loseLeadership();
            first.follow((FrontNode) null);
            first.lead();
            second.follow(first);
            send(fromFirst, "3a", sent);
            send(fromSecond, "3b", sent);
            awaitCompleted("all messages after the change back", first, received, sent);
        }
        assertThat(received).containsExactlyInAnyOrderElementsOf(sent);
        assertThat(errors)
                .allSatisfy(error -> assertThat(error)
                        .isInstanceOfSatisfying(
                                ServiceBusException.class,
                                e -> assertThat(e.isTransient()).isTrue()));
    }

    /** Waits until the leader has no message left: a completion that a change interrupts is an error that is not transient. */
    private static void awaitCompleted(String what, FrontNode leader, Set<String> received, List<String> sent) {
        Await.until(what, () -> received.containsAll(sent));
        Await.until(what + " to be completed", () -> leader.counts("q").total() == 0);
    }

    private void note(ServiceBusErrorContext context) {
        errors.add(context.getException());
    }

    private static void send(ServiceBusSenderClient sender, String prefix, List<String> sent) {
        for (int i = 0; i < MESSAGES; i++) {
            String id = prefix + "-" + i;
            sender.sendMessage(new ServiceBusMessage(id).setMessageId(id));
            sent.add(id);
        }
    }

    private static ServiceBusClientBuilder client(FrontNode node) {
        return new ServiceBusClientBuilder().connectionString(node.connectionString());
    }
}
