package dev.jitney.runtime.rows;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.core.RowWriter.EntityRow;
import dev.jitney.model.EntityDescription;
import dev.jitney.model.property.EntityProperty;
import dev.jitney.model.property.EntityTable;
import dev.jitney.runtime.KeySeal;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("ENT-1: the property tables are complete, and rows keep all properties")
class EntityRowsTest {
    private static final Set<String> NAMES = Set.of("path", "topicPath", "name");

    static Stream<EntityDescription> descriptions() {
        return ChangedProperties.unset();
    }

    @ParameterizedTest
    @MethodSource("descriptions")
    @DisplayName(
            "Each component of a description except its names is one property with a place in rows and Atom entries")
    <D extends EntityDescription> void theTableIsComplete(D unset) throws ReflectiveOperationException {
        List<String> changed = new ArrayList<>();
        for (EntityProperty<D> property : EntityTable.of(unset).properties()) {
            D other = ChangedProperties.with(unset, property);
            List<String> components = differences(unset, other);
            assertThat(components).as(property.spec().name()).hasSize(1);
            changed.addAll(components);
        }
        List<String> all = Stream.of(unset.getClass().getRecordComponents())
                .map(RecordComponent::getName)
                .filter(name -> !NAMES.contains(name))
                .toList();
        assertThat(changed).containsExactlyInAnyOrderElementsOf(all);
        assertThat(EntityTable.of(unset).inRow()).hasSize(all.size());
        assertThat(EntityTable.of(unset).inAtom()).hasSize(all.size());
    }

    @ParameterizedTest
    @MethodSource("descriptions")
    @DisplayName("Every property is read back from a row, alone and together with all others")
    <D extends EntityDescription> void everyPropertyComesBack(D unset) throws Exception {
        D all = unset;
        for (EntityProperty<D> property : EntityTable.of(unset).properties()) {
            D other = ChangedProperties.with(unset, property);
            all = ChangedProperties.with(all, property);
            assertThat(reread(other)).as(property.spec().name()).isEqualTo(other);
        }
        assertThat(reread(all)).isEqualTo(all).isNotEqualTo(unset);
    }

    private static EntityDescription reread(EntityDescription description) throws Exception {
        EntityRow row = new EntityRow(42, "first", description, 1, 2);
        return EntityRows.read(42, EntityRows.write(row, KeySeal.NONE), KeySeal.NONE)
                .description();
    }

    private static List<String> differences(EntityDescription one, EntityDescription other)
            throws ReflectiveOperationException {
        List<String> names = new ArrayList<>();
        for (RecordComponent component : one.getClass().getRecordComponents()) {
            if (!Objects.equals(
                    component.getAccessor().invoke(one), component.getAccessor().invoke(other))) {
                names.add(component.getName());
            }
        }
        return names;
    }
}
