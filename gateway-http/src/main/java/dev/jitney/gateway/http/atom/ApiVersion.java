package dev.jitney.gateway.http.atom;

import dev.jitney.model.EntityDescription;
import dev.jitney.model.property.PropertySpec;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The API version of a client, which determines the elements that the client supports (HTTP reference 2.3).
 *
 * @param text {@code yyyy-MM}, which sorts by time
 */
public record ApiVersion(String text) {
    private static final ApiVersion OLDEST = new ApiVersion("2017-04");
    private static final String LARGE_MESSAGES = "2021-05";
    private static final String FILTER_COUNTS = "2024-05";
    private static final String PARTITIONING = "2013-10";

    /** The newest version, whose clients support all elements. */
    public static final ApiVersion NEWEST = new ApiVersion(FILTER_COUNTS);

    private static final Pattern FORM = Pattern.compile("\\d{4}-\\d{2}");

    /** Parses the value of {@code api-version}; a missing or invalid value counts as 2017-04. */
    public static ApiVersion of(@Nullable String value) {
        return value != null && FORM.matcher(value).matches() ? new ApiVersion(value) : OLDEST;
    }

    /** Returns whether the version has {@code MaxMessageSizeInKilobytes} and {@code IsClientAffine}. */
    boolean hasLargeMessages() {
        return text.compareTo(LARGE_MESSAGES) >= 0;
    }

    /** Returns whether the version has the element of a property. */
    boolean knows(PropertySpec<?> property) {
        return text.compareTo(property.since()) >= 0;
    }

    /** Returns whether the version has {@code SqlFilterCount} and {@code CorrelationFilterCount}. */
    public boolean hasFilterCounts() {
        return text.compareTo(FILTER_COUNTS) >= 0;
    }

    /**
     * Returns the reason why a client of this version cannot use a queue or topic, or null. A version without
     * partitioning would misinterpret a partitioned entity (PART-16).
     */
    public @Nullable String refuse(EntityDescription description) {
        return description.enablePartitioning() && text.compareTo(PARTITIONING) < 0
                ? "Bad Request. Partitioned entities need api-version " + PARTITIONING + " or later, but got " + text
                        + "."
                : null;
    }
}
