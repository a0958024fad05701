package dev.jitney.gateway.http.admin;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.jitney.gateway.http.exchange.RefusedException;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.MeterReading;
import io.vertx.core.buffer.Buffer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The meters {@code $metering} of the namespace, a queue, a topic or a subscription, as JSON, and their reset (MET-1 to
 * MET-3). They are an addition to the service; reading them is no billed operation.
 */
final class Metering {
    private static final String TYPE = "application/json; charset=utf-8";
    private static final JsonFactory JSON = new JsonFactory();

    private Metering() {}

    static void get(AdminRequest request) throws RefusedException {
        long nowMs = request.exchange().nowMs();
        Entity entity = find(request);
        answer(
                request,
                entity,
                entity == null
                        ? request.namespace().meter().read(nowMs)
                        : entity.meter().read(nowMs));
    }

    /**
     * Responds with the numbers so far and resets the meter. A namespace also resets all its entities, a topic only
     * itself.
     */
    static void reset(AdminRequest request) throws RefusedException {
        long nowMs = request.exchange().nowMs();
        Entity entity = find(request);
        request.auditing("reset metering", "");
        request.auditDone();
        if (entity != null) {
            answer(request, entity, entity.meter().reset(nowMs));
            return;
        }
        for (Entity each : request.namespace().entities()) {
            each.meter().reset(nowMs);
            each.subscriptions().forEach(subscription -> subscription.meter().reset(nowMs));
        }
        answer(request, null, request.namespace().meter().reset(nowMs));
    }

    /** Returns the entity of the path, or null for the namespace. */
    private static @Nullable Entity find(AdminRequest request) throws RefusedException {
        AdminTarget target = request.target();
        if (target.path().isEmpty()) {
            return null;
        }
        Entity entity = request.namespace().entity(target.entityPath());
        if (entity == null) {
            throw new RefusedException(
                    target.subscription().isEmpty()
                            ? AdminErrors.entityMissing(target)
                            : AdminErrors.childMissing(target, request.namespace()));
        }
        return entity;
    }

    private static void answer(AdminRequest request, @Nullable Entity entity, MeterReading reading) {
        byte[] json = json(request.namespace().name(), entity == null ? null : entity.path(), reading);
        request.exchange().answer(200, TYPE, Buffer.buffer(json));
    }

    private static byte[] json(String namespace, @Nullable String entity, MeterReading reading) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonGenerator out = JSON.createGenerator(bytes)) {
            out.writeStartObject();
            out.writeStringField("namespace", namespace);
            if (entity != null) {
                out.writeStringField("entity", entity);
            }
            out.writeStringField(
                    "since", Instant.ofEpochMilli(reading.sinceMs()).toString());
            out.writeStringField(
                    "until", Instant.ofEpochMilli(reading.untilMs()).toString());
            out.writeNumberField("operations", reading.operations());
            out.writeObjectFieldStart("operationsByKind");
            out.writeNumberField("sends", reading.sends());
            out.writeNumberField("deliveries", reading.deliveries());
            out.writeNumberField("emptyReceives", reading.emptyReceives());
            out.writeNumberField("calls", reading.calls());
            out.writeNumberField("transfers", reading.transfers());
            out.writeEndObject();
            out.writeNumberField("bytesIn", reading.bytesIn());
            out.writeNumberField("bytesOut", reading.bytesOut());
            out.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e); // a stream in memory does not fail
        }
        return bytes.toByteArray();
    }
}
