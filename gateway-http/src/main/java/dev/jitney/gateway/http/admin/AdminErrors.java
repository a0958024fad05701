package dev.jitney.gateway.http.admin;

import dev.jitney.gateway.http.exchange.HttpError;
import dev.jitney.model.ClientText;
import dev.jitney.model.EntityAddress;
import dev.jitney.model.EntityNames;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.Namespace;

/** Refusals in the words that SDKs and their tests look for (HTTP reference 2.10). */
final class AdminErrors {
    private static final int CONFLICT = 40900;
    private static final int OPERATION_IN_PROGRESS = 40901;

    private AdminErrors() {}

    /** What the broker refused when something was to be created, changed or told. */
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

    /** What the broker refused when something was to be deleted. */
    static HttpError ofDeletion(Rejection rejection, AdminTarget target) {
        return HttpError.of(rejection).status() == 404 ? noService(target) : of(rejection, target);
    }

    /** There is nothing to delete. */
    static HttpError noService(AdminTarget target) {
        return new HttpError(
                404, 0, "No service is hosted at the specified address: '" + label(target) + "' does not exist.");
    }

    /** A name that no entity can have: only the words of the service begin with a dollar sign. */
    static HttpError noName(String path) {
        Rejection reason = EntityNames.refusePath(path);
        return HttpError.badRequest(
                reason == null
                        ? "'URI_PATH' contains a reserved word: expected the path of an entity, but got '"
                                + ClientText.abbreviate(path) + "'."
                        : reason.description());
    }

    /** The queue or topic that is to be changed is not there. */
    static HttpError entityMissing(AdminTarget target) {
        return HttpError.notFound("Not Found. The messaging entity '" + target.path() + "' could not be found.");
    }

    /** A subscription or rule is not there, or not even its topic. */
    static HttpError childMissing(AdminTarget target, Namespace namespace) {
        return new HttpError(404, 0, "Entity '" + namespace.name() + ":Topic:" + label(target) + "' was not found.");
    }

    /** A name that another kind of entity has. */
    static HttpError otherKind(AdminTarget target) {
        return new HttpError(
                409,
                CONFLICT,
                "Conflict. The messaging entity '" + target.entityPath() + "' exists and is of another kind.");
    }

    /** A second change of what is being changed already. */
    static HttpError changing(AdminTarget target) {
        return new HttpError(
                409, OPERATION_IN_PROGRESS, "Another change of '" + label(target) + "' is under way; try again.");
    }

    /** The condition of {@code If-Match} does not hold. */
    static HttpError changed(AdminTarget target) {
        return new HttpError(
                412, 0, "Entity '" + label(target) + "' has been changed since: its tag is not that of If-Match.");
    }

    /** Sub-queues live and die with their entity. */
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
