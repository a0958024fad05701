package dev.jitney.cli.entity;

import java.time.OffsetDateTime;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The three times of every entity. The service writes the year 1 for "not yet"; such a time is omitted. */
final class Times {
    private Times() {}

    static void put(
            Map<String, Object> members,
            @Nullable OffsetDateTime createdAt,
            @Nullable OffsetDateTime updatedAt,
            @Nullable OffsetDateTime accessedAt) {
        putOne(members, "createdAt", createdAt);
        putOne(members, "updatedAt", updatedAt);
        putOne(members, "accessedAt", accessedAt);
    }

    private static void putOne(Map<String, Object> members, String name, @Nullable OffsetDateTime time) {
        if (time != null && time.getYear() > 1) {
            members.put(name, time.toInstant().toString());
        }
    }
}
