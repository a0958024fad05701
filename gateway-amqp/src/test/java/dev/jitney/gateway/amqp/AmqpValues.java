package dev.jitney.gateway.amqp;

import dev.jitney.testing.amqp.Node;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** AMQP values of a frame as Java values that tests can compare. */
final class AmqpValues {

    /** A described value with the constructor bytes of its encoding. */
    record Described(long code, boolean oneByteDescriptor, int constructor, Object value) {
        @SuppressWarnings("unchecked")
        List<Object> fields() {
            return (List<Object>) value;
        }
    }

    record Symbol(String text) {}

    private AmqpValues() {}

    static Object read(ByteBuffer in) {
        return of(Node.read(in));
    }

    static Object of(Node node) {
        if (node.isDescribed()) {
            long code = node.descriptor().value() instanceof Long number ? number : -1;
            Node value = node.described();
            return new Described(code, node.descriptor().code() == 0x53, value.code(), of(value));
        } else if (node.isMap()) {
            Map<Object, Object> map = new LinkedHashMap<>();
            for (int i = 0; i < node.items().size(); i += 2) {
                map.put(of(node.items().get(i)), of(node.items().get(i + 1)));
            }
            return map;
        } else if (node.isList() || node.isArray()) {
            List<Object> list = new ArrayList<>();
            node.items().forEach(item -> list.add(of(item)));
            return list;
        }
        return node.isSymbol() ? new Symbol(node.text()) : node.value();
    }
}
