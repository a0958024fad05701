package dev.jitney.gateway.http.operator.message;

import dev.jitney.gateway.http.exchange.Exchange;
import dev.jitney.gateway.http.exchange.RefusedException;
import dev.jitney.model.AccessRight;
import dev.jitney.model.EntityAddress;
import dev.jitney.runtime.Namespace;
import java.util.concurrent.Executor;

/** The author of changes: the client of a request, or of the request that ordered a job. For one event loop. */
public interface Author {
    /** Returns the author of a request. */
    static Author of(Exchange exchange) {
        return new Author() {
            @Override
            public Namespace namespace() {
                return exchange.namespace();
            }

            @Override
            public Executor executor() {
                return exchange.executor();
            }

            @Override
            public void authorize(EntityAddress address, AccessRight right) throws RefusedException {
                exchange.authorize(address, right);
            }
        };
    }

    Namespace namespace();

    /** Returns the executor of the event loop. */
    Executor executor();

    /** @throws RefusedException with 401 if the author does not have the right now */
    void authorize(EntityAddress address, AccessRight right) throws RefusedException;
}
