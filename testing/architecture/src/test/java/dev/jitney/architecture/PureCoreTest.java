package dev.jitney.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.net.URLDecoder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.Timer;

/**
 * The core and its model are a pure function: the same records result in the same state, on any machine and at any
 * time.
 */
@AnalyzeClasses(
        packages = {"dev.jitney.model", "dev.jitney.codec", "dev.jitney.core"},
        importOptions = Packages.MainCode.class)
final class PureCoreTest {

    private static final DescribedPredicate<JavaClass> INPUT_OR_OUTPUT = resideInAnyPackage(
                    "java.io..", "java.nio.file..", "java.nio.channels..", "java.net..", "javax.net..", "java.sql..")
            // {@code URLDecoder} decodes %41 in an address: it is a text function in java.net.
            .and(not(belongToAnyOf(URLDecoder.class)))
            .as("do input or output");

    private static final DescribedPredicate<JavaClass> CONCURRENCY = resideInAnyPackage("java.util.concurrent..")
            .or(belongToAnyOf(Thread.class, ThreadGroup.class, ThreadLocal.class, Timer.class))
            .as("are about threads");

    private static final DescribedPredicate<JavaClass> LOGGERS = resideInAnyPackage(
                    "org.slf4j..", "ch.qos.logback..", "java.util.logging..")
            .or(belongToAnyOf(System.Logger.class))
            .as("are loggers");

    private static final DescribedPredicate<JavaClass> RANDOMNESS = resideInAnyPackage("java.util.random..")
            .or(belongToAnyOf(Random.class, SplittableRandom.class))
            // A digest is a function of bytes in the package of the random sources (PART-25).
            .or(resideInAnyPackage("java.security..")
                    .and(not(belongToAnyOf(MessageDigest.class, NoSuchAlgorithmException.class))))
            .as("are random sources");

    @ArchTest
    static final ArchRule modelCodecAndCoreStandOnTheJdkAlone = classes()
            .that()
            .resideOutsideOfPackage(Packages.FILTER)
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(Packages.MODEL, Packages.CODEC, Packages.CORE, "java..", "org.jspecify..")
            .because("every library in the core could change the meaning of an old record");

    /** The parser checks the text of a rule once, when the rule is created. Records contain the text (docs/adr/0009). */
    @ArchTest
    static final ArchRule filtersStandOnTheJdkAndTheirParserAlone = classes()
            .that()
            .resideInAPackage(Packages.FILTER)
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    Packages.MODEL, Packages.CODEC, Packages.CORE, "java..", "org.jspecify..", "org.antlr.v4.runtime..")
            .because("the grammar of filters needs a parser, and nothing else in the core needs a library");

    @ArchTest
    static final ArchRule noInputOrOutput = noClasses()
            .should()
            .dependOnClassesThat(INPUT_OR_OUTPUT)
            .because("rows are written and read through a port, so that the simulator can replace the disk");

    @ArchTest
    static final ArchRule noThreads = noClasses()
            .should()
            .dependOnClassesThat(CONCURRENCY)
            .because("one shard is one thread; a lock in the core would mean that another thread has access");

    @ArchTest
    static final ArchRule nothingIsSynchronized = noMethods()
            .should()
            .haveModifier(JavaModifier.SYNCHRONIZED)
            .because("one shard is one thread; a lock in the core would mean that another thread has access");

    @ArchTest
    static final ArchRule noLoggers = noClasses()
            .should()
            .dependOnClassesThat(LOGGERS)
            .because("a decision is a value; a log message is written once, where the result is handled");

    @ArchTest
    static final ArchRule noRandomness = noClasses()
            .should()
            .dependOnClassesThat(RANDOMNESS)
            .orShould()
            .accessTargetWhere(Calls.to(Math.class, "random"))
            .orShould()
            .accessTargetWhere(Calls.to(java.util.UUID.class, "randomUUID"))
            .because("lock tokens are part of the command, so that a run can be repeated from its seed");

    @ArchTest
    static final ArchRule noClocks = noClasses()
            .should()
            .dependOnClassesThat(belongToAnyOf(java.time.Clock.class).as("are clocks"))
            .orShould()
            .accessTargetWhere(Calls.THAT_READ_A_CLOCK)
            .because("time is an argument: a decision made twice with the same now is the same decision");

    @ArchTest
    static final ArchRule noConsole = noClasses()
            .should()
            .accessTargetWhere(Calls.to(System.class, "out", "err", "in", "getenv", "getProperty", "exit"))
            .because("settings are values, and the core communicates only with its shard");
}
