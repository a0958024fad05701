package dev.jitney.architecture;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.ZonedDateTime;
import java.util.Date;
import java.util.List;
import java.util.Set;

/** Predicates for accesses to methods and fields. Unlike {@code callMethod} they include method references. */
final class Calls {

    private static final List<Class<?>> TIMES = List.of(
            Instant.class,
            LocalDate.class,
            LocalTime.class,
            LocalDateTime.class,
            OffsetTime.class,
            OffsetDateTime.class,
            ZonedDateTime.class);

    /** All ways to read the time of day. */
    static final DescribedPredicate<JavaAccess<?>> THAT_TELL_THE_TIME =
            new DescribedPredicate<>("read the time of day") {
                @Override
                public boolean test(JavaAccess<?> access) {
                    String name = access.getTarget().getName();
                    var owner = access.getTargetOwner();
                    return owner.isEquivalentTo(System.class) && name.equals("currentTimeMillis")
                            || name.equals("now") && TIMES.stream().anyMatch(owner::isEquivalentTo)
                            || owner.isEquivalentTo(java.time.Clock.class)
                                    && (name.startsWith("system") || name.startsWith("tick"))
                            || owner.isEquivalentTo(Date.class)
                                    && name.equals("<init>")
                                    && access.getDescription().contains("<init>()");
                }
            };

    /** The measurement of durations with the monotonic clock. */
    static final DescribedPredicate<JavaAccess<?>> THAT_MEASURE_DURATIONS = to(System.class, "nanoTime");

    static final DescribedPredicate<JavaAccess<?>> THAT_READ_A_CLOCK =
            THAT_TELL_THE_TIME.or(THAT_MEASURE_DURATIONS).as("read a clock");

    private Calls() {}

    /** Returns a predicate for uses of members of a class, by name. */
    static DescribedPredicate<JavaAccess<?>> to(Class<?> owner, String... names) {
        Set<String> wanted = Set.of(names);
        return new DescribedPredicate<>("use " + owner.getSimpleName() + "." + String.join("|", names)) {
            @Override
            public boolean test(JavaAccess<?> access) {
                return access.getTargetOwner().isEquivalentTo(owner)
                        && wanted.contains(access.getTarget().getName());
            }
        };
    }
}
