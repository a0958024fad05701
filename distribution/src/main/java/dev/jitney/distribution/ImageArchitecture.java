package dev.jitney.distribution;

/** A processor for which there is an image, with the names of its parts. */
enum ImageArchitecture {
    /** 64-bit x86. */
    AMD64(
            "amd64",
            "x86_64-linux-gnu",
            "lib64/ld-linux-x86-64.so.2",
            ElfFile.MACHINE_X86_64,
            "librocksdbjni-linux64.so",
            "linux-x86_64"),

    /** 64-bit ARM. */
    ARM64(
            "arm64",
            "aarch64-linux-gnu",
            "lib/ld-linux-aarch64.so.1",
            ElfFile.MACHINE_AARCH64,
            "librocksdbjni-linux-aarch64.so",
            "linux-aarch_64");

    private final String label;
    private final String libraryFolder;
    private final String loader;
    private final int elfMachine;
    private final String rocksDbNative;
    private final String nettyPlatform;

    ImageArchitecture(
            String label,
            String libraryFolder,
            String loader,
            int elfMachine,
            String rocksDbNative,
            String nettyPlatform) {
        this.label = label;
        this.libraryFolder = libraryFolder;
        this.loader = loader;
        this.elfMachine = elfMachine;
        this.rocksDbNative = rocksDbNative;
        this.nettyPlatform = nettyPlatform;
    }

    /** Returns its name in images and in Debian. */
    String label() {
        return label;
    }

    /** Returns Debian's folder for its libraries, below {@code lib}. */
    String libraryFolder() {
        return libraryFolder;
    }

    /** Returns the path of the dynamic loader, without the leading slash. */
    String loader() {
        return loader;
    }

    /** Returns its number in the header of programs and libraries. */
    int elfMachine() {
        return elfMachine;
    }

    /** Returns the file name of RocksDB's native library in RocksDB's jar. */
    String rocksDbNative() {
        return rocksDbNative;
    }

    /** Returns the end of the name of Netty's jar with the native library. */
    String nettyPlatform() {
        return nettyPlatform;
    }

    /** Returns the archive for the same machines. */
    Platform platform() {
        return this == AMD64 ? Platform.LINUX_X64 : Platform.LINUX_ARM64;
    }
}
