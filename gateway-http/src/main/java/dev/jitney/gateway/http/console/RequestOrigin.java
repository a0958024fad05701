package dev.jitney.gateway.http.console;

import dev.jitney.gateway.http.exchange.Exchange;
import dev.jitney.gateway.http.exchange.HttpError;
import dev.jitney.gateway.http.exchange.RefusedException;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The page that caused a request of a browser. A browser adds the cookie of the console also to requests of pages on other ports of the
 * same host, so every change must come from a page of the console itself.
 */
final class RequestOrigin {
    private static final String FETCH_SITE = "Sec-Fetch-Site";
    private static final String OWN = "same-origin";

    /** The value for an address that the user has typed or opened from a bookmark. */
    private static final String USER = "none";

    private RequestOrigin() {}

    /**
     * Refuses a request that a page of another site may have caused.
     *
     * @throws RefusedException with 403 if it is a change without the own {@code Origin}, or if the browser names another site
     */
    static void check(Exchange exchange) throws RefusedException {
        HttpMethod method = exchange.request().method();
        boolean reads = method == HttpMethod.GET || method == HttpMethod.HEAD;
        String site = exchange.request().getHeader(FETCH_SITE);
        if (site != null && !site.equals(OWN) && !(reads && site.equals(USER))) {
            throw foreign(FETCH_SITE + ": " + OWN, site);
        }
        if (!reads) {
            List<String> origins = exchange.request().headers().getAll(HttpHeaders.ORIGIN);
            String origin = origins.size() == 1 ? origins.get(0) : null;
            if (origin == null || !isOwn(exchange, origin)) {
                throw foreign("Origin: " + exchange.origin(), origin);
            }
        }
    }

    /** A proxy in front of this server may have ended TLS, so the page may have been loaded with it. */
    private static boolean isOwn(Exchange exchange, String origin) {
        return exchange.request().authority() != null
                && (origin.equals(exchange.origin()) || origin.equals("https://" + exchange.authority()));
    }

    /** Returns whether the browser uses TLS, on the way to this server or to a proxy in front of it. */
    static boolean isSecure(Exchange exchange) {
        String origin = exchange.request().getHeader(HttpHeaders.ORIGIN);
        return exchange.request().isSSL() || origin != null && origin.startsWith("https://");
    }

    private static RefusedException foreign(String expected, @Nullable String actual) {
        return new RefusedException(new HttpError(
                403,
                0,
                "Expected a request of the console itself (" + expected + "), but got "
                        + (actual == null ? "none" : "another one") + "."));
    }
}
