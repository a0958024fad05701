package dev.jitney.core.topic.state;

import dev.jitney.codec.AmqpReader;
import dev.jitney.codec.MessageFormatException;
import dev.jitney.codec.Sections;
import dev.jitney.core.filter.property.PropertyName;
import dev.jitney.model.MessageContent;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The sender's spellings of the names of application properties, and the size of each property with its value. */
final class SentProperties {
    private final Map<PropertyName, List<String>> spellings = new HashMap<>();
    private final Map<String, Integer> sizes = new HashMap<>();

    SentProperties(MessageContent content) {
        ByteBuffer section = content.applicationProperties();
        if (!section.hasRemaining()) {
            return;
        }
        try {
            read(new AmqpReader(section.array(), section.arrayOffset(), section.arrayOffset() + section.remaining()));
        } catch (MessageFormatException damaged) {
            throw new IllegalStateException("Expected readable properties: " + damaged.getMessage(), damaged);
        }
    }

    private void read(AmqpReader in) throws MessageFormatException {
        Sections.enter(in);
        int count = in.enterMap();
        for (int i = 0; i < count; i += 2) {
            int from = in.position();
            String name = in.readString();
            in.skipValue();
            if (sizes.merge(name, in.position() - from, Integer::sum) == in.position() - from) {
                spellings
                        .computeIfAbsent(new PropertyName(name), none -> new ArrayList<>(1))
                        .add(name);
            }
        }
    }

    /** Returns all names that are equal to this one without case. */
    List<String> spellings(String name) {
        return spellings.getOrDefault(new PropertyName(name), List.of());
    }

    /** Returns the bytes of the property with exactly this name; 0 if there is none. */
    int sizeBytes(String name) {
        return sizes.getOrDefault(name, 0);
    }
}
