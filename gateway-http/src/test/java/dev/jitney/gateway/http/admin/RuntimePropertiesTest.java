package dev.jitney.gateway.http.admin;

import static dev.jitney.gateway.http.admin.AdminFixture.queue;
import static dev.jitney.gateway.http.admin.AdminFixture.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.core.Command;
import dev.jitney.core.Reply;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.MessageContent;
import dev.jitney.model.MessageView;
import dev.jitney.model.ReceiveMode;
import dev.jitney.model.Rejection;
import dev.jitney.model.SubQueue;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.ReceiverListener;
import dev.jitney.runtime.ReplyListener;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Counts and times. */
class RuntimePropertiesTest {
    private final AdminFixture f = new AdminFixture();

    @AfterEach
    void stop() {
        f.close();
    }

    @Test
    @DisplayName("HTTP checklist 60: counts and the time of the last access follow what happens to messages")
    void counts() throws Exception {
        f.created("/orders", queue(""));
        Entity orders = f.entity("orders");
        f.broker.nowMs.addAndGet(60_500);
        submit(orders, new Command.SendMessages(List.of(message(0), message(0), message(0), message(0))));
        submit(orders, new Command.SendMessages(List.of(message(f.broker.nowMs.get() + 3_600_000))));
        deadLetterOne(orders);
        HttpResponse<String> answer = f.get("/orders");
        assertThat(text(answer, "ActiveMessageCount")).isEqualTo("3");
        assertThat(text(answer, "ScheduledMessageCount")).isEqualTo("1");
        assertThat(text(answer, "DeadLetterMessageCount")).isEqualTo("1");
        assertThat(text(answer, "MessageCount")).isEqualTo("5");
        assertThat(Long.parseLong(String.valueOf(text(answer, "SizeInBytes")))).isPositive();
        assertThat(text(answer, "AccessedAt")).startsWith("2026-11-21T07:0").endsWith("Z");
        assertThat(text(answer, "CreatedAt")).isEqualTo("2026-11-21T07:01:43Z");
        assertThat(text(answer, "UpdatedAt")).isEqualTo("2026-11-21T07:01:43Z");
        assertThat(f.get("/$Resources/Queues").body()).contains("<MessageCount>5</MessageCount>");
    }

    private static IncomingMessage message(long scheduledAtMs) {
        ByteBuffer nothing = ByteBuffer.allocate(0);
        MessageContent content =
                MessageContent.of(true, 4, false, nothing, nothing, nothing, StandardCharsets.UTF_8.encode("body"));
        return IncomingMessage.of(content).sent(null, scheduledAtMs).build();
    }

    private static void deadLetterOne(Entity entity) throws Exception {
        CompletableFuture<MessageView> delivered = new CompletableFuture<>();
        entity.attach(
                        SubQueue.MAIN,
                        ReceiveMode.PEEK_LOCK,
                        Runnable::run,
                        new ReceiverListener() {
                            @Override
                            public void onDelivered(MessageView message) {
                                delivered.complete(message);
                            }

                            @Override
                            public void onDrained(long deliveryLimit) {}

                            @Override
                            public void onClosed(Rejection reason) {}
                        },
                        ReplyListener.IGNORE)
                .setCredit(1, false);
        MessageView message = delivered.get(30, TimeUnit.SECONDS);
        submit(entity, new Command.DeadLetterMessages(List.of(message.lockToken()), "reason", null, Map.of()));
    }

    private static void submit(Entity entity, Command command) throws Exception {
        CompletableFuture<Reply> done = new CompletableFuture<>();
        entity.submit(command, Runnable::run, new ReplyListener() {
            @Override
            public void onReply(Reply reply) {
                done.complete(reply);
            }

            @Override
            public void onRejected(Rejection rejection) {
                done.completeExceptionally(new AssertionError(rejection));
            }
        });
        done.get(30, TimeUnit.SECONDS);
    }
}
