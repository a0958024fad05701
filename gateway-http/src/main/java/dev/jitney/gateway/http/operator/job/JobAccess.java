package dev.jitney.gateway.http.operator.job;

import dev.jitney.gateway.http.exchange.Exchange;
import dev.jitney.gateway.http.exchange.RefusedException;
import dev.jitney.model.AccessRight;
import dev.jitney.model.EntityAddress;
import dev.jitney.runtime.security.Grant;
import org.jspecify.annotations.Nullable;

/**
 * The jobs that the client of a request may see: all of the namespace with Listen on the namespace, otherwise those of the entities on which
 * it has Listen. An identity may also have the role of an operator instead. For the event loop of the HTTP gateway.
 */
final class JobAccess {
    private static final EntityAddress WHOLE_NAMESPACE = EntityAddress.parse("");

    private final Exchange exchange;
    private final @Nullable Grant grant;
    private final @Nullable RefusedException refusal;

    /**
     * @param grant the grant for the namespace or for the resource that the token names, or null if there is neither
     * @param refusal the answer if the token gives no right for any job, or null with a grant
     */
    private JobAccess(Exchange exchange, @Nullable Grant grant, @Nullable RefusedException refusal) {
        this.exchange = exchange;
        this.grant = grant;
        this.refusal = refusal;
    }

    static JobAccess of(Exchange exchange) {
        try {
            return new JobAccess(exchange, exchange.authorize(WHOLE_NAMESPACE, AccessRight.LISTEN), null);
        } catch (RefusedException ofNamespace) {
            try {
                return new JobAccess(exchange, exchange.authorizeItsResource(AccessRight.LISTEN), null);
            } catch (RefusedException ofResource) {
                return new JobAccess(exchange, null, ofNamespace);
            }
        }
    }

    /** Returns the grant by which the client may see a job, or null if it may not. */
    @Nullable
    Grant grantFor(Job job) {
        EntityAddress address = job.order.address();
        Grant own = grant;
        if (own != null) {
            return exchange.isPermitted(own, address, AccessRight.LISTEN) ? own : null;
        }
        try {
            // A token for the namespace or for the path of this request. A key of the entity is only found by way of
            // the entity.
            return exchange.authorize(address, AccessRight.LISTEN);
        } catch (RefusedException refused) {
            return null;
        }
    }

    /** @throws RefusedException with 401 if the token gives no right for any job that it could name */
    void requireValid() throws RefusedException {
        if (refusal != null) {
            throw refusal;
        }
    }
}
