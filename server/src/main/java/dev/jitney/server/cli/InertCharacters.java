package dev.jitney.server.cli;

import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.io.CharacterEscapes;
import com.fasterxml.jackson.core.io.SerializedString;
import dev.jitney.model.ClientText;
import org.jspecify.annotations.Nullable;

/**
 * Escapes in JSON, besides what JSON demands, all that a terminal or a reader of lines acts upon: DEL, the control
 * characters of C1 (U+0085 ends a line), U+2028, U+2029, and those that change the direction of text.
 */
final class InertCharacters extends CharacterEscapes {
    private static final long serialVersionUID = 1L;
    private static final char DEL = 0x7F;

    private final int[] ascii = standardAsciiEscapesForJSON();

    InertCharacters() {
        ascii[DEL] = ESCAPE_STANDARD;
    }

    @Override
    public int[] getEscapeCodesForAscii() {
        return ascii.clone();
    }

    @Override
    public @Nullable SerializableString getEscapeSequence(int character) {
        return ClientText.acts((char) character) ? new SerializedString(ClientText.escaped((char) character)) : null;
    }
}
