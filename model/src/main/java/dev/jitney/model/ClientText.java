package dev.jitney.model;

import java.util.regex.Pattern;

/** Text of clients, on its way into texts of ours. */
public final class ClientText {
    private static final int ABBREVIATED_LENGTH = 64;
    private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}");

    private ClientText() {}

    /** A client's text made fit for a sentence: not longer than 64 characters, without control characters. */
    public static String abbreviate(String text) {
        String shortened = text.length() <= ABBREVIATED_LENGTH ? text : text.substring(0, ABBREVIATED_LENGTH) + "…";
        return CONTROL.matcher(shortened).replaceAll("?");
    }
}
