package dev.jitney.gateway.http.operator.job;

import dev.jitney.gateway.http.exchange.HttpError;
import dev.jitney.gateway.http.exchange.RefusedException;
import dev.jitney.gateway.http.operator.message.Author;
import dev.jitney.model.AccessRight;
import dev.jitney.model.EntityAddress;
import dev.jitney.runtime.Namespace;
import dev.jitney.runtime.security.Grant;
import dev.jitney.runtime.security.IdentityProvider;
import dev.jitney.runtime.security.LastingGrant;
import dev.jitney.runtime.security.OperatorRole;
import java.util.concurrent.Executor;

/** The author of a job: the access rule whose key its client used, or an identity, with the rights that it has now. */
record JobAuthor(Namespace namespace, Executor executor, LastingGrant lasting, IdentityProvider identities)
        implements Author {

    @Override
    public void authorize(EntityAddress address, AccessRight right) throws RefusedException {
        Grant grant = lasting.now(namespace, identities);
        boolean permitted =
                grant != null && (grant.permits(right, address, 0) || grant.hasRole(OperatorRole.OPERATOR, address, 0));
        if (!permitted) {
            throw new RefusedException(HttpError.unauthorized(holder() + "'"
                    + ", by which the job was ordered, does not give the right " + right.name() + " for '"
                    + address.path()
                    + "'."));
        }
    }

    private String holder() {
        return (lasting instanceof LastingGrant.OfRule ? "The access rule '" : "The identity '") + lasting.holder();
    }
}
