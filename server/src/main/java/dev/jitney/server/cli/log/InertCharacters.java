package dev.jitney.server.cli.log;

import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.io.CharacterEscapes;
import com.fasterxml.jackson.core.io.SerializedString;
import dev.jitney.model.ClientText;
import org.jspecify.annotations.Nullable;

/**
 * The escapes that keep JSON log lines harmless. In addition to the escapes that JSON requires, they cover characters
 * that a terminal or a line reader interprets: DEL, the C1 control characters (U+0085 ends a line), U+2028, U+2029, and
 * characters that change the direction of text.
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
