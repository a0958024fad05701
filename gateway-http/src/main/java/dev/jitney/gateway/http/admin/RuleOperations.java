package dev.jitney.gateway.http.admin;

import dev.jitney.gateway.http.atom.Elements;
import dev.jitney.gateway.http.atom.EntryReader;
import dev.jitney.gateway.http.atom.MalformedEntryException;
import dev.jitney.gateway.http.atom.RuleXml;
import dev.jitney.gateway.http.exchange.HttpError;
import dev.jitney.gateway.http.exchange.RefusedException;
import dev.jitney.model.rule.Rule;
import dev.jitney.model.rule.RuleDescription;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.audit.Changes;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The operations on rules of subscriptions: get, create, update, delete (HTTP reference 2.2). Any thread may call it.
 */
final class RuleOperations {
    private final EntryReader reader;
    private final ChangesUnderWay changes;

    RuleOperations(EntryReader reader, ChangesUnderWay changes) {
        this.reader = reader;
        this.changes = changes;
    }

    void get(AdminRequest request) {
        Rule rule = find(request);
        if (rule != null) {
            request.answer(200, Entries.of(request, rule));
        } else {
            request.exchange().refuse(AdminErrors.childMissing(request.target(), request.namespace()));
        }
    }

    void put(AdminRequest request) {
        request.withDescription(reader, in -> {
            RuleDescription rule = read(request, in);
            String subscription = request.target().entityPath();
            boolean created = request.ifMatch() == null;
            request.auditing(created ? "create rule" : "update rule", Changes.of(rule));
            if (created) {
                answer(request, 201, request.namespace().createRule(subscription, rule));
            } else {
                answer(request, 200, alone(request, () -> {
                    requireMatch(request, AdminErrors.childMissing(request.target(), request.namespace()));
                    return request.namespace().updateRule(subscription, rule);
                }));
            }
        });
    }

    void delete(AdminRequest request) throws RefusedException {
        AdminTarget target = request.target();
        request.auditing("delete rule", "");
        CompletionStage<Void> deleted = alone(request, () -> {
            requireMatch(request, AdminErrors.noService(target));
            return request.namespace().deleteRule(target.entityPath(), target.rule());
        });
        request.answerAfter(
                deleted,
                rejection -> AdminErrors.ofDeletion(rejection, target),
                done -> request.exchange().answer(200));
    }

    private static RuleDescription read(AdminRequest request, Elements in) throws RefusedException {
        if (!in.name().equals(RuleXml.ELEMENT)) {
            throw new RefusedException(HttpError.badRequest(
                    "Bad Request. Expected " + RuleXml.ELEMENT + " for this path, but got another element."));
        }
        try {
            return RuleXml.read(in, request.target().rule());
        } catch (MalformedEntryException malformed) {
            throw AdminRequest.refused(malformed);
        }
    }

    private static void answer(AdminRequest request, int status, CompletionStage<Entity> work) {
        request.answerAfter(work, rejection -> AdminErrors.of(rejection, request.target()), subscription -> {
            Rule rule = Entries.rule(subscription, request.target().rule());
            if (rule == null) { // deleted in the meantime
                request.exchange().refuse(AdminErrors.childMissing(request.target(), request.namespace()));
            } else {
                request.answer(status, Entries.of(request, rule));
            }
        });
    }

    private <T> CompletionStage<T> alone(AdminRequest request, ChangesUnderWay.Change<T> change)
            throws RefusedException {
        AdminTarget target = request.target();
        return changes.alone(
                request.namespace(),
                target.entityPath() + "/Rules/" + target.rule(),
                () -> new RefusedException(AdminErrors.changing(target)),
                change);
    }

    private static void requireMatch(AdminRequest request, HttpError missing) throws RefusedException {
        Rule rule = find(request);
        if (rule == null) {
            throw new RefusedException(missing);
        }
        if (!EntityTag.matchesAny(request.ifMatch())) {
            throw new RefusedException(AdminErrors.changed(request.target()));
        }
    }

    private static @Nullable Rule find(AdminRequest request) {
        Entity subscription = request.namespace().entity(request.target().entityPath());
        return subscription == null
                ? null
                : Entries.rule(subscription, request.target().rule());
    }
}
