package dev.jitney.paired.internal.message;

import com.azure.core.amqp.implementation.MessageSerializer;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import java.lang.reflect.Constructor;
import java.util.Arrays;
import org.apache.qpid.proton.amqp.messaging.Header;
import org.apache.qpid.proton.codec.WritableBuffer;
import org.apache.qpid.proton.message.Message;

/** The SDK's encoder and decoder of messages. */
final class Wire {
    private Wire() {}

    /** Returns a sent message as a receiver of the SDK would get it. */
    static ServiceBusReceivedMessage receive(ServiceBusMessage sent) {
        byte[] bytes = bytes(sent);
        Message message = Message.Factory.create();
        message.decode(bytes, 0, bytes.length);
        if (message.getHeader() == null) {
            // A broker adds a header when it delivers a message.
            message.setHeader(new Header());
        }
        return serializer().deserialize(message, ServiceBusReceivedMessage.class);
    }

    static byte[] bytes(ServiceBusMessage sent) {
        byte[] bytes = new byte[300_000];
        int length = serializer().serialize(sent).encode(WritableBuffer.ByteBufferWrapper.wrap(bytes));
        return Arrays.copyOf(bytes, length);
    }

    private static MessageSerializer serializer() {
        try {
            Constructor<?> maker = Class.forName("com.azure.messaging.servicebus.ServiceBusMessageSerializer")
                    .getDeclaredConstructor();
            maker.setAccessible(true);
            return (MessageSerializer) maker.newInstance();
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }
}
