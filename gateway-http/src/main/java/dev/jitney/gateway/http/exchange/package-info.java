/**
 * What every HTTP route needs and no route is about: connections and their deadlines, one request with its answer,
 * authorization, bodies within bounds, errors in the form SDKs understand.
 *
 * <p>Read in this order: {@link dev.jitney.gateway.http.exchange.HttpEdge}, which a gateway has one of;
 * {@link dev.jitney.gateway.http.exchange.Exchange}, one request; {@link dev.jitney.gateway.http.exchange.HttpError},
 * the one place where refusals become statuses; {@link dev.jitney.gateway.http.exchange.RequestTarget};
 * {@link dev.jitney.gateway.http.exchange.HttpAuthorization}.
 *
 * <p>Routes depend on it, it depends on none of them.
 */
@NullMarked
package dev.jitney.gateway.http.exchange;

import org.jspecify.annotations.NullMarked;
