package dev.jitney.gateway.http.atom;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The characters of an XML document. The encoding comes from a byte order mark, otherwise from the declaration,
 * otherwise it is UTF-8 (XML 1.0, appendix F.1).
 *
 * <p>The reader of the JDK also decodes, but it writes to standard error for invalid bytes and for an unterminated
 * document type, which unauthenticated clients must not cause. Found by fuzzing.
 */
final class XmlText {
    /** Longer than any realistic declaration. */
    private static final int DECLARATION_BYTES_MAX = 256;

    private static final Pattern ENCODING =
            Pattern.compile("^<\\?xml\\s[^>]*?\\sencoding\\s*=\\s*[\"']([A-Za-z][A-Za-z0-9._-]*)[\"']");

    private XmlText() {}

    /** @throws MalformedEntryException if the bytes are invalid in their encoding */
    static String decode(byte[] body) throws MalformedEntryException {
        int first = body.length < 2 ? 0 : (body[0] & 0xff) << 8 | body[1] & 0xff;
        return switch (first) {
            case 0xfeff -> decode(body, 2, StandardCharsets.UTF_16BE);
            case 0xfffe -> decode(body, 2, StandardCharsets.UTF_16LE);
            case '<' -> decode(body, 0, StandardCharsets.UTF_16BE);
            case '<' << 8 -> decode(body, 0, StandardCharsets.UTF_16LE);
            default ->
                first == 0xefbb && body.length > 2 && body[2] == (byte) 0xbf
                        ? decode(body, 3, StandardCharsets.UTF_8)
                        : decode(body, 0, declared(body));
        };
    }

    private static Charset declared(byte[] body) throws MalformedEntryException {
        String begin = new String(body, 0, Math.min(body.length, DECLARATION_BYTES_MAX), StandardCharsets.ISO_8859_1);
        Matcher encoding = ENCODING.matcher(begin);
        try {
            return encoding.find() ? Charset.forName(encoding.group(1)) : StandardCharsets.UTF_8;
        } catch (IllegalArgumentException unknown) {
            throw malformed();
        }
    }

    private static String decode(byte[] body, int from, Charset charset) throws MalformedEntryException {
        try {
            CharBuffer characters = charset.newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .onUnmappableCharacter(CodingErrorAction.REPORT)
                    .decode(ByteBuffer.wrap(body, from, body.length - from));
            return characters.toString();
        } catch (CharacterCodingException noText) {
            throw malformed();
        }
    }

    private static MalformedEntryException malformed() {
        return new MalformedEntryException("Bad Request. The body is not well-formed XML.");
    }

    /** Returns whether a document type precedes the first element, which is the only permitted place. */
    static boolean hasDocumentType(String document) {
        int at = 0;
        while (at < document.length()) {
            if (" \t\r\n".indexOf(document.charAt(at)) >= 0) {
                at++;
            } else if (document.startsWith("<?", at)) {
                at = behind(document, "?>", at);
            } else if (document.startsWith("<!--", at)) {
                at = behind(document, "-->", at + 4);
            } else {
                return document.startsWith("<!D", at);
            }
        }
        return false;
    }

    private static int behind(String document, String end, int from) {
        int at = document.indexOf(end, from);
        return at < 0 ? document.length() : at + end.length();
    }
}
