package dev.jitney.architecture;

import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.targetOwner;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaConstructorCall;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import dev.jitney.runtime.Clock;
import java.util.Timer;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Rules about reading clocks and starting threads. */
@AnalyzeClasses(packages = Packages.ROOT, importOptions = Packages.MainCode.class)
final class TimeAndThreadsTest {

    /**
     * The edges that may measure durations. No decision about a message depends on the result. They measure for a
     * metric, a log message, a timeout for a peer, or the pace of commits.
     */
    private static final String[] MEASURE_DURATIONS = {
        Packages.RUNTIME,
        Packages.STORE,
        Packages.CLUSTER,
        Packages.GATEWAY_AMQP,
        Packages.GATEWAY_HTTP,
        Packages.SERVER,
        Packages.CLI,
        Packages.SIMULATION,
        Packages.TESTKIT
    };

    private static final String[] HAVE_THREADS = {
        Packages.RUNTIME,
        Packages.STORE,
        Packages.CLUSTER,
        Packages.GATEWAY_AMQP,
        Packages.GATEWAY_HTTP,
        Packages.SERVER,
        Packages.CLI,
        Packages.PAIRED,
        Packages.TESTKIT
    };

    private static final DescribedPredicate<JavaAccess<?>> START_THREADS = targetOwner(belongToAnyOf(Executors.class))
            .or(new DescribedPredicate<>("construct a thread or a pool") {
                @Override
                public boolean test(JavaAccess<?> access) {
                    return access instanceof JavaConstructorCall
                            && assignableTo(Thread.class)
                                    .or(assignableTo(ExecutorService.class))
                                    .or(assignableTo(Timer.class))
                                    .test(access.getTargetOwner());
                }
            })
            .as("start threads");

    @ArchTest
    static final ArchRule onlyTheClockTellsTheTime = noClasses()
            .that()
            .areNotAssignableTo(Clock.class)
            .and()
            // Clients, which have their own time: the command line decides when to schedule a message (docs/adr/0008),
            // and the library for paired namespaces has a clock that tests replace.
            .resideOutsideOfPackage(Packages.CLI)
            .and()
            .doNotHaveFullyQualifiedName("dev.jitney.paired.SystemClock")
            .and()
            // The expiry of a token in security time, which the clock of the test kit does not move.
            .doNotHaveFullyQualifiedName("dev.jitney.testkit.SasToken")
            .should()
            .accessTargetWhere(Calls.THAT_TELL_THE_TIME)
            .because("there is one source of time (MSG-11), and tests replace it");

    /** {@code System::currentTimeMillis} in the clock is a method reference, which a check can easily miss. */
    @ArchTest
    static void theRuleOnTimeSeesTheClockItself(JavaClasses classes) {
        ArchRule withoutException = noClasses().should().accessTargetWhere(Calls.THAT_TELL_THE_TIME);

        assertThat(withoutException.evaluate(classes).getFailureReport().getDetails())
                .anySatisfy(violation -> assertThat(violation).contains(Clock.class.getName()));
    }

    @ArchTest
    static final ArchRule onlyEdgesMeasureDurations = noClasses()
            .that()
            .resideOutsideOfPackages(MEASURE_DURATIONS)
            .should()
            .accessTargetWhere(Calls.THAT_MEASURE_DURATIONS)
            .because("time is an argument of every decision; only an edge has a reason to measure durations");

    @ArchTest
    static final ArchRule onlyTheRuntimeAndTheEdgesStartThreads = noClasses()
            .that()
            .resideOutsideOfPackages(HAVE_THREADS)
            .should()
            .accessTargetWhere(START_THREADS)
            .because("code that starts a thread must stop it, and only these classes have a life cycle");

    @ArchTest
    static final ArchRule nobodySleeps = noClasses()
            .should()
            .accessTargetWhere(Calls.to(Thread.class, "sleep"))
            .because("a sleeping thread cannot be stopped, and slows down tests; wait for the condition itself");
}
