package dev.jitney.paired;

/**
 * A listener for changes of a path's state. For each path, calls come one at a time and in order, on a thread that caused one of
 * the changes. No lock is held, so the listener may call the factory. A send or a timer waits until it returns, so it must be
 * fast.
 */
@FunctionalInterface
public interface PathStateListener {
    void stateChanged(PathStateChange change);
}
