package dev.jitney.gateway.http.atom;

import dev.jitney.model.EntityDescription;
import dev.jitney.model.property.PropertySpec;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The version of the API a client speaks, which decides on the elements it knows (HTTP reference 2.3).
 *
 * @param text {@code yyyy-MM}, which sorts by time
 */
public record ApiVersion(String text) {
    private static final ApiVersion OLDEST = new ApiVersion("2017-04");
    private static final String LARGE_MESSAGES = "2021-05";
    private static final String FILTER_COUNTS = "2024-05";
    private static final String PARTITIONING = "2013-10";
    private static final Pattern FORM = Pattern.compile("\\d{4}-\\d{2}");

    /** Reads the value of {@code api-version}; what is missing or has another form counts as 2017-04. */
    public static ApiVersion of(@Nullable String value) {
        return value != null && FORM.matcher(value).matches() ? new ApiVersion(value) : OLDEST;
    }

    /** Whether it knows {@code MaxMessageSizeInKilobytes} and {@code IsClientAffine}. */
    boolean hasLargeMessages() {
        return text.compareTo(LARGE_MESSAGES) >= 0;
    }

    /** Whether it knows the element of a property. */
    boolean knows(PropertySpec<?> property) {
        return text.compareTo(property.since()) >= 0;
    }

    /** Whether it knows {@code SqlFilterCount} and {@code CorrelationFilterCount}. */
    public boolean hasFilterCounts() {
        return text.compareTo(FILTER_COUNTS) >= 0;
    }

    /**
     * Why a client of this version cannot work with a queue or topic, or null if it can: one that is older than
     * partitioning would misread a partitioned one (PART-16).
     */
    public @Nullable String refuse(EntityDescription description) {
        return description.enablePartitioning() && text.compareTo(PARTITIONING) < 0
                ? "Bad Request. Partitioned entities need api-version " + PARTITIONING + " or later, but got " + text
                        + "."
                : null;
    }
}
