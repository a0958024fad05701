package dev.jitney.server.secrets;

import dev.jitney.model.AccessRule;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.TopicDescription;
import dev.jitney.runtime.Broker;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.Namespace;
import dev.jitney.server.config.KeySource;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives access rules the keys in their files: once at the start of a term, and when a file changes. Links and connections with an old key are
 * closed as for any other change of a rule. A file that cannot be used keeps the old key, and the log says so once.
 *
 * <p>It has a thread of its own, which only reads small files and starts changes.
 */
public final class KeyReload implements AutoCloseable {
    /** The time between two looks, milliseconds. A new key counts after two of them. */
    static final long PERIOD_MS = 1_000;

    private static final long CHANGE_SECONDS = 30;

    private static final Logger LOG = LoggerFactory.getLogger(KeyReload.class);

    private final Broker broker;
    private final Map<KeySource, SettledFile> files = new LinkedHashMap<>();
    /** The last failure for each key that is not in force. */
    private final Map<KeySource, String> failures = new HashMap<>();

    private final ScheduledExecutorService looks = Executors.newSingleThreadScheduledExecutor(work -> {
        Thread thread = new Thread(work, "jitney-keys");
        thread.setDaemon(true);
        return thread;
    });

    private KeyReload(Broker broker) {
        this.broker = broker;
    }

    /** Starts to look at the files of the sources, after their keys are in force. Without sources there is nothing to look at. */
    public static KeyReload start(Broker broker, List<KeySource> sources) {
        KeyReload reload = new KeyReload(broker);
        reload.begin(sources);
        if (!sources.isEmpty()) {
            reload.looks.scheduleWithFixedDelay(reload::look, PERIOD_MS, PERIOD_MS, TimeUnit.MILLISECONDS);
        }
        return reload;
    }

    /** The files have precedence over keys from before, because they may have changed while no server ran. */
    private void begin(List<KeySource> sources) {
        Map<KeySource, String> keys = new LinkedHashMap<>();
        for (KeySource source : sources) {
            SettledFile file = new SettledFile(source.file());
            files.put(source, file);
            try {
                String key = KeySource.read(source.file());
                file.begin(key);
                keys.put(source, key);
            } catch (IOException e) {
                LOG.warn(
                        "The file of {} cannot be used: {}: {}. The old key stays.",
                        source,
                        source.file(),
                        e.getMessage());
            }
        }
        apply(keys);
    }

    private void look() {
        try {
            Map<KeySource, String> keys = new LinkedHashMap<>();
            files.forEach((source, file) -> {
                SettledFile.Look look = file.look();
                if (look.trouble() != null) {
                    LOG.warn("The file of {} cannot be used: {}. The old key stays.", source, look.trouble());
                }
                if (look.key() != null) {
                    keys.put(source, look.key());
                }
            });
            apply(keys);
        } catch (RuntimeException e) {
            LOG.warn("The files with keys could not be read again. Jitney tries again.", e);
        }
    }

    /** Changes the rules of one owner after the other. All new keys of an owner are one change. */
    private void apply(Map<KeySource, String> keys) {
        Map<String, Map<KeySource, String>> byOwner = new LinkedHashMap<>();
        keys.forEach((source, key) -> byOwner.computeIfAbsent(
                        (source.namespace() + "/" + source.entity()).toLowerCase(Locale.ROOT),
                        owner -> new LinkedHashMap<>())
                .put(source, key));
        byOwner.values().forEach(this::applyToOwner);
    }

    private void applyToOwner(Map<KeySource, String> keys) {
        KeySource first = keys.keySet().iterator().next();
        Namespace namespace = broker.namespaceNamed(first.namespace());
        String path = first.entity();
        Entity entity = namespace == null || path == null ? null : namespace.entity(path);
        if (namespace == null || path != null && entity == null) {
            return; // deleted meanwhile
        }
        List<AccessRule> before =
                entity == null ? namespace.accessRules() : entity.description().accessRules();
        List<AccessRule> after = before;
        for (Map.Entry<KeySource, String> key : keys.entrySet()) {
            List<AccessRule> changed = changed(after, key.getKey(), key.getValue());
            after = changed == null ? after : changed;
        }
        if (after.equals(before)) {
            return;
        }
        try {
            update(namespace, entity, after).toCompletableFuture().get(CHANGE_SECONDS, TimeUnit.SECONDS);
            keys.keySet().forEach(failures::remove);
            LOG.info("Changed the keys of access rules to those in their files: {}.", keys.keySet());
        } catch (ExecutionException e) {
            failed(keys.keySet(), String.valueOf(e.getCause()));
        } catch (TimeoutException e) {
            failed(keys.keySet(), "The change takes longer than " + CHANGE_SECONDS + " s.");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the term ends
        }
    }

    /** Tries again at the next look. A failure that repeats is logged once. */
    private void failed(Set<KeySource> sources, String why) {
        boolean news = false;
        for (KeySource source : sources) {
            SettledFile file = files.get(source);
            if (file != null) {
                file.notInForce();
            }
            news |= !why.equals(failures.put(source, why));
        }
        if (news) {
            LOG.warn("The new keys in files are not in force yet, and Jitney tries again: {}: {}", sources, why);
        }
    }

    /** Returns the rules with the new key, or null if nothing changes. */
    static @Nullable List<AccessRule> changed(List<AccessRule> rules, KeySource source, String key) {
        List<AccessRule> all = new ArrayList<>(rules);
        for (int i = 0; i < all.size(); i++) {
            AccessRule rule = all.get(i);
            if (rule.name().equalsIgnoreCase(source.rule())) {
                AccessRule other = new AccessRule(
                        rule.name(),
                        rule.rights(),
                        source.primary() ? key : rule.primaryKey(),
                        source.primary() ? rule.secondaryKey() : key);
                all.set(i, other);
                return other.equals(rule) ? null : all;
            }
        }
        return null;
    }

    private static CompletionStage<?> update(Namespace namespace, @Nullable Entity entity, List<AccessRule> rules) {
        if (entity == null) {
            return namespace.setAccessRules(rules);
        } else if (entity.description() instanceof QueueDescription queue) {
            return namespace.updateQueue(queue.toBuilder().accessRules(rules).build());
        } else if (entity.description() instanceof TopicDescription topic) {
            return namespace.updateTopic(topic.toBuilder().accessRules(rules).build());
        }
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public void close() {
        looks.shutdownNow();
    }
}
