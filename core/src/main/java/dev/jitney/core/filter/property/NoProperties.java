package dev.jitney.core.filter.property;

import dev.jitney.core.filter.value.Value;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A message without any property. */
public enum NoProperties implements MessageProperties {
    INSTANCE;

    @Override
    public Value system(SystemProperty property) {
        return Value.NULL;
    }

    @Override
    public Value user(PropertyName name) {
        return Value.UNKNOWN;
    }

    @Override
    public @Nullable String userSpelling(PropertyName name) {
        return null;
    }

    @Override
    public int userCount() {
        return 0;
    }

    @Override
    public void forEachUserName(Consumer<PropertyName> names) {}
}
