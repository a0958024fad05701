package dev.jitney.gateway.http.operator.message;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.jitney.core.Reply;
import dev.jitney.gateway.http.exchange.Exchange;
import dev.jitney.gateway.http.exchange.HttpError;
import dev.jitney.gateway.http.operator.request.JsonAnswer;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.audit.Audit;
import dev.jitney.runtime.audit.AuditedAction;
import io.vertx.core.buffer.Buffer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One operation on chosen messages. Each message is changed by itself, in a commit of its own, and has its own result. A few messages are
 * in progress at a time, so that their content does not fill the memory. If the client disconnects, the messages that are not in
 * progress stay as they are. For the event loop of its exchange.
 */
public final class MessageActs {
    /** The number of messages that are in progress at a time. */
    private static final int IN_PROGRESS_MAX = 4;

    /** The number of sequence numbers in a line of the audit log. */
    private static final int AUDITED_MAX = 50;

    private static final JsonFactory JSON = new JsonFactory();

    private final Exchange exchange;
    private final AuditedAction action;
    private final MessageAction act;
    private final List<Long> numbers;
    private final @Nullable Result[] results;
    private int started;
    private int finished;
    private boolean audited;

    /**
     * The result for one message.
     *
     * @param newNumber the number of the new message, or 0 if there is none or if it is not known yet
     * @param refusal null if the message was changed
     */
    private record Result(long newNumber, @Nullable HttpError refusal) {}

    private MessageActs(Exchange exchange, AuditedAction action, MessageAction act, List<Long> numbers) {
        this.exchange = exchange;
        this.action = action;
        this.act = act;
        this.numbers = numbers;
        this.results = new Result[numbers.size()];
    }

    /**
     * Starts an operation.
     *
     * @param action its name and author for the audit log
     * @param numbers the chosen messages, each once
     */
    public static void start(Exchange exchange, AuditedAction action, MessageAction act, List<Long> numbers) {
        MessageActs acts = new MessageActs(exchange, action, act, numbers);
        exchange.whenEnded(acts::audit);
        acts.proceed();
    }

    private void proceed() {
        while (started < numbers.size() && started - finished < IN_PROGRESS_MAX && !exchange.isOver()) {
            int index = started++;
            act.perform(numbers.get(index), outcome(index));
        }
        if (finished == numbers.size()) {
            JsonAnswer.send(exchange, Buffer.buffer(document()));
        }
    }

    private MessageAction.Outcome outcome(int index) {
        return new MessageAction.Outcome() {
            @Override
            public void onReply(Reply reply) {
                long number = reply instanceof Reply.Sent sent ? sent.sequenceNumbers()[0] : 0;
                finish(index, new Result(number, null));
            }

            @Override
            public void onRejected(Rejection rejection) {
                refused(HttpError.of(rejection));
            }

            @Override
            public void refused(HttpError error) {
                finish(index, new Result(0, error));
            }
        };
    }

    private void finish(int index, Result result) {
        results[index] = result;
        finished++;
        exchange.guarded(this::proceed);
        audit();
    }

    private byte[] document() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        int changed = 0;
        try (JsonGenerator out = JSON.createGenerator(bytes)) {
            out.writeStartObject();
            out.writeArrayFieldStart("results");
            for (int i = 0; i < results.length; i++) {
                Result result = results[i];
                HttpError refusal = result == null ? HttpError.internal() : result.refusal();
                out.writeStartObject();
                out.writeStringField("sequenceNumber", Long.toString(numbers.get(i)));
                out.writeBooleanField("done", refusal == null);
                if (refusal != null) {
                    out.writeNumberField("status", refusal.status());
                    out.writeStringField("message", refusal.sentence());
                } else if (result != null && result.newNumber() > 0) {
                    out.writeStringField("newSequenceNumber", Long.toString(result.newNumber()));
                }
                changed += refusal == null ? 1 : 0;
                out.writeEndObject();
            }
            out.writeEndArray();
            out.writeNumberField("done", changed);
            out.writeNumberField("refused", results.length - changed);
            out.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e); // a stream in memory does not fail
        }
        return bytes.toByteArray();
    }

    /**
     * Writes the changed messages to the audit log when the exchange is over and no message is in progress, also if the client has
     * disconnected.
     */
    private void audit() {
        if (audited || finished < started || !exchange.isOver()) {
            return;
        }
        audited = true;
        List<Long> changed = new ArrayList<>();
        HttpError refusal = null;
        for (int i = 0; i < results.length; i++) {
            Result result = results[i];
            if (result != null && result.refusal() == null) {
                changed.add(numbers.get(i));
            } else if (result != null) {
                refusal = result.refusal();
            }
        }
        if (!changed.isEmpty()) {
            Audit.done(
                    action,
                    act.description() + changed.size() + " of " + numbers.size() + " messages: "
                            + changed.subList(0, Math.min(AUDITED_MAX, changed.size()))
                            + (changed.size() > AUDITED_MAX ? " and more" : ""));
        } else if (refusal != null) {
            Audit.refused(action, refusal.sentence());
        }
    }
}
