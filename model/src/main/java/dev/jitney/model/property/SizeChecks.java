package dev.jitney.model.property;

import dev.jitney.model.ErrorCode;
import dev.jitney.model.Limits;
import dev.jitney.model.Rejection;
import dev.jitney.model.TierProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Checks of sizes of entities and messages (QUOTA-1, PART-17, PART-19; HTTP reference 5.2). Null means valid. A
 * description holds the size of one fragment; the management API shows the total size of a partitioned entity (PART-18).
 */
public final class SizeChecks {
    private static final long STEP_MEGABYTES = 1_024;
    private static final List<Long> PREMIUM_MEGABYTES =
            List.of(1_024L, 2_048L, 3_072L, 4_096L, 5_120L, 10_240L, 20_480L, 40_960L, 81_920L);
    private static final long PREMIUM_MESSAGE_KILOBYTES_MIN = 1_024;
    private static final long PREMIUM_MESSAGE_KILOBYTES_MAX = 102_400;
    private static final int LISTED_MAX = 10;

    private SizeChecks() {}

    /**
     * Checks MaxSizeInMegabytes: whole steps up to the limit, and in PREMIUM the sizes of PART-19 (QUOTA-1). If the limit
     * is less than one step, every whole number up to the limit is valid, because no step would be.
     */
    static @Nullable Rejection entity(long megabytes, Limits limits) {
        long max = limits.maxQueueSizeInMegabytes();
        boolean allowed;
        String choice;
        if (max < STEP_MEGABYTES) {
            allowed = megabytes >= 1 && megabytes <= max;
            choice = "a whole number from 1 to " + max;
        } else if (limits.tier() == TierProfile.PREMIUM) {
            List<Long> sizes = premiumSizes(max);
            allowed = sizes.contains(megabytes);
            choice = joined(sizes);
        } else {
            allowed = megabytes >= STEP_MEGABYTES && megabytes <= max && megabytes % STEP_MEGABYTES == 0;
            choice = choice(max);
        }
        return allowed
                ? null
                : new Rejection(
                        ErrorCode.ARGUMENT,
                        "The specified value " + megabytes + " is invalid. The property 'MaxSizeInMegabytes' must be "
                                + choice + ".");
    }

    /** Returns the size of an entity that does not set one. It is less than the usual default if the limit is. */
    public static long fitting(long megabytes, Limits limits) {
        return megabytes == STEP_MEGABYTES ? Math.min(megabytes, limits.maxQueueSizeInMegabytes()) : megabytes;
    }

    /**
     * Checks MaxMessageSizeInKilobytes (QUOTA-5). PREMIUM can set it; other tiers accept only the size in force, because
     * clients send it back.
     */
    static @Nullable Rejection message(@Nullable Long kilobytes, Limits limits) {
        if (kilobytes == null) {
            return null;
        }
        boolean premium = limits.tier() == TierProfile.PREMIUM;
        long inForce = limits.maxMessageSizeBytes() / 1_024;
        boolean allowed = premium
                ? kilobytes >= PREMIUM_MESSAGE_KILOBYTES_MIN && kilobytes <= PREMIUM_MESSAGE_KILOBYTES_MAX
                : kilobytes == inForce;
        long min = premium ? PREMIUM_MESSAGE_KILOBYTES_MIN : inForce;
        long max = premium ? PREMIUM_MESSAGE_KILOBYTES_MAX : inForce;
        return allowed
                ? null
                : new Rejection(
                        ErrorCode.ARGUMENT,
                        "The property value for 'MaxMessageSizeInKilobytes' must be between " + min + " and " + max
                                + " when the namespace is using '" + word(limits.tier()) + "' tier. Parameter name:"
                                + " MaxMessageSizeInKilobytes. Actual value was " + kilobytes + ".");
    }

    /** Returns the tier as Service Bus writes it, for example {@code Premium}. */
    private static String word(TierProfile tier) {
        String name = tier.name();
        return name.charAt(0) + name.substring(1).toLowerCase(Locale.ROOT);
    }

    private static List<Long> premiumSizes(long max) {
        List<Long> sizes = new ArrayList<>(
                PREMIUM_MEGABYTES.stream().filter(size -> size <= max).toList());
        if (max % STEP_MEGABYTES == 0 && !sizes.contains(max)) {
            sizes.add(max); // a configured limit is an allowed size
        }
        return sizes;
    }

    private static String choice(long max) {
        if (max / STEP_MEGABYTES > LISTED_MAX) {
            return "a multiple of " + STEP_MEGABYTES + " up to " + max / STEP_MEGABYTES * STEP_MEGABYTES;
        }
        List<Long> sizes = new ArrayList<>();
        for (long size = STEP_MEGABYTES; size <= max; size += STEP_MEGABYTES) {
            sizes.add(size);
        }
        return joined(sizes);
    }

    private static String joined(List<Long> sizes) {
        return sizes.stream()
                .map(String::valueOf)
                .collect(Collectors.joining(";", "one of the following values: ", ""));
    }
}
