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

/** Small rules that are easier to keep than to restore. */
@AnalyzeClasses(packages = Packages.ROOT, importOptions = Packages.MainCode.class)
final class HouseStyleTest {

    @ArchTest
    static final ArchRule nothingIsAnImpl = noClasses()
            .should()
            .haveSimpleNameEndingWith("Impl")
            .because("an interface with one implementation is a class, and one of many is named by how it works");

    /** Every package needs a package-info with {@code @NullMarked}, because null is not checked without it. */
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
