package dev.jitney.gateway.http.operator.job;

import dev.jitney.gateway.http.exchange.RefusedException;
import dev.jitney.model.ClientText;
import dev.jitney.model.EntityAddress;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.security.LastingGrant;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** One job: its order, its author, its state and its progress. For the event loop of the jobs. */
final class Job {
    private static final int VERSION = 1;

    /** The version of a job whose author is an identity, which earlier releases cannot read. */
    private static final int VERSION_OF_IDENTITY = 2;

    private static final long UNKNOWN = -1;

    /** The length of the reason, characters. With the other members a job fits into a document. */
    private static final int REASON_CHARACTERS_MAX = 500;

    final long id;
    final JobOrder order;
    final LastingGrant grant;
    final String client;
    final long createdAtMs;

    /** The number of the entity, or {@link #UNKNOWN} if an earlier release has written the job. */
    private final long entityId;

    JobState state = JobState.WAITING;

    private String reason = "";

    long endedAtMs;
    JobProgress progress = new JobProgress();

    /** True if the process has ended while it ran, so that the last second of its progress is missing. */
    boolean interrupted;

    /** The run that changes its messages now, or null. */
    @Nullable
    JobRun run;

    /**
     * @param grant the rule or the identity by which it may change messages
     * @param client address and port of the client that ordered it
     * @param entityId the number of the entity at the time of the order
     */
    Job(long id, JobOrder order, LastingGrant grant, String client, long createdAtMs, long entityId) {
        this.id = id;
        this.order = order;
        this.grant = grant;
        this.client = client;
        this.createdAtMs = createdAtMs;
        this.entityId = entityId;
    }

    /** Sets a sentence about the state, or an empty text. The sentence may have the words of clients and of messages. */
    void setReason(String sentence) {
        reason = ClientText.harmless(ClientText.cut(sentence, REASON_CHARACTERS_MAX));
    }

    /** Returns whether an entity with the path of the job is another one, which was created after the order. */
    boolean isForOtherThan(Entity entity) {
        return entityId == UNKNOWN ? entity.createdAtMs() > createdAtMs : entity.id() != entityId;
    }

    /**
     * Reads a stored job.
     *
     * @throws RefusedException if this release does not permit its order
     * @throws IllegalArgumentException if a later release has written it
     */
    static Job of(long id, byte[] row) throws RefusedException {
        JsonObject stored = new JsonObject(Buffer.buffer(row));
        int version = stored.getInteger("version");
        if (version != VERSION && version != VERSION_OF_IDENTITY) {
            throw new IllegalArgumentException("Expected version " + VERSION + " or " + VERSION_OF_IDENTITY
                    + " of a job, but got version " + version + ".");
        }
        Job job = new Job(
                id,
                JobOrder.of(EntityAddress.ofPath(stored.getString("entity")), Buffer.buffer(stored.getString("order"))),
                grant(stored.getJsonObject("grant"), version),
                stored.getString("client"),
                stored.getLong("createdAt"),
                stored.getLong("entityId", UNKNOWN));
        job.state = JobState.of(stored.getString("state"));
        job.setReason(stored.getString("reason"));
        job.endedAtMs = stored.getLong("endedAt");
        job.progress = JobProgress.of(stored.getJsonObject("progress"));
        return job;
    }

    private static LastingGrant grant(JsonObject stored, int version) {
        return version == VERSION_OF_IDENTITY
                ? new LastingGrant.OfIdentity(
                        stored.getString("holder"),
                        stored.getJsonArray("roles").stream()
                                .map(String.class::cast)
                                .toList())
                : new LastingGrant.OfRule(
                        stored.getString("audience"),
                        stored.getString("scope"),
                        stored.getString("rule"),
                        stored.getBoolean("entityRule"));
    }

    private static JsonObject stored(LastingGrant grant) {
        if (grant instanceof LastingGrant.OfIdentity identity) {
            return new JsonObject().put("holder", identity.holder()).put("roles", new JsonArray(identity.roles()));
        }
        LastingGrant.OfRule rule = (LastingGrant.OfRule) grant;
        return new JsonObject()
                .put("audience", rule.audience())
                .put("scope", rule.scopeKey())
                .put("rule", rule.ruleName())
                .put("entityRule", rule.entityRule());
    }

    byte[] toRow() {
        return new JsonObject()
                .put("version", grant instanceof LastingGrant.OfIdentity ? VERSION_OF_IDENTITY : VERSION)
                .put("entity", order.path())
                .put("entityId", entityId)
                .put("order", order.json())
                .put("grant", stored(grant))
                .put("client", client)
                .put("createdAt", createdAtMs)
                .put("state", state.word())
                .put("reason", reason)
                .put("endedAt", endedAtMs)
                .put("progress", progress.toRow())
                .toBuffer()
                .getBytes();
    }

    /** Returns the job as the API shows it. */
    JsonObject document() {
        JsonObject document = new JsonObject()
                .put("id", Long.toString(id))
                .put("entity", order.path())
                .put("order", new JsonObject(order.json()))
                .put("state", state.word())
                .put("reason", reason.isEmpty() ? null : reason)
                .put("key", grant.holder())
                .put("client", client)
                .put("createdAt", Instant.ofEpochMilli(createdAtMs).toString())
                .put(
                        "endedAt",
                        endedAtMs == 0 ? null : Instant.ofEpochMilli(endedAtMs).toString())
                .put("total", progress.total < 0 ? null : progress.total)
                .put("scanned", progress.scanned)
                .put("done", progress.done)
                .put("refused", progress.refused)
                .put("filterFailed", progress.failed)
                .put("refusals", progress.refusals());
        JobProgress.Canary canary = progress.canary;
        if (order.canaryMessages() > 0) {
            document.put("canary", (canary == null ? JobProgress.Canary.Verdict.OPEN : canary.verdict()).word());
        }
        return document;
    }

    /** Returns words for people, such as {@code resubmit of 'orders/$DeadLetterQueue'}. */
    String words() {
        return order.operation().name().toLowerCase(Locale.ROOT).replace('_', '-') + " of '" + order.path() + "'";
    }
}
