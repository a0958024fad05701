package dev.jitney.fuzz.engine;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Changes of bytes without knowledge of their meaning, and some that aim at lengths and counts. */
final class Mutations {
    private static final int[] FAVOURITES = {
        0, 1, 2, 7, 8, 0x7f, 0x80, 0xff, 0x100, 0x7fff, 0x8000, 0xffff, 0x1_0000, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff
    };

    private final Random random;
    private final List<byte[]> words;
    private final int bytesMax;

    Mutations(Random random, List<byte[]> words, int bytesMax) {
        this.random = random;
        this.words = words;
        this.bytesMax = bytesMax;
    }

    /** Makes one to eight changes; few changes are much more frequent than many. */
    byte[] mutate(byte[] input, byte[] other) {
        byte[] out = input;
        for (int i = 1 << random.nextInt(random.nextInt(4) + 1); i > 0; i--) {
            out = change(out, other);
        }
        return out.length > bytesMax ? Arrays.copyOf(out, bytesMax) : out;
    }

    private byte[] change(byte[] in, byte[] other) {
        if (in.length == 0) {
            return octets(1 + random.nextInt(16));
        }
        int at = random.nextInt(in.length);
        return switch (random.nextInt(11)) {
            case 0 -> with(in, at, (byte) (in[at] ^ 1 << random.nextInt(8)));
            case 1 -> with(in, at, (byte) random.nextInt());
            case 2 -> with(in, at, (byte) (in[at] + random.nextInt(9) - 4));
            case 3 -> number(in, at);
            case 4 -> Arrays.copyOf(in, at);
            case 5 -> splice(in, at, 1 + random.nextInt(Math.min(32, in.length - at)), new byte[0]);
            case 6 -> splice(in, at, 0, octets(1 + random.nextInt(8)));
            case 7 -> splice(in, at, 0, piece(in)); // repeat a piece
            case 8 -> splice(in, at, random.nextInt(in.length - at + 1), piece(other));
            case 9 -> words.isEmpty() ? number(in, at) : splice(in, at, random.nextInt(2), word());
            default -> words.isEmpty() ? with(in, at, (byte) 0) : splice(in, at, Math.min(in.length - at, 4), word());
        };
    }

    private byte[] word() {
        return words.get(random.nextInt(words.size()));
    }

    private byte[] piece(byte[] of) {
        if (of.length == 0) {
            return of;
        }
        int from = random.nextInt(of.length);
        return Arrays.copyOfRange(of, from, from + 1 + random.nextInt(Math.min(64, of.length - from)));
    }

    private byte[] number(byte[] in, int at) {
        int favourite = FAVOURITES[random.nextInt(FAVOURITES.length)];
        byte[] four = ByteBuffer.allocate(4).putInt(favourite).array();
        int size = Math.min(1 << random.nextInt(3), in.length - at);
        byte[] out = in.clone();
        System.arraycopy(four, 4 - size, out, at, size);
        return out;
    }

    private static byte[] with(byte[] in, int at, byte octet) {
        byte[] out = in.clone();
        out[at] = octet;
        return out;
    }

    private byte[] octets(int count) {
        byte[] out = new byte[count];
        random.nextBytes(out);
        return out;
    }

    /** Replaces the given number of bytes by others. */
    static byte[] splice(byte[] in, int at, int count, byte[] by) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(in.length + by.length);
        out.write(in, 0, at);
        out.writeBytes(by);
        out.write(in, at + count, in.length - at - count);
        return out.toByteArray();
    }
}
