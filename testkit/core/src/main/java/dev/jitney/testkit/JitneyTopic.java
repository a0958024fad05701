package dev.jitney.testkit;

import java.util.List;
import java.util.function.Consumer;

/** A topic of a namespace. It may be created later than this handle. Any thread may call the methods. */
public final class JitneyTopic {
    private final NamespaceAccess access;
    private final String name;

    JitneyTopic(NamespaceAccess access, String name) {
        this.access = access;
        this.name = name;
    }

    /** Returns the path of the topic in its namespace. */
    public String path() {
        return name;
    }

    /** Returns a subscription of this topic. */
    public JitneySubscription subscription(String subscription) {
        return new JitneySubscription(access, name, subscription);
    }

    /** Sends a message with this text as its body and returns its message id. */
    public String send(String body) {
        return send(body, m -> {});
    }

    /** Sends a message with this text as its body and returns its message id. */
    public String send(String body, Consumer<? super OutgoingMessage> properties) {
        return MessageSending.send(access, call("send()"), name, OutgoingMessage.text(body), properties);
    }

    /** Sends a message with this body and returns its message id. */
    public String send(byte[] body) {
        return send(body, m -> {});
    }

    /** Sends a message with this body and returns its message id. */
    public String send(byte[] body, Consumer<? super OutgoingMessage> properties) {
        return MessageSending.send(access, call("send()"), name, OutgoingMessage.binary(body), properties);
    }

    /** Returns the scheduled messages, which no subscription has yet, at most the first {@value MessageReader#MESSAGES_MAX}. */
    public List<StoredMessage> scheduled() {
        return new MessageReader(access, call("scheduled()"), name).messages("scheduled");
    }

    /** Returns the numbers of messages by state. Only scheduled messages are in the topic itself. */
    public MessageCounts counts() {
        return new MessageReader(access, call("counts()"), name).counts();
    }

    /** Returns the last events of this topic, the oldest first. */
    public List<HistoryEvent> history() {
        return access.history(call("history()"), name).events();
    }

    private String call(String method) {
        return "topic '" + name + "': " + method;
    }

    @Override
    public String toString() {
        return "Topic '" + name + "'";
    }
}
