package dev.jitney.gateway.http.admin;

import dev.jitney.gateway.http.exchange.HttpError;
import dev.jitney.gateway.http.exchange.RefusedException;
import dev.jitney.gateway.http.exchange.RequestTarget;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The page of a list that a request selects (HTTP reference 2.6).
 *
 * @param skip number of items before the page
 * @param top maximum number of items on the page; more than 100 become 100, and the next link continues
 */
record Paging(int skip, int top) {
    private static final int TOP_MAX = 100;
    private static final Pattern DIGITS = Pattern.compile("\\d{1,18}");

    static Paging of(RequestTarget target) throws RefusedException {
        int skip = number(target.query("$skip"), "skip", 0);
        int top = number(target.query("$top"), "top", TOP_MAX);
        return new Paging(skip, Math.min(top, TOP_MAX));
    }

    private static int number(@Nullable String text, String name, int otherwise) throws RefusedException {
        if (text == null) {
            return otherwise;
        }
        if (!DIGITS.matcher(text).matches()) {
            throw new RefusedException(
                    new HttpError(400, 0, "Parameter '" + name + "' should be non-negative integer."));
        }
        return (int) Math.min(Long.parseLong(text), Integer.MAX_VALUE - TOP_MAX);
    }

    /** Returns the items of this page. */
    <T> List<T> page(List<T> all) {
        int from = Math.min(skip, all.size());
        return all.subList(from, Math.min(from + top, all.size()));
    }

    /** Returns whether there are items after this page; always false for a page with a maximum of 0. */
    boolean hasNext(int total) {
        return top > 0 && skip + top < total;
    }

    /** Returns the query of the next page, with the fields and escapes that SDKs expect. */
    String nextQuery(String apiVersion) {
        return "?%24skip=" + (skip + top) + "&%24top=" + top + "&api-version=" + apiVersion;
    }
}
