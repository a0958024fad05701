/**
 * The code that all HTTP routes share: connections and their deadlines, requests with their responses, authorization,
 * bodies with limits, and errors in the format that SDKs parse.
 *
 * <p>Read in this order: {@link dev.jitney.gateway.http.exchange.HttpEdge}, of which a gateway has one; {@link
 * dev.jitney.gateway.http.exchange.Exchange}, one request; {@link dev.jitney.gateway.http.exchange.HttpError}, the
 * mapping of refusals to statuses; {@link dev.jitney.gateway.http.exchange.RequestTarget}; {@link
 * dev.jitney.gateway.http.exchange.HttpAuthorization}.
 *
 * <p>Routes depend on this package; it depends on no route.
 */
@NullMarked
package dev.jitney.gateway.http.exchange;

import org.jspecify.annotations.NullMarked;
