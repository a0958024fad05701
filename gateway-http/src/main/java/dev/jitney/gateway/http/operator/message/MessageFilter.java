package dev.jitney.gateway.http.operator.message;

import dev.jitney.core.SearchFilter;
import dev.jitney.gateway.http.exchange.RefusedException;
import dev.jitney.model.Rejection;
import org.jspecify.annotations.Nullable;

/** The filter of a request. */
public final class MessageFilter {

    private MessageFilter() {}

    /**
     * Compiles a filter.
     *
     * @return null if there is none
     * @throws RefusedException with the place of the mistake if it is wrong
     */
    public static @Nullable SearchFilter compiled(@Nullable String text) throws RefusedException {
        if (text == null || text.isBlank()) {
            return null;
        }
        SearchFilter.Result result = SearchFilter.compile(text);
        Rejection refusal = result.rejection();
        if (refusal != null) {
            throw new RefusedException(refusal);
        }
        return result.filter();
    }
}
