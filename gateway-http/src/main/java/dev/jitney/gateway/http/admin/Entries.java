package dev.jitney.gateway.http.admin;

import dev.jitney.gateway.http.atom.AtomContent;
import dev.jitney.gateway.http.atom.AtomEntry;
import dev.jitney.gateway.http.atom.DescriptionXml;
import dev.jitney.gateway.http.atom.Dialect;
import dev.jitney.gateway.http.atom.EntityFacts;
import dev.jitney.gateway.http.atom.RuleXml;
import dev.jitney.model.EntityDescription;
import dev.jitney.model.SubscriptionDescription;
import dev.jitney.model.rule.Rule;
import dev.jitney.model.rule.RuleFilter.CorrelationRuleFilter;
import dev.jitney.runtime.Entity;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The creation of entries for entities and rules (HTTP reference 2.5 and 2.6). */
final class Entries {

    private Entries() {}

    /** Returns the entry of an entity in its own response. */
    static AtomEntry of(AdminRequest request, Entity entity) {
        return of(request, entity, request.url(), request.url());
    }

    /** Returns the entry of an entity under a URL. */
    static AtomEntry of(AdminRequest request, Entity entity, String id, String selfLink) {
        EntityDescription description = entity.description();
        boolean child = description instanceof SubscriptionDescription;
        return new AtomEntry(
                id,
                selfLink,
                nameOf(description),
                entity.createdAtMs(),
                entity.updatedAtMs(),
                child ? null : request.namespace().name(),
                content(entity, description, request.dialect()));
    }

    /** Returns the entry of a rule in its own response. */
    static AtomEntry of(AdminRequest request, Rule rule) {
        return of(rule, request.url(), request.url());
    }

    /** Returns the entry of a rule under a URL. */
    static AtomEntry of(Rule rule, String id, String selfLink) {
        return new AtomEntry(
                id,
                selfLink,
                rule.description().name(),
                rule.createdAtMs(),
                rule.createdAtMs(),
                null,
                RuleXml.content(rule));
    }

    /** Returns the bare name, which SDKs take from the title. */
    static String nameOf(EntityDescription description) {
        return description instanceof SubscriptionDescription subscription ? subscription.name() : description.path();
    }

    /** Returns the rule with this name, ignoring case, or null. */
    static @Nullable Rule rule(Entity subscription, String name) {
        for (Rule rule : subscription.rules()) {
            if (rule.description().name().equalsIgnoreCase(name)) {
                return rule;
            }
        }
        return null;
    }

    private static AtomContent content(Entity entity, EntityDescription description, Dialect dialect) {
        return DescriptionXml.content(description, facts(entity, dialect), dialect);
    }

    private static EntityFacts facts(Entity entity, Dialect dialect) {
        List<Entity> subscriptions = entity.subscriptions();
        int sql = 0;
        int correlation = 0;
        if (dialect.version().hasFilterCounts()) {
            for (Entity subscription : subscriptions) {
                for (Rule rule : subscription.rules()) {
                    if (rule.description().filter() instanceof CorrelationRuleFilter) {
                        correlation++;
                    } else {
                        sql++;
                    }
                }
            }
        }
        return new EntityFacts(
                entity.createdAtMs(),
                entity.updatedAtMs(),
                entity.accessedAtMs(),
                entity.counts(),
                entity.availability(),
                subscriptions.size(),
                sql,
                correlation);
    }
}
