package dev.jitney.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.equivalentTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import dev.jitney.core.RowWriter;

/**
 * Rules that separate decisions from changes. A decision reads state and returns records; only applying a record
 * writes. Deciders are in packages that see views and values, and state is in packages that deciders do not see.
 */
@AnalyzeClasses(packages = "dev.jitney.core", importOptions = Packages.MainCode.class)
final class DecidingCannotWriteTest {
    private static final String[] STATE = {"dev.jitney.core..state.."};
    private static final String[] DECIDE = {
        "dev.jitney.core..decide..", "dev.jitney.core.duplicate", "dev.jitney.core.idle"
    };

    private static final DescribedPredicate<JavaClass> NAMED_AS_DECIDER =
            new DescribedPredicate<>("are named as deciders") {
                @Override
                public boolean test(JavaClass one) {
                    return one.getSimpleName().endsWith("Decider")
                            || one.getSimpleName().endsWith("Decisions");
                }
            };

    @ArchTest
    static final ArchRule decidersSeeNoState = noClasses()
            .that()
            .resideInAnyPackage(DECIDE)
            .should()
            .dependOnClassesThat(resideInAnyPackage(STATE))
            .because("a decision that cannot see state cannot change it");

    @ArchTest
    static final ArchRule decidersWriteNoRows = noClasses()
            .that()
            .resideInAnyPackage(DECIDE)
            .should()
            .dependOnClassesThat(equivalentTo(RowWriter.class))
            .because("rows are written when records are applied, both live and during replay");

    @ArchTest
    static final ArchRule viewsKnowNeitherStateNorDeciders = noClasses()
            .that(resideInAPackage("dev.jitney.core..")
                    .and(not(resideInAnyPackage(DECIDE)))
                    .and(not(resideInAnyPackage(STATE))))
            .should()
            .dependOnClassesThat(resideInAnyPackage("dev.jitney.core..state..", "dev.jitney.core..decide.."))
            .because("shared code is read-only");

    @ArchTest
    static final ArchRule stateJudgesNothing = noClasses()
            .that()
            .resideInAnyPackage(STATE)
            .should()
            .dependOnClassesThat(NAMED_AS_DECIDER)
            .because("the effect of an old record never changes, even if the rules do");

    @ArchTest
    static final ArchRule decidersAreWhereNoStateIsSeen = classes()
            .that(NAMED_AS_DECIDER)
            .should()
            .resideInAnyPackage(DECIDE)
            .because("the rules above would not find a decider elsewhere");
}
