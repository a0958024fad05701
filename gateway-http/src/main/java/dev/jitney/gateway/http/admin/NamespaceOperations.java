package dev.jitney.gateway.http.admin;

import dev.jitney.gateway.http.atom.AccessRuleXml;
import dev.jitney.gateway.http.atom.AtomEntry;
import dev.jitney.gateway.http.atom.Elements;
import dev.jitney.gateway.http.atom.EntryReader;
import dev.jitney.gateway.http.atom.MalformedEntryException;
import dev.jitney.gateway.http.atom.NamespaceXml;
import dev.jitney.gateway.http.exchange.HttpError;
import dev.jitney.gateway.http.exchange.RefusedException;
import dev.jitney.model.AccessRule;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.Namespace;
import dev.jitney.runtime.audit.Changes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The information about the namespace (HTTP reference 2.7), and its authorization rules. The rules are an extension:
 * the cloud administers them in another API. Any thread may call it.
 *
 * <p>{@code GET /$namespaceinfo/AuthorizationRules} lists them. {@code GET}, {@code PUT} and {@code DELETE} of {@code
 * …/AuthorizationRules/{name}} work as for entities, with an {@code AuthorizationRule} as content. Missing keys of a
 * new rule are generated; missing keys of an existing rule stay. {@code PUT} with {@code ?regenerate=primary} or {@code
 * secondary} gives an existing rule one new key and needs no body.
 */
final class NamespaceOperations {
    private static final String REGENERATE = "regenerate";

    private final EntryReader reader;
    private final ChangesUnderWay changes;
    private final AccessRuleXml.Keys keys;

    NamespaceOperations(EntryReader reader, ChangesUnderWay changes, AccessRuleXml.Keys keys) {
        this.reader = reader;
        this.changes = changes;
        this.keys = keys;
    }

    void info(AdminRequest request) {
        Namespace namespace = request.namespace();
        request.answer(
                200,
                new AtomEntry(
                        request.url(),
                        request.url(),
                        namespace.name(),
                        null,
                        request.exchange().nowMs(),
                        namespace.name(),
                        NamespaceXml.content(
                                namespace.name(),
                                namespace.limits().tier(),
                                namespace.createdAtMs(),
                                namespace.modifiedAtMs())));
    }

    void list(AdminRequest request) throws RefusedException {
        List<AccessRule> all = new ArrayList<>(request.namespace().accessRules());
        all.sort(Comparator.comparing(rule -> rule.name().toLowerCase(Locale.ROOT)));
        Paging paging = Paging.of(request.exchange().target());
        List<AtomEntry> entries = new ArrayList<>();
        for (AccessRule rule : paging.page(all)) {
            entries.add(entry(
                    request, rule, Listings.childId(request, rule.name()), Listings.childLink(request, rule.name())));
        }
        request.answerFeed("AuthorizationRules", Listings.next(request, paging, all.size()), entries);
    }

    void get(AdminRequest request) throws RefusedException {
        answer(request, 200, require(request));
    }

    void put(AdminRequest request) throws RefusedException {
        String regenerate = request.exchange().target().query(REGENERATE);
        if (regenerate != null) {
            request.withBody(ignored -> request.guarded(() -> regenerate(request, regenerate)));
        } else {
            request.withDescription(reader, in -> put(request, in));
        }
    }

    void delete(AdminRequest request) throws RefusedException {
        CompletionStage<Void> deleted = alone(request, () -> {
            AccessRule rule = require(request);
            requireMatch(request);
            return change(request, rule, null);
        });
        request.answerAfter(
                deleted,
                rejection -> AdminErrors.ofDeletion(rejection, request.target()),
                done -> request.exchange().answer(200));
    }

    private void put(AdminRequest request, Elements in) throws RefusedException {
        AccessRule[] made = new AccessRule[1];
        boolean update = request.ifMatch() != null;
        CompletionStage<Void> done = alone(request, () -> {
            AccessRule stored = update ? require(request) : find(request);
            if (stored != null && !update) {
                throw new RefusedException(new Rejection(
                        ErrorCode.ENTITY_EXISTS,
                        "Conflict. The authorization rule '" + stored.name() + "' already exists."));
            }
            requireMatch(request);
            made[0] = read(request, in, stored);
            return change(request, stored, made[0]);
        });
        answerAfter(request, update ? 200 : 201, done, made);
    }

    private void regenerate(AdminRequest request, String which) throws RefusedException {
        boolean primary = which.equalsIgnoreCase("primary");
        if (!primary && !which.equalsIgnoreCase("secondary")) {
            throw new RefusedException(HttpError.badRequest(
                    "Bad Request. Expected regenerate=primary or regenerate=secondary, but got another word."));
        }
        AccessRule[] made = new AccessRule[1];
        CompletionStage<Void> done = alone(request, () -> {
            AccessRule old = require(request);
            requireMatch(request);
            made[0] = new AccessRule(
                    old.name(),
                    old.rights(),
                    primary ? keys.next() : old.primaryKey(),
                    primary ? old.secondaryKey() : keys.next());
            return change(request, old, made[0]);
        });
        answerAfter(request, 200, done, made);
    }

    private static void answerAfter(AdminRequest request, int status, CompletionStage<Void> done, AccessRule[] made) {
        request.answerAfter(
                done,
                rejection -> AdminErrors.of(rejection, request.target()),
                nothing -> answer(request, status, made[0]));
    }

    private static void answer(AdminRequest request, int status, AccessRule rule) {
        request.answer(status, entry(request, rule, request.url(), request.url()));
    }

    private static AtomEntry entry(AdminRequest request, AccessRule rule, String id, String selfLink) {
        Namespace namespace = request.namespace();
        return new AtomEntry(
                id,
                selfLink,
                rule.name(),
                null,
                namespace.modifiedAtMs(),
                namespace.name(),
                AccessRuleXml.content(rule));
    }

    private AccessRule read(AdminRequest request, Elements in, @Nullable AccessRule stored) throws RefusedException {
        if (!in.name().equals(AccessRuleXml.ELEMENT)) {
            throw new RefusedException(HttpError.badRequest(
                    "Bad Request. Expected " + AccessRuleXml.ELEMENT + " for this path, but got another element."));
        }
        try {
            String name = stored == null ? request.target().rule() : stored.name();
            return AccessRuleXml.read(in, name, stored, keys);
        } catch (MalformedEntryException malformed) {
            throw AdminRequest.refused(malformed);
        }
    }

    /** Replaces one rule by another; null means no rule. */
    private static CompletionStage<Void> change(
            AdminRequest request, @Nullable AccessRule old, @Nullable AccessRule changed) {
        request.auditing(
                (old == null ? "create" : changed == null ? "delete" : "update") + " authorization rule",
                Changes.betweenRules(old, changed));
        List<AccessRule> rules = new ArrayList<>(request.namespace().accessRules());
        int at = old == null ? -1 : rules.indexOf(old);
        if (at >= 0) {
            rules.remove(at);
        }
        if (changed != null) {
            rules.add(at >= 0 ? at : rules.size(), changed);
        }
        return request.namespace().setAccessRules(rules);
    }

    private <T> CompletionStage<T> alone(AdminRequest request, ChangesUnderWay.Change<T> change)
            throws RefusedException {
        return changes.alone(
                request.namespace(),
                ChangesUnderWay.NAMESPACE_RULES,
                () -> new RefusedException(AdminErrors.changing(request.target())),
                change);
    }

    private static void requireMatch(AdminRequest request) throws RefusedException {
        if (!EntityTag.matchesAny(request.ifMatch())) {
            throw new RefusedException(AdminErrors.changed(request.target()));
        }
    }

    private static AccessRule require(AdminRequest request) throws RefusedException {
        AccessRule rule = find(request);
        if (rule == null) {
            throw new RefusedException(HttpError.notFound(
                    "Not Found. The authorization rule '" + request.target().rule() + "' does not exist."));
        }
        return rule;
    }

    private static @Nullable AccessRule find(AdminRequest request) {
        for (AccessRule rule : request.namespace().accessRules()) {
            if (rule.name().equalsIgnoreCase(request.target().rule())) {
                return rule;
            }
        }
        return null;
    }
}
