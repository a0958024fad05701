package dev.jitney.gateway.http.operator.note;

import dev.jitney.gateway.http.exchange.Exchange;
import dev.jitney.gateway.http.exchange.HttpError;
import dev.jitney.gateway.http.exchange.RefusedException;
import dev.jitney.gateway.http.operator.audit.AuditedAnswer;
import dev.jitney.gateway.http.operator.note.GroupNotes.Note;
import dev.jitney.gateway.http.operator.request.OperatorBody;
import dev.jitney.gateway.http.operator.request.OperatorOperation;
import dev.jitney.gateway.http.operator.request.OperatorRequest;
import dev.jitney.model.ClientText;
import dev.jitney.model.EntityAddress;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.BrokerException;
import dev.jitney.runtime.audit.AuditedAction;
import dev.jitney.runtime.security.Grant;
import io.vertx.core.json.JsonObject;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The requests that write and delete notes on groups of dead letters. For event loops; no method blocks. */
public final class NoteRequests {
    private static final int BODY_BYTES_MAX = 16 << 10;

    private NoteRequests() {}

    /**
     * Writes or deletes the note of the request.
     *
     * @param grant permits to send to the entity
     * @param address the queue with the group
     * @throws RefusedException with 400 if the id of the group is none
     */
    public static void start(Exchange exchange, Grant grant, EntityAddress address, OperatorRequest request)
            throws RefusedException {
        String group = request.variable("group").toLowerCase(Locale.ROOT);
        if (!GroupNotes.isGroupId(group)) {
            throw new RefusedException(HttpError.badRequest(
                    "Expected the id of a group, 16 hexadecimal digits as in the list of groups, but got '"
                            + ClientText.abbreviate(group) + "'."));
        }
        boolean deletion = request.operation() == OperatorOperation.DELETE_NOTE;
        AuditedAction action = new AuditedAction(
                deletion ? "delete note" : "write note",
                grant.holder(),
                exchange.client(),
                exchange.namespace(),
                pathOf(address),
                group);
        if (deletion) {
            finish(
                    exchange,
                    new GroupNotes(exchange.namespace()).delete(address, group),
                    action,
                    "",
                    new JsonObject().put("group", group).put("deleted", true));
            return;
        }
        exchange.body(BODY_BYTES_MAX)
                .onFailure(exchange::fail)
                .onSuccess(body -> exchange.guarded(() -> {
                    String text = String.valueOf(
                            OperatorBody.of(body, request.operation().members()).text("text"));
                    put(
                            exchange,
                            address,
                            new Note(pathOf(address), group, text, grant.holder(), exchange.nowMs()),
                            action);
                }));
    }

    private static String pathOf(EntityAddress address) {
        return address.path() + address.subQueue().suffix();
    }

    private static void put(Exchange exchange, EntityAddress address, Note note, AuditedAction action) {
        CompletionStage<Void> written = new GroupNotes(exchange.namespace())
                .put(address, note)
                .thenCompose(room -> room ? CompletableFuture.completedFuture(null) : full());
        finish(exchange, written, action, note.text(), note.document().put("group", note.group()));
    }

    private static CompletionStage<Void> full() {
        return CompletableFuture.failedFuture(
                new BrokerException(
                        new Rejection(
                                ErrorCode.QUOTA_EXCEEDED,
                                "Expected at most " + GroupNotes.NOTES_MAX
                                        + " notes in a namespace, but this would be one more. Delete notes that nothing needs any more.")));
    }

    private static void finish(
            Exchange exchange, CompletionStage<Void> change, AuditedAction action, String changes, JsonObject answer) {
        AuditedAnswer.to(exchange, change, action, changes, HttpError::of, done -> answer);
    }
}
