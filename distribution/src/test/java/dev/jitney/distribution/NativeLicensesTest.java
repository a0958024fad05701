package dev.jitney.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class NativeLicensesTest {
    /** The libraries inside RocksDB, by a text in its native code, with a line of their licenses. */
    private static final Map<String, String> LIBRARIES = Map.of(
            "LZ4_compress_default", "LZ4 (BSD-2-Clause)\n\nLZ4 Library\nCopyright (c) 2011-2020, Yann Collet",
            "XXH3_64bits", "xxHash Library\nCopyright (c) 2012-2021 Yann Collet",
            "BZ2_bzCompress", "copyright (C) 1996-2019 Julian R",
            "ZSTD_compress", "Copyright (c) Meta Platforms, Inc. and affiliates.",
            "snappy_compress", "Copyright 2011, Google Inc.",
            "leveldb.", "Copyright (c) 2011 The LevelDB Authors.",
            "Copyright 1995-2026 Jean-loup Gailly", "(C) 1995-2026 Jean-loup Gailly and Mark Adler");

    @Test
    @DisplayName("The archives have the licenses of the libraries that are inside the native code of RocksDB")
    void licenses() throws IOException {
        String code;
        try (InputStream in = NativeLicensesTest.class.getResourceAsStream("/librocksdbjni-linux64.so")) {
            assertThat(in).isNotNull();
            code = new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
        }
        String licenses = Templates.text("licenses/" + ThirdParty.ROCKSDB_NATIVE, Map.of());
        LIBRARIES.forEach((text, license) -> {
            assertThat(code.contains(text)).as(text + " in the native code").isTrue();
            assertThat(licenses).contains(license);
        });
    }
}
