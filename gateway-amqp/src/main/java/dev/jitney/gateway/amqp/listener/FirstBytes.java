package dev.jitney.gateway.amqp.listener;

import dev.jitney.gateway.amqp.wire.Refusals;
import java.nio.charset.StandardCharsets;

/**
 * The first bytes that a client sends, and the protocol that they identify. Bytes may arrive one at a time; the result
 * does not depend on how they are split. Not thread-safe.
 */
/*
 * AMQP begins with "AMQP" (part 2, section 2.2). TLS begins with a handshake record of version 3.x (RFC 8446 section
 * 5.1). HTTP begins with a method, which is a token, and a space (RFC 9112 section 3), perhaps after empty lines
 * (section 2.2).
 */
final class FirstBytes {

    /** The protocol of a client. */
    enum Protocol {
        /** More bytes are needed. */
        UNDECIDED,
        AMQP,
        HTTP,
        TLS,
        /** No known protocol. */
        UNKNOWN
    }

    /** The limit for the length of a method. The longest registered method has 17 characters. */
    static final int METHOD_CHARACTERS_MAX = 32;

    private static final int TLS_MAJOR_VERSION = 3;
    private static final byte[] AMQP = "AMQP".getBytes(StandardCharsets.US_ASCII);
    private static final String TOKEN_MARKS = "!#$%&'*+-.^_`|~";

    private int count;
    private boolean amqp = true;
    private boolean tls;
    private Protocol protocol = Protocol.UNDECIDED;

    /** Returns the protocol, as far as the bytes identify it. */
    Protocol protocol() {
        return protocol;
    }

    /**
     * Takes the next byte and returns the protocol, as far as the bytes identify it. Further bytes do not change a
     * decided protocol.
     */
    Protocol next(byte b) {
        if (protocol == Protocol.UNDECIDED) {
            protocol = judge(b);
            count++;
        }
        return protocol;
    }

    private Protocol judge(byte b) {
        if (tls) {
            return b == TLS_MAJOR_VERSION ? Protocol.TLS : Protocol.UNKNOWN;
        }
        if (count == 0) {
            if (Refusals.beginsTls(b)) {
                tls = true;
                return Protocol.UNDECIDED;
            }
            if (b == '\r' || b == '\n') {
                return Protocol.HTTP;
            }
        }
        if (amqp) {
            amqp = count < AMQP.length && b == AMQP[count];
            if (amqp && count == AMQP.length - 1) {
                return Protocol.AMQP;
            }
        }
        if (b == ' ' && count > 0) {
            return Protocol.HTTP;
        }
        return isTokenCharacter(b) && count < METHOD_CHARACTERS_MAX ? Protocol.UNDECIDED : Protocol.UNKNOWN;
    }

    private static boolean isTokenCharacter(byte b) {
        return b >= 'A' && b <= 'Z' || b >= 'a' && b <= 'z' || b >= '0' && b <= '9' || TOKEN_MARKS.indexOf(b) >= 0;
    }
}
