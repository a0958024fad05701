package dev.jitney.spring;

import dev.jitney.testkit.Jitney;
import org.springframework.context.ApplicationContext;
import org.springframework.test.context.TestContext;
import org.springframework.test.context.TestContextAnnotationUtils;
import org.springframework.test.context.support.AbstractTestExecutionListener;

/** The listener that empties the namespace after each test. */
class JitneyTestExecutionListener extends AbstractTestExecutionListener {
    @Override
    public void afterTestMethod(TestContext test) {
        AutoConfigureJitney settings =
                TestContextAnnotationUtils.findMergedAnnotation(test.getTestClass(), AutoConfigureJitney.class);
        if (settings != null && settings.resetAfterEachTest() && test.hasApplicationContext()) {
            ApplicationContext context = test.getApplicationContext();
            Jitney jitney = context.getBean(Jitney.class);
            jitney.faults().clear();
            jitney.reset();
        }
    }
}
