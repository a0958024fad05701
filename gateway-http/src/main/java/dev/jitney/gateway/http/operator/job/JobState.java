package dev.jitney.gateway.http.operator.job;

import java.util.Locale;

/** The state of a job. */
enum JobState {
    /** It waits until fewer other jobs run. */
    WAITING,
    /** It counts its messages. */
    COUNTING,
    /** It has counted its messages as a dry run, and waits until an operator resumes it. */
    READY,
    /** It changes messages. */
    RUNNING,
    /** It has changed the messages of the canary, and waits before it looks for them in the dead-letter queue. */
    CANARY,
    /** An operator or the job itself has paused it. It can be resumed. */
    PAUSED,
    /** It has come to the end of its messages. */
    DONE,
    /** An operator has canceled it. */
    CANCELED,
    /** It cannot continue, for example because its entity was deleted. */
    FAILED;

    /** Returns whether the job will never change a message again. */
    boolean isEnd() {
        return this == DONE || this == CANCELED || this == FAILED;
    }

    /** Returns whether the job has one of the places of running jobs, or waits for one. */
    boolean isActive() {
        return this == WAITING || this == COUNTING || this == RUNNING || this == CANARY;
    }

    /** Returns the name in the API. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    static JobState of(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT));
    }
}
