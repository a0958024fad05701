package dev.jitney.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.NullMarked;

/** Small things that are easier kept than restored. */
@AnalyzeClasses(packages = Packages.ROOT, importOptions = Packages.MainCode.class)
final class HouseStyleTest {

    @ArchTest
    static final ArchRule nothingIsAnImpl = noClasses()
            .should()
            .haveSimpleNameEndingWith("Impl")
            .because("an interface with one implementation is a class, and one of many is named by how it works");

    /** A package that forgets its package-info is one in which null is not checked. */
    @ArchTest
    static void everyPackageSaysWhatItIsForAndIsNullMarked(JavaClasses classes) {
        Set<String> unmarked = new TreeSet<>();
        classes.forEach(type -> {
            JavaPackage place = type.getPackage();
            if (!place.isAnnotatedWith(NullMarked.class)) {
                unmarked.add(place.getName());
            }
        });
        assertThat(unmarked).as("packages without a @NullMarked package-info").isEmpty();
    }
}
