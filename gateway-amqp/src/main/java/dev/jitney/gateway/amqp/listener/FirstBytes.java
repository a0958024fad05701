package dev.jitney.gateway.amqp.listener;

import dev.jitney.gateway.amqp.wire.Refusals;
import java.nio.charset.StandardCharsets;

/**
 * The first bytes that a client sends, and the protocol that they mean. Bytes may come one at a time: the answer is the
 * same however they are cut. Not thread-safe.
 */
/*
 * AMQP begins with "AMQP" (part 2, section 2.2), TLS with a handshake record of version 3.x (RFC 8446 section 5.1), HTTP
 * with a method, which is a token, and a space (RFC 9112 section 3), perhaps after empty lines (section 2.2).
 */
final class FirstBytes {

    /** What a client speaks. */
    enum Protocol {
        /** More bytes are needed. */
        UNDECIDED,
        AMQP,
        HTTP,
        TLS,
        /** None of them. */
        UNKNOWN
    }

    /** The longest registered method has 17 characters. */
    static final int METHOD_CHARACTERS_MAX = 32;

    private static final int TLS_MAJOR_VERSION = 3;
    private static final byte[] AMQP = "AMQP".getBytes(StandardCharsets.US_ASCII);
    private static final String TOKEN_MARKS = "!#$%&'*+-.^_`|~";

    private int count;
    private boolean amqp = true;
    private boolean tls;
    private Protocol protocol = Protocol.UNDECIDED;

    /** The protocol, as far as the bytes tell. */
    Protocol protocol() {
        return protocol;
    }

    /** Takes the next byte; returns the protocol, as far as the bytes tell. Once it is decided more bytes change nothing. */
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
