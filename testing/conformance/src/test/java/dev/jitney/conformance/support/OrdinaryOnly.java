package dev.jitney.conformance.support;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * Marks a test that a {@link PartitionedRun} skips, because partitioned entities differ there by a rule. There are no
 * other exceptions.
 */
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(OrdinaryOnly.Condition.class)
public @interface OrdinaryOnly {
    /** Returns the rule that says so, with its id. */
    String value();

    /** The condition of the annotation. */
    final class Condition implements ExecutionCondition {
        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            return AnnotationSupport.findAnnotation(context.getElement(), OrdinaryOnly.class)
                    .filter(annotation -> PartitionedRun.ASKED)
                    .map(annotation -> ConditionEvaluationResult.disabled(annotation.value()))
                    .orElseGet(() -> ConditionEvaluationResult.enabled("It holds for these entities, too."));
        }
    }
}
