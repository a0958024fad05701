package dev.jitney.distribution;

import java.util.List;
import java.util.Set;

/** The machines that an archive is for, with their native libraries. */
enum Platform {
    /** Everything at once: linux-x64, linux-arm64, macos and windows-x64. */
    PORTABLE(
            "",
            Set.of(
                    "librocksdbjni-linux64.so",
                    "librocksdbjni-linux-aarch64.so",
                    "librocksdbjni-osx-x86_64.jnilib",
                    "librocksdbjni-osx-arm64.jnilib",
                    "librocksdbjni-win64.dll"),
            Set.of("linux-x86_64", "linux-aarch_64")),

    /** Linux with glibc on x86-64. */
    LINUX_X64("linux-x64", Set.of("librocksdbjni-linux64.so"), Set.of("linux-x86_64")),

    /** Linux with glibc on 64-bit ARM. */
    LINUX_ARM64("linux-arm64", Set.of("librocksdbjni-linux-aarch64.so"), Set.of("linux-aarch_64")),

    /** macOS on both of its processors. */
    MACOS("macos", Set.of("librocksdbjni-osx-x86_64.jnilib", "librocksdbjni-osx-arm64.jnilib"), Set.of()),

    /** Windows on x86-64. */
    WINDOWS_X64("windows-x64", Set.of("librocksdbjni-win64.dll"), Set.of());

    private static final List<String> NETTY_PLATFORMS = List.of("linux-x86_64", "linux-aarch_64");

    private final String label;
    private final Set<String> rocksDbNatives;
    private final Set<String> nettyPlatforms;

    Platform(String label, Set<String> rocksDbNatives, Set<String> nettyPlatforms) {
        this.label = label;
        this.rocksDbNatives = rocksDbNatives;
        this.nettyPlatforms = nettyPlatforms;
    }

    /** Returns its part of the archive's name; empty for the portable one. */
    String label() {
        return label;
    }

    /** Returns the native libraries that stay in RocksDB's jar. */
    Set<String> rocksDbNatives() {
        return rocksDbNatives;
    }

    /** Returns whether the archive needs a jar. Netty's jars with native code are for one platform each. */
    boolean takes(String jar) {
        return NETTY_PLATFORMS.stream()
                .noneMatch(netty -> jar.endsWith("-" + netty + ".jar") && !nettyPlatforms.contains(netty));
    }
}
