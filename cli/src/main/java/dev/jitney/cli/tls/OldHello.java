package dev.jitney.cli.tls;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The first message of a handshake that offers only old versions or weak suites, which Java itself does not offer any more. The answer
 * shows whether the server accepts them; the handshake ends there (RFC 5246, 7.4.1).
 */
final class OldHello {
    static final int TLS_1_0 = 0x0301;
    static final int TLS_1_1 = 0x0302;
    static final int TLS_1_2 = 0x0303;

    private static final int HANDSHAKE = 22;
    private static final int ALERT = 21;
    private static final int CLIENT_HELLO = 1;
    private static final int SERVER_HELLO = 2;
    private static final int RECORD_MAX = 16 * 1024 + 2_048;
    private static final int RANDOM_BYTES = 32;

    /** Suites without authenticated encryption or without forward secrecy, by their numbers. */
    private static final Map<Integer, String> WEAK = new TreeMap<>(Map.ofEntries(
            Map.entry(0x0004, "TLS_RSA_WITH_RC4_128_MD5"),
            Map.entry(0x0005, "TLS_RSA_WITH_RC4_128_SHA"),
            Map.entry(0x000a, "TLS_RSA_WITH_3DES_EDE_CBC_SHA"),
            Map.entry(0x002f, "TLS_RSA_WITH_AES_128_CBC_SHA"),
            Map.entry(0x0035, "TLS_RSA_WITH_AES_256_CBC_SHA"),
            Map.entry(0x003c, "TLS_RSA_WITH_AES_128_CBC_SHA256"),
            Map.entry(0x009c, "TLS_RSA_WITH_AES_128_GCM_SHA256"),
            Map.entry(0x009d, "TLS_RSA_WITH_AES_256_GCM_SHA384"),
            Map.entry(0xc009, "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA"),
            Map.entry(0xc00a, "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA"),
            Map.entry(0xc013, "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA"),
            Map.entry(0xc014, "TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA"),
            Map.entry(0xc023, "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256"),
            Map.entry(0xc024, "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA384"),
            Map.entry(0xc027, "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256"),
            Map.entry(0xc028, "TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA384")));

    private OldHello() {}

    /**
     * Offers a version with weak suites.
     *
     * @param version the version on the wire
     * @return the weak suite that the server has chosen in this version, or null if it refuses
     * @throws IOException if the server cannot be reached
     */
    static @Nullable String accepted(InetSocketAddress address, String host, int version, int timeoutMs)
            throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(address, timeoutMs);
            socket.setSoTimeout(timeoutMs);
            socket.getOutputStream().write(record(host, version));
            socket.getOutputStream().flush();
            try {
                return answer(new DataInputStream(socket.getInputStream()), version);
            } catch (EOFException | SocketTimeoutException | java.net.SocketException refused) {
                return null;
            }
        }
    }

    private static @Nullable String answer(DataInputStream in, int version) throws IOException {
        int type = in.readUnsignedByte();
        in.readUnsignedShort();
        int length = in.readUnsignedShort();
        if (type == ALERT || type != HANDSHAKE || length > RECORD_MAX || length < RANDOM_BYTES + 10) {
            return null;
        }
        if (in.readUnsignedByte() != SERVER_HELLO) {
            return null;
        }
        in.skipNBytes(3);
        if (in.readUnsignedShort() != version) {
            return null;
        }
        in.skipNBytes(RANDOM_BYTES);
        in.skipNBytes(in.readUnsignedByte());
        int suite = in.readUnsignedShort();
        return WEAK.getOrDefault(suite, "0x%04x".formatted(suite));
    }

    private static byte[] record(String host, int version) throws IOException {
        byte[] hello = hello(host, version);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeByte(HANDSHAKE);
        out.writeShort(TLS_1_0);
        out.writeShort(hello.length + 4);
        out.writeByte(CLIENT_HELLO);
        out.writeByte(0);
        out.writeShort(hello.length);
        out.write(hello);
        return bytes.toByteArray();
    }

    private static byte[] hello(String host, int version) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeShort(version);
        out.write(new byte[RANDOM_BYTES]); // nothing secret follows
        out.writeByte(0);
        out.writeShort(2 * WEAK.size());
        for (int suite : WEAK.keySet()) {
            out.writeShort(suite);
        }
        out.writeByte(1);
        out.writeByte(0);
        byte[] extensions = extensions(host, version);
        out.writeShort(extensions.length);
        out.write(extensions);
        return bytes.toByteArray();
    }

    private static byte[] extensions(String host, int version) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        byte[] name = host.getBytes(StandardCharsets.US_ASCII);
        if (host.chars().anyMatch(Character::isLetter) && host.indexOf(':') < 0) { // server_name has no addresses
            out.writeShort(0);
            out.writeShort(name.length + 5);
            out.writeShort(name.length + 3);
            out.writeByte(0);
            out.writeShort(name.length);
            out.write(name);
        }
        shorts(out, 10, 0x001d, 0x0017, 0x0018); // supported_groups: x25519, secp256r1, secp384r1
        out.writeShort(11); // ec_point_formats: uncompressed
        out.writeShort(2);
        out.writeByte(1);
        out.writeByte(0);
        if (version == TLS_1_2) { // signature_algorithms
            shorts(out, 13, 0x0403, 0x0503, 0x0804, 0x0805, 0x0401, 0x0501, 0x0201);
        }
        return bytes.toByteArray();
    }

    private static void shorts(DataOutputStream out, int extension, int... values) throws IOException {
        out.writeShort(extension);
        out.writeShort(2 * values.length + 2);
        out.writeShort(2 * values.length);
        for (int value : values) {
            out.writeShort(value);
        }
    }
}
