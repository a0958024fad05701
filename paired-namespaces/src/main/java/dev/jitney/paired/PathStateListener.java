package dev.jitney.paired;

/**
 * Is told of every change of a path's state, in order for each path. Called on the thread that caused the change, while
 * others wait for that path: return soon, and do not wait for another thread.
 */
@FunctionalInterface
public interface PathStateListener {
    void stateChanged(PathStateChange change);
}
