package dev.jitney.paired;

/**
 * Is told of every change of a path's state: one at a time and in order for each path, on a thread that has caused one of
 * them. No lock is held meanwhile, so it may call the factory; but a send or a timer waits until it returns, so do that
 * soon.
 */
@FunctionalInterface
public interface PathStateListener {
    void stateChanged(PathStateChange change);
}
