package dev.jitney.gateway.http.admin;

import dev.jitney.gateway.http.exchange.HttpError;
import dev.jitney.model.ClientText;
import dev.jitney.model.EntityAddress;
import dev.jitney.model.EntityNames;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.Namespace;

/** The refusals, with the phrases that SDKs and their tests match (HTTP reference 2.10). */
final class AdminErrors {
    private static final int CONFLICT = 40900;
    private static final int OPERATION_IN_PROGRESS = 40901;

    private AdminErrors() {}

    /** Returns the error for a rejection of a read, a create or an update. */
    static HttpError of(Rejection rejection, AdminTarget target) {
        String sentence = rejection.description();
        return switch (rejection.code()) {
            case ENTITY_EXISTS ->
                target.isTopLevel()
                        ? new HttpError(409, CONFLICT, "Conflict. " + sentence)
                        : new HttpError(409, 0, sentence);
            case ENTITY_NOT_FOUND ->
                sentence.startsWith("Entity '")
                        ? new HttpError(404, 0, sentence)
                        : HttpError.notFound("Not Found. " + sentence);
            default -> HttpError.of(rejection);
        };
    }

    /** Returns the error for a rejection of a delete. */
    static HttpError ofDeletion(Rejection rejection, AdminTarget target) {
        return HttpError.of(rejection).status() == 404 ? noService(target) : of(rejection, target);
    }

    /** Returns the error for deleting an entity that does not exist. */
    static HttpError noService(AdminTarget target) {
        return new HttpError(
                404, 0, "No service is hosted at the specified address: '" + label(target) + "' does not exist.");
    }

    /** Returns the error for a name that no entity can have, because a leading dollar sign is reserved. */
    static HttpError noName(String path) {
        Rejection reason = EntityNames.refusePath(path);
        return HttpError.badRequest(
                reason == null
                        ? "'URI_PATH' contains a reserved word: expected the path of an entity, but got '"
                                + ClientText.abbreviate(path) + "'."
                        : reason.description());
    }

    /** Returns the error for a queue or topic that does not exist. */
    static HttpError entityMissing(AdminTarget target) {
        return HttpError.notFound("Not Found. The messaging entity '" + target.path() + "' could not be found.");
    }

    /** Returns the error for a subscription or rule that does not exist, or whose topic does not exist. */
    static HttpError childMissing(AdminTarget target, Namespace namespace) {
        return new HttpError(404, 0, "Entity '" + namespace.name() + ":Topic:" + label(target) + "' was not found.");
    }

    /** Returns the error for a name of an entity of another kind. */
    static HttpError otherKind(AdminTarget target) {
        return new HttpError(
                409,
                CONFLICT,
                "Conflict. The messaging entity '" + target.entityPath() + "' exists, but has another kind.");
    }

    /** Returns the error for a change while another change of the same resource is in progress. */
    static HttpError changing(AdminTarget target) {
        return new HttpError(
                409, OPERATION_IN_PROGRESS, "Another change of '" + label(target) + "' is in progress. Try again.");
    }

    /** Returns the error for a condition in {@code If-Match} that does not hold. */
    static HttpError changed(AdminTarget target) {
        return new HttpError(
                412, 0, "Entity '" + label(target) + "' was changed: expected its current ETag in If-Match.");
    }

    /** Returns the error for a method on a sub-queue, which exists as long as its entity. */
    static HttpError verb(String method) {
        return new HttpError(400, 0, "The specified HTTP verb (" + method + ") is not valid for a part of an entity.");
    }

    private static String label(AdminTarget target) {
        StringBuilder label =
                new StringBuilder(EntityAddress.ofPath(target.path()).path());
        if (!target.subscription().isEmpty()) {
            label.append('|').append(target.subscription());
        }
        if (!target.rule().isEmpty()) {
            label.append(label.isEmpty() ? "" : "|").append(target.rule());
        }
        return label.toString();
    }
}
