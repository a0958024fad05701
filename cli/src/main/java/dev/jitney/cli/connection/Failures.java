package dev.jitney.cli.connection;

import com.azure.core.amqp.exception.AmqpErrorCondition;
import com.azure.core.amqp.exception.AmqpException;
import com.azure.core.exception.HttpResponseException;
import com.azure.core.http.HttpResponse;
import com.azure.messaging.servicebus.ServiceBusException;
import com.azure.messaging.servicebus.ServiceBusFailureReason;
import dev.jitney.cli.output.Failure;
import dev.jitney.cli.value.Json;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Translates an error of the SDK into a sentence for the user, with advice. */
public final class Failures {
    private static final String RIGHTS =
            "Check SharedAccessKeyName and SharedAccessKey of the connection string. The rule needs Manage to manage"
                    + " entities, Send to send, and Listen to receive.";
    private static final Map<ServiceBusFailureReason, String> HINTS = Map.ofEntries(
            Map.entry(ServiceBusFailureReason.UNAUTHORIZED, RIGHTS),
            Map.entry(
                    ServiceBusFailureReason.MESSAGING_ENTITY_NOT_FOUND,
                    "To see all entities: jitney list. Write a subscription as TOPIC/subscriptions/NAME."),
            Map.entry(
                    ServiceBusFailureReason.MESSAGING_ENTITY_DISABLED,
                    "To enable the entity, run jitney queue update, topic update or subscription update with"
                            + " --status Active."),
            Map.entry(
                    ServiceBusFailureReason.QUOTA_EXCEEDED,
                    "Receive or purge messages, or raise --max-size-in-megabytes."),
            Map.entry(
                    ServiceBusFailureReason.MESSAGE_SIZE_EXCEEDED,
                    "Split the message, or raise --max-message-size-in-kilobytes of the entity (PREMIUM only). A server"
                            + " with a small heap has a smaller limit."),
            Map.entry(ServiceBusFailureReason.SERVICE_BUSY, "Try again in a few seconds."),
            Map.entry(
                    ServiceBusFailureReason.SESSION_CANNOT_BE_LOCKED,
                    "Another receiver holds the session. Try again when that receiver has closed it."),
            Map.entry(
                    ServiceBusFailureReason.MESSAGE_LOCK_LOST,
                    "The message is delivered again. A longer --lock-duration of the entity gives more time."));

    private static final Pattern DETAIL = Pattern.compile("<Detail>(.*?)</Detail>", Pattern.DOTALL);
    private static final Pattern TRACKING =
            Pattern.compile("[\\s.,]*(?:TrackingId|Reference|For more information|To know more).*", Pattern.DOTALL);
    private static final Pattern CONTEXT = Pattern.compile(",? ?errorContext\\[.*", Pattern.DOTALL);
    private static final Pattern SUB_CODE = Pattern.compile("SubCode=\\d+\\.\\s*");
    private static final int LENGTH_MAX = 500;

    private Failures() {}

    /** Returns a failure for an exception. A {@link Failure} is returned unchanged. Returns null for a bug of this program. */
    public static @Nullable Failure of(Throwable thrown) {
        for (Throwable e = thrown; e != null; e = e.getCause()) {
            if (e instanceof Failure failure) {
                return failure;
            } else if (e instanceof ServiceBusException serviceBus) {
                return ofMessaging(serviceBus);
            } else if (e instanceof HttpResponseException http) {
                return ofHttp(http);
            } else if (e instanceof AmqpException amqp) {
                return ofAmqp(amqp);
            } else if (e instanceof UnsupportedOperationException && saidByTheServer(e)) {
                return new Failure(Failure.FAULT, sentence(tidy(String.valueOf(e.getMessage()))), thrown);
            } else if (e instanceof java.io.IOException) {
                return new Failure(
                        Failure.FAULT,
                        "The connection failed: " + tidy(String.valueOf(e.getMessage())) + ". Is the server running?",
                        thrown);
            } else if (isTimeout(e)) {
                return new Failure(
                        Failure.FAULT,
                        "The server did not answer in time. It may be busy, or the network slow. Try again.",
                        thrown);
            }
        }
        return null;
    }

    /** Returns whether the server refused: the SDK uses these exceptions for requests that are not allowed or not implemented. */
    private static boolean saidByTheServer(Throwable e) {
        return String.valueOf(e.getMessage()).contains("TrackingId");
    }

    private static boolean isTimeout(Throwable e) {
        return e instanceof java.util.concurrent.TimeoutException
                || e instanceof IllegalStateException
                        && String.valueOf(e.getMessage()).startsWith("Timeout on blocking");
    }

    private static Failure ofMessaging(ServiceBusException e) {
        ServiceBusFailureReason reason = e.getReason();
        int code = Failure.FAULT;
        if (ServiceBusFailureReason.MESSAGING_ENTITY_NOT_FOUND.equals(reason)
                || ServiceBusFailureReason.MESSAGE_NOT_FOUND.equals(reason)) {
            code = Failure.NOT_FOUND;
        } else if (ServiceBusFailureReason.MESSAGING_ENTITY_ALREADY_EXISTS.equals(reason)) {
            code = Failure.CONFLICT;
        }
        String hint = HINTS.get(reason);
        String text = sentence(tidy(String.valueOf(e.getMessage())));
        return new Failure(code, hint == null ? text : text + " " + hint, e);
    }

    private static Failure ofAmqp(AmqpException e) {
        AmqpErrorCondition condition = e.getErrorCondition();
        String text = sentence(tidy(String.valueOf(e.getMessage())));
        if (condition == AmqpErrorCondition.NOT_FOUND) {
            return new Failure(
                    Failure.NOT_FOUND, text + " " + HINTS.get(ServiceBusFailureReason.MESSAGING_ENTITY_NOT_FOUND), e);
        } else if (condition == AmqpErrorCondition.UNAUTHORIZED_ACCESS) {
            return new Failure(Failure.FAULT, text + " " + RIGHTS, e);
        }
        return new Failure(Failure.FAULT, text, e);
    }

    private static Failure ofHttp(HttpResponseException e) {
        int status = e.getResponse() == null ? 0 : e.getResponse().getStatusCode();
        String detail = detail(e);
        return switch (status) {
            case 401 -> new Failure(Failure.FAULT, "The server refused the key: " + sentence(detail) + " " + RIGHTS, e);
            case 404 -> new Failure(Failure.NOT_FOUND, "Not found: " + sentence(detail), e);
            case 409 -> new Failure(Failure.CONFLICT, sentence(detail), e);
            case 501, 405 ->
                new Failure(
                        Failure.FAULT,
                        "The server does not support this request: " + sentence(detail) + " Check --admin-url.",
                        e);
            default ->
                new Failure(
                        Failure.FAULT,
                        "The server refused the request" + (status == 0 ? "" : " (" + status + ")") + ": "
                                + sentence(detail),
                        e);
        };
    }

    /** Returns the server's description of the error, without the tracking numbers meant for operators. */
    public static String detail(HttpResponseException e) {
        String json = jsonMessage(e);
        if (json != null) {
            return tidy(json);
        }
        String body = body(e.getResponse());
        Matcher matcher = DETAIL.matcher(body == null ? String.valueOf(e.getMessage()) : body);
        String text = matcher.find() ? unescape(matcher.group(1)) : String.valueOf(e.getMessage());
        return tidy(SUB_CODE.matcher(text).replaceAll(""));
    }

    /** Returns the message of an error that the server describes in JSON, or null for another error. */
    public static @Nullable String jsonMessage(HttpResponseException e) {
        String text = String.valueOf(e.getMessage()); // ServerApi has read the body already
        if (!text.startsWith("{")) {
            return null;
        }
        try {
            return Json.object(text).get("error") instanceof Map<?, ?> error
                            && error.get("message") instanceof String message
                    ? message
                    : null;
        } catch (IllegalArgumentException notJson) {
            return null;
        }
    }

    private static @Nullable String body(@Nullable HttpResponse response) {
        try {
            return response == null ? null : response.getBodyAsString().block();
        } catch (RuntimeException e) {
            return null; // already consumed; the exception's own message is used
        }
    }

    private static String unescape(String xml) {
        return xml.replace("&lt;", "<")
                .replace("&gt;", ">")
                .replace("&quot;", "\"")
                .replace("&apos;", "'")
                .replace("&amp;", "&");
    }

    /** Returns the text as one line without tracking ids and contexts. */
    private static String tidy(String text) {
        String line = CONTEXT.matcher(text).replaceFirst("");
        line = TRACKING.matcher(line).replaceFirst("").replaceAll("\\s+", " ").strip();
        return line.length() > LENGTH_MAX ? line.substring(0, LENGTH_MAX) + "…" : line;
    }

    private static String sentence(String text) {
        return text.isEmpty() || text.endsWith(".") || text.endsWith("…") ? text : text + ".";
    }
}
