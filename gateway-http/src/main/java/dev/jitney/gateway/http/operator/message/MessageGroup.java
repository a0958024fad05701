package dev.jitney.gateway.http.operator.message;

import dev.jitney.codec.ContentReader;
import dev.jitney.codec.PropertyField;
import dev.jitney.gateway.http.exchange.HttpError;
import dev.jitney.gateway.http.exchange.RefusedException;
import dev.jitney.gateway.http.operator.note.GroupNotes;
import dev.jitney.model.ClientText;
import dev.jitney.model.MessageView;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The common properties of a group of messages: the beginnings of the dead-letter reason, of the description with {@code #} in place of
 * numbers and ids, and of the subject. Immutable; any thread may use it.
 */
public record MessageGroup(
        @Nullable String reason,
        @Nullable String description,
        @Nullable String subject) {
    private static final int TEXT_CHARACTERS_MAX = 256;

    /** A part of a description that differs between messages with the same cause: an id in hexadecimal digits, or a number. */
    private static final Pattern DIFFERENT =
            Pattern.compile("\\b[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\\b|\\d+");

    /** Returns the group of a message. */
    static MessageGroup of(MessageView message) {
        try {
            ContentReader reader = new ContentReader(message.content());
            Map<String, @Nullable Object> properties = reader.applicationProperties(message.propertyOverrides());
            Object description = properties.get(MessageDocument.DESCRIPTION);
            return new MessageGroup(
                    text(properties.get(MessageDocument.REASON)),
                    description == null
                            ? null
                            : text(DIFFERENT.matcher(text(description)).replaceAll("#")),
                    text(reader.properties().get(PropertyField.SUBJECT)));
        } catch (IllegalArgumentException unreadable) {
            return new MessageGroup(null, null, null);
        }
    }

    private static @Nullable String text(@Nullable Object value) {
        String text = value == null ? null : value.toString();
        return text == null || text.length() <= TEXT_CHARACTERS_MAX ? text : text.substring(0, TEXT_CHARACTERS_MAX);
    }

    /** Returns the id, which clients use to name the group. */
    String id() {
        return GroupNotes.groupId(reason, description, subject);
    }

    /**
     * Returns the id of a group that a client has named.
     *
     * @param text null for no group
     * @throws RefusedException with 400 if the text is no id
     */
    public static @Nullable String id(@Nullable String text) throws RefusedException {
        if (text == null) {
            return null;
        }
        String id = text.toLowerCase(Locale.ROOT);
        if (!GroupNotes.isGroupId(id)) {
            throw new RefusedException(HttpError.badRequest(
                    "Expected the id of a group, 16 hexadecimal digits as in the list of groups, in 'group', but got '"
                            + ClientText.abbreviate(text) + "'."));
        }
        return id;
    }

    /**
     * Returns whether a message is in a group.
     *
     * @param id the id of the group; null takes all messages
     */
    public static boolean has(@Nullable String id, MessageView message) {
        return id == null || of(message).id().equals(id);
    }
}
