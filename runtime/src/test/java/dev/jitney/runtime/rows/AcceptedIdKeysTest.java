package dev.jitney.runtime.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jitney.core.DuplicateKey;
import dev.jitney.core.FragmentId;
import dev.jitney.runtime.store.StoreException;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The permanent keys of message ids for duplicate detection on disk (docs/formats.md). */
final class AcceptedIdKeysTest {
    private static final String START = "0000002a" + "0001" + "8000018bcfe56800";

    @ParameterizedTest
    @CsvSource({
        "STRING, order-7, 00, 6f726465722d37",
        "STRING, \u00e4\ud83d\ude00, 00, c3a4f09f9880",
        "ULONG, 7, 01, 37",
        "UUID, 00000000-0000-1234-0000-000000005678, 02,"
                + " 30303030303030302d303030302d313233342d303030302d303030303030303035363738",
        "BINARY, 0aff, 03, 30616666"
    })
    void writesAndReadsTheSame(DuplicateKey.Type type, String text, String typeHex, String textHex) throws Exception {
        DuplicateKey key = new DuplicateKey(type, text);
        byte[] row = AcceptedIdRows.key(new FragmentId(42, 1), 1_700_000_000_000L, key);
        assertThat(HexFormat.of().formatHex(row)).isEqualTo(START + typeHex + textHex);
        assertThat(AcceptedIdRows.keyOf(row)).isEqualTo(key);
        assertThat(RowKeys.generationOf(row)).isEqualTo(1_700_000_000_000L);
    }

    @Test
    void reportsATypeItDoesNotKnow() {
        byte[] row = HexFormat.of().parseHex(START + "09" + "37");
        assertThatThrownBy(() -> AcceptedIdRows.keyOf(row)).isInstanceOf(StoreException.class);
    }
}
