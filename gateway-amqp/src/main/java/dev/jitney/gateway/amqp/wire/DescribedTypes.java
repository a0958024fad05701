package dev.jitney.gateway.amqp.wire;

import java.lang.reflect.Field;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.qpid.protonj2.codec.CodecFactory;
import org.apache.qpid.protonj2.codec.Decoder;
import org.apache.qpid.protonj2.codec.decoders.ProtonDecoder;
import org.apache.qpid.protonj2.codec.decoders.UnknownDescribedTypeDecoder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tables of described types in the engine's decoders, fixed to the types that the engine knows.
 *
 * <p>The decoders of protonj2 1.1.0 belong to the whole process. They add every unknown descriptor that they decode to
 * a plain {@link HashMap} and never remove one. Peers could fill the heap with invented descriptors over any number of
 * connections. Event loops that add at the same time could lose standard types. Unknown types are legal in filters and
 * properties, so this class does not refuse them. It replaces each map by one that ignores them, and the engine then
 * makes a new decoder for each of their values. Afterwards the maps do not change, so any thread may read them.
 */
public final class DescribedTypes {
    private static final Logger LOG = LoggerFactory.getLogger(DescribedTypes.class);

    private DescribedTypes() {}

    /**
     * Fixes the tables of both decoders; does nothing if they are fixed already. Call it before event loops use the
     * engine. Any thread may call it.
     */
    public static synchronized void fix() {
        for (Decoder decoder : List.of(CodecFactory.getDecoder(), CodecFactory.getSaslDecoder())) {
            try {
                Field field = ProtonDecoder.class.getDeclaredField("describedTypeDecoders");
                field.setAccessible(true);
                if (field.get(decoder) instanceof Map<?, ?> types && !(types instanceof KnownTypes)) {
                    field.set(decoder, new KnownTypes(types));
                }
            } catch (ReflectiveOperationException | RuntimeException e) {
                LOG.warn("Cannot find the described types of a decoder of protonj2. Their number is not limited.", e);
            }
        }
    }

    /** A map that takes no unknown types. The engine does not use the result of {@code put}. */
    private static final class KnownTypes extends HashMap<Object, Object> {
        private static final long serialVersionUID = 1L;

        KnownTypes(Map<?, ?> types) {
            types.forEach(this::put);
        }

        @Override
        public @Nullable Object put(Object descriptor, Object decoder) {
            return decoder instanceof UnknownDescribedTypeDecoder ? null : super.put(descriptor, decoder);
        }
    }
}
