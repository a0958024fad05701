package dev.jitney.codec;

import org.jspecify.annotations.Nullable;

/**
 * A described value of an application property, such as a time span of .NET (wire reference 4.5).
 *
 * @param descriptor the symbol, for example {@link #TIME_SPAN}, or the text of another descriptor
 * @param value the described value
 */
public record Described(String descriptor, @Nullable Object value) {
    public static final String URI = "com.microsoft:uri";
    public static final String TIME_SPAN = "com.microsoft:timespan";
    public static final String DATE_TIME_OFFSET = "com.microsoft:datetime-offset";
}
