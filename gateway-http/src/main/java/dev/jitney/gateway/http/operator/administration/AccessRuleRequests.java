package dev.jitney.gateway.http.operator.administration;

import dev.jitney.gateway.http.admin.ChangesUnderWay;
import dev.jitney.gateway.http.admin.NewKeys;
import dev.jitney.gateway.http.exchange.AmqpPorts;
import dev.jitney.gateway.http.exchange.HttpError;
import dev.jitney.gateway.http.exchange.RefusedException;
import dev.jitney.gateway.http.operator.request.FieldErrors;
import dev.jitney.gateway.http.operator.request.JsonAnswer;
import dev.jitney.model.AccessRight;
import dev.jitney.model.AccessRule;
import dev.jitney.model.ClientText;
import dev.jitney.model.EntityDescription;
import dev.jitney.model.EntityKind;
import dev.jitney.model.Rejection;
import dev.jitney.model.property.AccessRuleChecks;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.Namespace;
import dev.jitney.runtime.audit.Changes;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The requests for access rules of a queue, of a topic, or of the namespace. Only {@link #showKeys} answers with keys, and it leaves an
 * entry in the audit log. For event loops; no method blocks.
 */
final class AccessRuleRequests {
    private static final String NAME = "accessRule";
    private static final String RIGHTS = "rights";
    private static final int NAME_CHARACTERS_MAX = 256;

    private final ChangesUnderWay changes;
    private final AmqpPorts ports;
    private final NewKeys keys = new NewKeys();

    AccessRuleRequests(ChangesUnderWay changes, AmqpPorts ports) {
        this.changes = changes;
        this.ports = ports;
    }

    /** A change of one rule: the old one or null becomes the new one or null. */
    @FunctionalInterface
    private interface RuleChange {
        @Nullable
        AccessRule of(@Nullable AccessRule old) throws RefusedException;
    }

    /** Answers with the rules in the order of their names, without keys. */
    void list(Change change) throws RefusedException {
        JsonArray list = new JsonArray();
        rules(change).stream()
                .sorted(Comparator.comparing(rule -> rule.name().toLowerCase(Locale.ROOT)))
                .forEach(rule -> list.add(document(rule)));
        JsonAnswer.send(
                change.exchange(), new JsonObject().put("accessRules", list).toBuffer());
    }

    private static JsonObject document(AccessRule rule) {
        JsonArray rights = new JsonArray();
        for (AccessRight right : AccessRight.values()) {
            if (rule.rights().contains(right)) {
                rights.add(word(right));
            }
        }
        return new JsonObject().put(NAME, rule.name()).put(RIGHTS, rights);
    }

    private static String word(AccessRight right) {
        return right.name().charAt(0) + right.name().substring(1).toLowerCase(Locale.ROOT);
    }

    /** Answers with the keys of a rule and its connection strings. */
    void showKeys(Change change, String name) throws RefusedException {
        AccessRule rule = require(rules(change), name);
        change.audit("show keys of authorization rule", rule.name());
        String path = change.address().path();
        JsonObject document = document(rule)
                .put("primaryKey", rule.primaryKey())
                .put(
                        "primaryConnectionString",
                        ConnectionString.of(change.exchange(), ports, rule.name(), rule.primaryKey(), path));
        String secondary = rule.secondaryKey();
        if (secondary != null) {
            document.put("secondaryKey", secondary)
                    .put(
                            "secondaryConnectionString",
                            ConnectionString.of(change.exchange(), ports, rule.name(), secondary, path));
        }
        JsonAnswer.send(change.exchange(), document.toBuffer());
    }

    /** Creates a rule with new keys, or changes the rights of a rule. */
    void put(Change change, String name, Map<String, @Nullable Object> members) throws RefusedException {
        FieldErrors errors = new FieldErrors();
        for (String member : members.keySet()) {
            if (!member.equals(RIGHTS)) {
                errors.add(member, "An access rule has no member of this name. Expected 'rights'.");
            }
        }
        Set<AccessRight> rights = rights(members.get(RIGHTS), errors);
        if (name.length() > NAME_CHARACTERS_MAX) {
            errors.add(
                    NAME,
                    "Expected a name of 1 to " + NAME_CHARACTERS_MAX + " characters, but got " + name.length() + ".");
        } else if (!rights.isEmpty()) {
            Rejection refusal = AccessRuleChecks.refuse(List.of(new AccessRule(name, rights, "key", null)));
            if (refusal != null) {
                errors.add(NAME, refusal.description());
            }
        }
        errors.refuse();
        apply(
                change,
                name,
                old -> old == null
                        ? new AccessRule(name, rights, keys.next(), keys.next())
                        : new AccessRule(old.name(), rights, old.primaryKey(), old.secondaryKey()));
    }

    private static Set<AccessRight> rights(@Nullable Object value, FieldErrors errors) {
        EnumSet<AccessRight> rights = EnumSet.noneOf(AccessRight.class);
        boolean fits = false;
        if (value instanceof List<?> list && list.size() <= AccessRight.values().length) {
            fits = true;
            for (Object each : list) {
                AccessRight right = null;
                for (AccessRight known : AccessRight.values()) {
                    right = word(known).equals(each) ? known : right;
                }
                fits &= right != null;
                if (right != null) {
                    rights.add(right);
                }
            }
        }
        if (!fits || rights.isEmpty()) {
            errors.add(RIGHTS, "Expected an array with at least one of Listen, Send and Manage in 'rights'.");
        }
        return rights;
    }

    /** Gives a rule one new key. */
    void renew(Change change, String name, boolean primary) throws RefusedException {
        apply(change, name, old -> {
            AccessRule rule = existing(old, name);
            return new AccessRule(
                    rule.name(),
                    rule.rights(),
                    primary ? keys.next() : rule.primaryKey(),
                    primary ? rule.secondaryKey() : keys.next());
        });
    }

    /** Exchanges the keys of a rule. Both stay valid. */
    void swap(Change change, String name) throws RefusedException {
        apply(change, name, old -> {
            AccessRule rule = existing(old, name);
            String secondary = rule.secondaryKey();
            if (secondary == null) {
                throw new RefusedException(HttpError.badRequest("Expected an access rule with two keys, but '"
                        + rule.name() + "' has no secondary key. Renew the secondary key first."));
            }
            return new AccessRule(rule.name(), rule.rights(), secondary, rule.primaryKey());
        });
    }

    void delete(Change change, String name) throws RefusedException {
        apply(change, name, old -> {
            existing(old, name);
            return null;
        });
    }

    private void apply(Change change, String name, RuleChange ruleChange) throws RefusedException {
        Namespace namespace = change.namespace();
        boolean ofNamespace = isOfNamespace(change);
        rules(change); // refuses an entity without rules
        Applied applied = new Applied();
        CompletionStage<?> made = changes.alone(
                namespace,
                ofNamespace ? ChangesUnderWay.NAMESPACE_RULES : change.address().path(),
                change::inProgress,
                () -> {
                    List<AccessRule> rules = new ArrayList<>(rules(change));
                    applied.old = find(rules, name);
                    applied.changed = ruleChange.of(applied.old);
                    replace(rules, applied.old, applied.changed);
                    if (ofNamespace) {
                        return namespace.setAccessRules(rules).thenApply(Function.identity());
                    }
                    EntityDescription description = change.entity().description();
                    return EntityRequests.update(namespace, withRules(namespace, description, rules))
                            .thenApply(Function.identity());
                });
        AccessRule old = applied.old;
        AccessRule changed = applied.changed;
        change.finish(
                made,
                (old == null ? "create" : changed == null ? "delete" : "update") + " authorization rule",
                old == null ? name : old.name(),
                Changes.betweenRules(old, changed),
                HttpError::of,
                done -> changed == null
                        ? new JsonObject()
                                .put(NAME, old == null ? name : old.name())
                                .put("deleted", true)
                        : document(changed).put("created", old == null));
    }

    /** The rule before and after its change. */
    private static final class Applied {
        private @Nullable AccessRule old;
        private @Nullable AccessRule changed;
    }

    private static <D extends EntityDescription> D withRules(
            Namespace namespace, D description, List<AccessRule> rules) {
        return EntitySettings.of(description, namespace).withAccessRules(description, rules);
    }

    private static void replace(List<AccessRule> rules, @Nullable AccessRule old, @Nullable AccessRule changed) {
        int at = old == null ? -1 : rules.indexOf(old);
        if (at >= 0) {
            rules.remove(at);
        }
        if (changed != null) {
            rules.add(at >= 0 ? at : rules.size(), changed);
        }
    }

    private static boolean isOfNamespace(Change change) {
        return change.address().path().isEmpty();
    }

    private static List<AccessRule> rules(Change change) throws RefusedException {
        if (isOfNamespace(change)) {
            return change.namespace().accessRules();
        }
        Entity entity = change.entity();
        if (entity.kind() == EntityKind.SUBSCRIPTION) {
            throw new RefusedException(HttpError.badRequest("Expected a queue or topic, but '"
                    + ClientText.abbreviate(entity.path())
                    + "' is a subscription. The access rules of its topic apply to it."));
        }
        return entity.description().accessRules();
    }

    private static @Nullable AccessRule find(List<AccessRule> rules, String name) {
        return rules.stream()
                .filter(rule -> rule.name().equalsIgnoreCase(name))
                .findFirst()
                .orElse(null);
    }

    private static AccessRule require(List<AccessRule> rules, String name) throws RefusedException {
        return existing(find(rules, name), name);
    }

    private static AccessRule existing(@Nullable AccessRule rule, String name) throws RefusedException {
        if (rule == null) {
            throw new RefusedException(
                    HttpError.notFound("The access rule '" + ClientText.abbreviate(name) + "' does not exist."));
        }
        return rule;
    }
}
