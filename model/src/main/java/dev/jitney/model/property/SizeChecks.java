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
 * Judges sizes of entities and messages (QUOTA-1, PART-17, PART-19; HTTP reference 5.2). Null means fine. A description
 * holds the size of one fragment; what a partitioned entity shows of it is a matter of the edge (PART-18).
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
     * QUOTA-1: whole steps up to the limit, in PREMIUM the sizes of PART-19. A limit set to less than one step lets every
     * whole number up to it be asked for, because nothing else would be left.
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

    /** The size an entity gets that asks for none, if the limit leaves no room for the usual one. */
    public static long fitting(long megabytes, Limits limits) {
        return megabytes == STEP_MEGABYTES ? Math.min(megabytes, limits.maxQueueSizeInMegabytes()) : megabytes;
    }

    /** QUOTA-5: settable in PREMIUM; elsewhere only what is in force anyway, which clients send back. */
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

    /** The tier as the service writes it: {@code Premium}. */
    private static String word(TierProfile tier) {
        String name = tier.name();
        return name.charAt(0) + name.substring(1).toLowerCase(Locale.ROOT);
    }

    private static List<Long> premiumSizes(long max) {
        List<Long> sizes = new ArrayList<>(
                PREMIUM_MEGABYTES.stream().filter(size -> size <= max).toList());
        if (max % STEP_MEGABYTES == 0 && !sizes.contains(max)) {
            sizes.add(max); // a limit that was set is a size that may be had
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
