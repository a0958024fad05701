package dev.jitney.distribution;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

class JavaRuntimeTest {
    @TempDir
    Path jdk;

    private void refused(byte[] java) throws IOException {
        Files.createDirectories(jdk.resolve("bin"));
        Files.write(jdk.resolve("bin/java"), java);
        assertThatThrownBy(() -> JavaRuntime.requireLinuxX64(jdk))
                .isInstanceOf(ReleaseException.class)
                .hasMessageContaining("Expected a JDK for Linux with glibc on x86-64")
                .hasMessageContaining(jdk.toString());
    }

    /** Returns the header of a program of Linux that needs no library. */
    private static byte[] elf(int machine) {
        return ByteBuffer.allocate(64)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(new byte[] {0x7f, 'E', 'L', 'F', 2, 1})
                .putShort(18, (short) machine)
                .array();
    }

    @Test
    @DisplayName(
            "A JDK for macOS, for another processor or without glibc is refused, because its Java would be shipped")
    void otherPlatforms() throws IOException {
        refused(new byte[] {(byte) 0xcf, (byte) 0xfa, (byte) 0xed, (byte) 0xfe, 7, 0, 0, 1}); // Mach-O
        refused(elf(ElfFile.MACHINE_AARCH64));
        refused(elf(ElfFile.MACHINE_X86_64));
        Files.delete(jdk.resolve("bin/java"));
        assertThatThrownBy(() -> JavaRuntime.requireLinuxX64(jdk)).hasMessageContaining("there is no");
    }

    static boolean isLinuxX64() {
        return System.getProperty("os.name").equals("Linux")
                && System.getProperty("os.arch").equals("amd64")
                && Files.exists(Path.of("/lib64/ld-linux-x86-64.so.2"));
    }

    @Test
    @EnabledIf("isLinuxX64")
    @DisplayName("The JDK of a machine with Linux on x86-64 is accepted")
    void thisMachine() {
        assertThatCode(() -> JavaRuntime.requireLinuxX64(Path.of(System.getProperty("java.home"))))
                .doesNotThrowAnyException();
    }
}
