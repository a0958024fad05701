package dev.jitney.gateway.http.admin;

import dev.jitney.runtime.Entity;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.TemporalAccessor;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The filter of lists in {@code $filter}, which tools of the older .NET client send: {@code startswith(path, 'x') eq
 * true} and comparisons of {@code messageCount}, {@code createdAt}, {@code updatedAt} and {@code accessedAt}, joined by
 * {@code and}, all without case (HTTP reference 2.1). An unknown filter is ignored.
 */
final class ListFilter {
    /** A longer filter is unknown. A search for conditions in it could take long. */
    private static final int CHARACTERS_MAX = 1_024;

    private static final Pattern AND = Pattern.compile("\\s+and\\s+", Pattern.CASE_INSENSITIVE);
    private static final Pattern STARTS = Pattern.compile(
            "startswith\\(\\s*(?:path|name)\\s*,\\s*'([^']*)'\\s*\\)(?:\\s+eq\\s+true)?", Pattern.CASE_INSENSITIVE);
    private static final Pattern COMPARISON = Pattern.compile(
            "(messagecount|createdat|updatedat|accessedat)\\s+(eq|ne|gt|ge|lt|le)\\s+'?([^'\\s]+)'?",
            Pattern.CASE_INSENSITIVE);

    /** A date and a time, with a zone or in UTC. */
    private static final DateTimeFormatter DATE_TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss[.SSSSSSS][.SSS][XXX]", Locale.ROOT);

    private ListFilter() {}

    /** Returns the entities that match a filter; all entities if there is no filter or it is unknown. */
    static Predicate<Entity> of(@Nullable String filter) {
        Predicate<Entity> all = entity -> true;
        if (filter == null || filter.isBlank() || filter.length() > CHARACTERS_MAX) {
            return all;
        }
        Predicate<Entity> both = all;
        for (String condition : AND.split(filter.strip())) {
            Predicate<Entity> one = condition(condition.strip());
            if (one == null) {
                return all;
            }
            both = both.and(one);
        }
        return both;
    }

    private static @Nullable Predicate<Entity> condition(String text) {
        Matcher starts = STARTS.matcher(text);
        if (starts.matches()) {
            String prefix = starts.group(1);
            return entity -> Entries.nameOf(entity.description()).regionMatches(true, 0, prefix, 0, prefix.length());
        }
        Matcher comparison = COMPARISON.matcher(text);
        if (!comparison.matches()) {
            return null;
        }
        String property = comparison.group(1).toLowerCase(Locale.ROOT);
        Long value = value(property, comparison.group(3));
        String operator = comparison.group(2).toLowerCase(Locale.ROOT);
        return value == null ? null : entity -> holds(Long.compare(of(entity, property), value), operator);
    }

    private static long of(Entity entity, String property) {
        return switch (property) {
            case "messagecount" -> entity.counts().total();
            case "createdat" -> entity.createdAtMs();
            case "updatedat" -> entity.updatedAtMs();
            default -> entity.accessedAtMs();
        };
    }

    private static boolean holds(int compared, String operator) {
        return switch (operator) {
            case "eq" -> compared == 0;
            case "ne" -> compared != 0;
            case "gt" -> compared > 0;
            case "ge" -> compared >= 0;
            case "lt" -> compared < 0;
            default -> compared <= 0;
        };
    }

    private static @Nullable Long value(String property, String text) {
        try {
            return property.equals("messagecount") ? Long.valueOf(text) : dateMs(text);
        } catch (NumberFormatException | DateTimeException notUnderstood) {
            return null;
        }
    }

    private static long dateMs(String text) {
        if (text.length() == "uuuu-MM-dd".length()) {
            return LocalDate.parse(text)
                    .atStartOfDay(ZoneOffset.UTC)
                    .toInstant()
                    .toEpochMilli();
        }
        TemporalAccessor parsed = DATE_TIME.parseBest(text, OffsetDateTime::from, LocalDateTime::from);
        return parsed instanceof OffsetDateTime withZone
                ? withZone.toInstant().toEpochMilli()
                : LocalDateTime.from(parsed).toInstant(ZoneOffset.UTC).toEpochMilli();
    }
}
