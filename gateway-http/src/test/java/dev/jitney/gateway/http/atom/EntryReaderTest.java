package dev.jitney.gateway.http.atom;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

class EntryReaderTest {
    private static final String ENTRY = "<entry xmlns='http://www.w3.org/2005/Atom'><content><RuleDescription xmlns='"
            + XmlNames.CONNECT + "'><Name>Grüße</Name></RuleDescription></content></entry>";

    private final EntryReader reader = new EntryReader();

    @Test
    @DisplayName("XML 1.0 F.1: a body has the encoding of its mark, its declared encoding, or UTF-8")
    void readsEveryEncodingThatIsTold() throws Exception {
        for (String encoding : List.of("UTF-8", "ISO-8859-1", "windows-1252")) {
            assertThat(name(("<?xml version='1.0' encoding='" + encoding + "'?>" + ENTRY), encoding))
                    .isEqualTo("Grüße");
        }
        for (String encoding : List.of("UTF-8", "UTF-16BE", "UTF-16LE")) {
            assertThat(name(ENTRY, encoding)).isEqualTo("Grüße");
            assertThat(name("\ufeff<?xml version='1.0' encoding='utf-16'?>" + ENTRY, encoding))
                    .isEqualTo("Grüße");
        }
    }

    private String name(String document, String encoding) throws Exception {
        byte[] body = document.getBytes(Charset.forName(encoding));
        return String.valueOf(reader.description(body).text("Name"));
    }

    @Test
    @ResourceLock(Resources.SYSTEM_ERR)
    @DisplayName("Bytes that are no characters are refused, without output on standard error; found by fuzzing")
    void refusesWhatIsNoText() {
        byte[] broken = ENTRY.getBytes(StandardCharsets.ISO_8859_1);
        byte[] unknown = "<?xml version='1.0' encoding='none'?><a/>".getBytes(StandardCharsets.ISO_8859_1);
        byte[] odd = Arrays.copyOf(ENTRY.getBytes(StandardCharsets.UTF_16BE), 101);
        ByteArrayOutputStream heard = new ByteArrayOutputStream();
        PrintStream before = System.err;
        System.setErr(new PrintStream(heard, true, StandardCharsets.UTF_8));
        try {
            for (byte[] body : List.of(broken, unknown, odd, new byte[] {-1}, new byte[] {'<', -1}, new byte[0])) {
                assertThatThrownBy(() -> reader.description(body)).isInstanceOf(MalformedEntryException.class);
            }
            for (String begin :
                    List.of("<!DOCTYPE a[", "<!DOCTYPE a>", " <?a ?><!-- ? --> <!DOCTYPE a [<!ENTITY b \"")) {
                byte[] body = begin.getBytes(StandardCharsets.UTF_8);
                assertThatThrownBy(() -> reader.description(body)).isInstanceOf(MalformedEntryException.class);
            }
        } finally {
            System.setErr(before);
        }
        assertThat(heard.toString(StandardCharsets.UTF_8)).isEmpty();
    }
}
