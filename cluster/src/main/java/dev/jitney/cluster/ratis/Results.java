package dev.jitney.cluster.ratis;

import dev.jitney.cluster.StoreReplica;
import java.io.IOException;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;

/** The effects of entries as replies of the state machine: one byte, which never leaves the process. */
final class Results {
    private static final StoreReplica.Result[] ALL = StoreReplica.Result.values();
    private static final Message[] MESSAGES = new Message[ALL.length];

    static {
        for (int i = 0; i < ALL.length; i++) {
            MESSAGES[i] = Message.valueOf(UnsafeByteOperations.unsafeWrap(new byte[] {(byte) i}));
        }
    }

    private Results() {}

    static Message message(StoreReplica.Result result) {
        return MESSAGES[result.ordinal()];
    }

    static StoreReplica.Result of(Message message) throws IOException {
        ByteString bytes = message.getContent();
        if (bytes.size() != 1 || bytes.byteAt(0) < 0 || bytes.byteAt(0) >= ALL.length) {
            throw new IOException("Expected the effect of an entry, but got " + bytes.size() + " bytes.");
        }
        return ALL[bytes.byteAt(0)];
    }
}
