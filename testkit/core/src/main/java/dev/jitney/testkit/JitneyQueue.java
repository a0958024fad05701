package dev.jitney.testkit;

import java.util.function.Consumer;

/** A queue of a namespace. It may be created later than this handle. Any thread may call the methods. */
public final class JitneyQueue extends ReceivableEntity {

    JitneyQueue(NamespaceAccess access, String name) {
        super(access, name, "queue '" + name + "'", null);
    }

    /** Sends a message with this text as its body and returns its message id. */
    public String send(String body) {
        return send(body, m -> {});
    }

    /** Sends a message with this text as its body and returns its message id. */
    public String send(String body, Consumer<? super OutgoingMessage> properties) {
        return MessageSending.send(access(), call("send()"), path(), OutgoingMessage.text(body), properties);
    }

    /** Sends a message with this body and returns its message id. */
    public String send(byte[] body) {
        return send(body, m -> {});
    }

    /** Sends a message with this body and returns its message id. */
    public String send(byte[] body, Consumer<? super OutgoingMessage> properties) {
        return MessageSending.send(access(), call("send()"), path(), OutgoingMessage.binary(body), properties);
    }
}
