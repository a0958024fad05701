package dev.jitney.gateway.http.operator.job;

import dev.jitney.gateway.http.exchange.Exchange;
import dev.jitney.gateway.http.exchange.RefusedException;
import dev.jitney.model.AccessRight;
import dev.jitney.model.EntityAddress;
import dev.jitney.runtime.Namespace;
import dev.jitney.runtime.security.Grant;
import org.jspecify.annotations.Nullable;

/**
 * The jobs that the client of a request may see: all of the namespace with Listen on the namespace, otherwise those of the entities on which
 * it has Listen. An identity may also have the role of an operator instead. For the event loop of the HTTP gateway.
 */
final class JobAccess {
    private static final EntityAddress WHOLE_NAMESPACE = EntityAddress.parse("");

    private final Exchange exchange;
    private final Namespace namespace;
    private final @Nullable Grant grant;

    /** True if the client may see a job, or has a right for which there could be one. */
    private boolean valid;

    /** @param grant the grant for the namespace or for the resource that the token names, or null if there is neither */
    private JobAccess(Exchange exchange, Namespace namespace, @Nullable Grant grant) {
        this.exchange = exchange;
        this.namespace = namespace;
        this.grant = grant;
        this.valid = grant != null;
    }

    /** @throws RefusedException with 401 if the request has several credentials, or a session that has ended */
    static JobAccess of(Exchange exchange) throws RefusedException {
        Grant grant = exchange.attempt(WHOLE_NAMESPACE, AccessRight.LISTEN);
        if (grant == null) {
            grant = exchange.attemptItsResource(AccessRight.LISTEN);
        }
        return new JobAccess(exchange, exchange.judgingNamespace(), grant);
    }

    /** Returns the namespace of the credential. The client sees jobs of no other one. */
    Namespace namespace() {
        return namespace;
    }

    /** Returns the grant by which the client may see a job of the {@linkplain #namespace namespace}, or null if it may not. */
    @Nullable
    Grant grantFor(Job job) {
        EntityAddress address = job.order.address();
        Grant own = grant;
        if (own != null) {
            return exchange.isPermitted(own, address, AccessRight.LISTEN) ? own : null;
        }
        // A token for the namespace or for the path of this request. A key of the entity is only found by way of the
        // entity.
        Grant ofEntity = exchange.attempt(address, AccessRight.LISTEN);
        valid |= ofEntity != null;
        return ofEntity;
    }

    /** @throws RefusedException with 401 if the token gives no right for any job that it could name */
    void requireValid() throws RefusedException {
        if (!valid && !exchange.hasKeyOfEntity()) {
            exchange.authorize(WHOLE_NAMESPACE, AccessRight.LISTEN);
        }
    }
}
