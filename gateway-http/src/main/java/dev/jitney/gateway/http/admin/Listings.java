package dev.jitney.gateway.http.admin;

import dev.jitney.gateway.http.atom.AtomEntry;
import dev.jitney.gateway.http.atom.AtomWriter;
import dev.jitney.gateway.http.exchange.RefusedException;
import dev.jitney.model.EntityKind;
import dev.jitney.model.rule.Rule;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.security.PercentCoding;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The lists of entities and rules, page by page in the ordinal order of their names (HTTP reference 2.6): by code units, so that {@code B}
 * comes before {@code a}. Any thread may call it.
 */
/*
 * A namespace lists its entities without case, so each page sorts them. This is cheap: without capitals they are in order already, and the
 * sort compares each with the next one only, as the filter of the page looks at each. 10,000 names in both cases need about 100,000
 * comparisons.
 */
final class Listings {
    private static final String FILTER = "$filter";

    /** Lists all queues, or all topics. */
    void entities(AdminRequest request, EntityKind kind) throws RefusedException {
        Predicate<Entity> filter = filter(request);
        List<Entity> all = new ArrayList<>();
        for (Entity entity : request.namespace().entities()) {
            if (entity.kind() == kind && filter.test(entity)) {
                all.add(entity);
            }
        }
        all.sort(Comparator.comparing(Entity::path));
        Paging paging = Paging.of(request.exchange().target());
        List<AtomEntry> entries = new ArrayList<>();
        for (Entity entity : paging.page(all)) {
            String url = entity.path() + versionQuery(request);
            entries.add(Entries.of(request, entity, request.exchange().origin() + "/" + url, "../" + url));
        }
        String title = kind == EntityKind.QUEUE ? "Queues" : "Topics";
        request.answerFeed(title, next(request, paging, all.size()), entries);
    }

    /** Lists the subscriptions of a topic. */
    void subscriptions(AdminRequest request) throws RefusedException {
        Entity topic = request.namespace().entity(request.target().path());
        if (topic == null || topic.kind() != EntityKind.TOPIC) {
            throw new RefusedException(AdminErrors.entityMissing(request.target()));
        }
        List<Entity> all = topic.subscriptions().stream()
                .filter(filter(request))
                .sorted(Comparator.comparing(entity -> Entries.nameOf(entity.description())))
                .toList();
        Paging paging = Paging.of(request.exchange().target());
        List<AtomEntry> entries = new ArrayList<>();
        for (Entity subscription : paging.page(all)) {
            String name = Entries.nameOf(subscription.description());
            entries.add(Entries.of(request, subscription, childId(request, name), childLink(request, name)));
        }
        request.answerFeed("Subscriptions", next(request, paging, all.size()), entries);
    }

    /** Lists the rules of a subscription. */
    void rules(AdminRequest request) throws RefusedException {
        Entity subscription = request.namespace().entity(request.target().entityPath());
        if (subscription == null) {
            throw new RefusedException(AdminErrors.childMissing(request.target(), request.namespace()));
        }
        List<Rule> all = subscription.rules().stream()
                .sorted(Comparator.comparing(rule -> rule.description().name()))
                .toList();
        Paging paging = Paging.of(request.exchange().target());
        List<AtomEntry> entries = new ArrayList<>();
        for (Rule rule : paging.page(all)) {
            String name = rule.description().name();
            entries.add(Entries.of(rule, childId(request, name), childLink(request, name)));
        }
        request.answerFeed("Rules", next(request, paging, all.size()), entries);
    }

    /**
     * Lists the names directly below a path that names no entity, usually none. SDKs interpret the response as "no such
     * queue or topic".
     */
    void discovery(AdminRequest request) throws RefusedException {
        String path = request.target().path();
        String prefix = path.isEmpty() ? "" : path + "/";
        TreeMap<String, Entity> children = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (Entity entity : request.namespace().entitiesUnder(prefix)) {
            String rest = behind(prefix, entity.path());
            int slash = rest.indexOf('/');
            children.putIfAbsent(slash < 0 ? rest : rest.substring(0, slash), entity);
        }
        Paging paging = Paging.of(request.exchange().target());
        List<AtomEntry> entries = new ArrayList<>();
        for (String name : paging.page(List.copyOf(children.keySet()))) {
            Entity entity = children.get(name);
            long updatedAtMs = entity == null ? 0 : entity.updatedAtMs();
            String url = request.exchange().origin() + "/" + prefix + name;
            entries.add(new AtomEntry(url, url, name, null, updatedAtMs, null, null));
        }
        byte[] feed = AtomWriter.discovery(request.exchange().nowMs(), next(request, paging, children.size()), entries);
        request.answer(200, AtomWriter.FEED_TYPE, feed);
    }

    /**
     * Returns the part after as many segments as the prefix has; its spelling in another case may have another length.
     */
    private static String behind(String prefix, String name) {
        int from = 0;
        for (int slash = prefix.indexOf('/'); slash >= 0; slash = prefix.indexOf('/', slash + 1)) {
            from = name.indexOf('/', from) + 1;
        }
        return name.substring(from);
    }

    static @Nullable String next(AdminRequest request, Paging paging, int total) throws RefusedException {
        if (!paging.hasNext(total)) {
            return null;
        }
        String filter = request.exchange().target().query(FILTER);
        return request.exchange().origin()
                + request.rawPath()
                + paging.nextQuery(request.version().text())
                + (filter == null ? "" : "&%24filter=" + PercentCoding.encode(filter));
    }

    private static Predicate<Entity> filter(AdminRequest request) throws RefusedException {
        return ListFilter.of(request.exchange().target().query(FILTER));
    }

    /**
     * Returns the URL of a resource in the list, in the spelling of the request, because JavaScript compares it with
     * case.
     */
    static String childId(AdminRequest request, String name) {
        return request.exchange().origin() + request.rawPath() + "/" + name + versionQuery(request);
    }

    static String childLink(AdminRequest request, String name) {
        String path = request.rawPath();
        return path.substring(path.lastIndexOf('/') + 1) + "/" + name + versionQuery(request);
    }

    private static String versionQuery(AdminRequest request) {
        return "?api-version=" + request.version().text();
    }
}
