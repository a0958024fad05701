package dev.jitney.gateway.http.operator.privacy;

import dev.jitney.core.BodyMask;
import dev.jitney.core.SearchFilter;
import dev.jitney.gateway.http.exchange.HttpError;
import dev.jitney.gateway.http.exchange.RefusedException;
import dev.jitney.runtime.audit.Audit;
import dev.jitney.runtime.audit.AuditedAction;
import dev.jitney.runtime.security.OperatorRole;
import org.jspecify.annotations.Nullable;

/**
 * The access of one request to bodies. Immutable; any thread may use it.
 *
 * @param content whether the client may see bodies and values of application properties at all
 * @param mask the values that the client must not see
 * @param audited the action for the audit trail if the request returns bodies, or null if reads are not audited
 */
public record BodyAccess(
        boolean content, BodyMask mask, @Nullable AuditedAction audited) {
    /** The access to all values, without an audit. */
    public static final BodyAccess ALL = new BodyAccess(true, BodyMask.NONE, null);

    /** Returns whether some values are hidden. */
    public boolean hides() {
        return !mask.isEmpty();
    }

    /**
     * Refuses a filter whose matches say something about a hidden value. Without access to the content, that is each filter.
     *
     * @param filter null for none
     * @throws RefusedException with 403
     */
    public void check(@Nullable SearchFilter filter) throws RefusedException {
        if (filter != null && !content) {
            throw new RefusedException(HttpError.forbidden("Expected a search without a filter, because its matches say"
                    + " something about the content of messages. Filters need the role '" + OperatorRole.READER.word()
                    + "' or a higher one."));
        }
        String test = filter == null ? null : mask.readBy(filter);
        if (test != null) {
            throw new RefusedException(HttpError.forbidden("Expected a filter without " + test
                    + ", because the server hides values of bodies that it depends on. Filters on them need the right to"
                    + " Manage."));
        }
    }

    /**
     * Refuses the choice of a group without access to the content, because its messages have common values.
     *
     * @param group the id of the group, or null for none
     * @throws RefusedException with 403
     */
    public void checkGroup(@Nullable String group) throws RefusedException {
        if (group != null && !content) {
            throw new RefusedException(HttpError.forbidden("Expected a search without a group, because its matches say"
                    + " something about the content of messages. Groups need the role '" + OperatorRole.READER.word()
                    + "' or a higher one."));
        }
    }

    /**
     * Refuses a new body that has the mask in place of a hidden value.
     *
     * @param text null if there is no new body, or if it is not text
     * @throws RefusedException with 403
     */
    public void checkNewBody(@Nullable String text) throws RefusedException {
        if (text != null && hides() && MaskedText.hasMask(mask, text)) {
            throw new RefusedException(HttpError.forbidden("The new body has " + MaskedText.MASK
                    + " in place of a value that the server hides. Send the message without a new body, which keeps the value,"
                    + " or set a new value. The right to Manage shows all values."));
        }
    }

    /**
     * Writes the read to the audit trail, if reads are audited.
     *
     * @param details the number of messages and the filter
     */
    public void audit(String details) {
        if (audited != null) {
            Audit.read(audited, details);
        }
    }
}
