/**
 * Repeats an action until the returned function is called. Each repetition waits for the end of the one before. While the tab is hidden
 * there are none, and when it is shown again there is one at once.
 *
 * @param pause the time between two repetitions in milliseconds, or null to end
 */
export function poll(action: () => Promise<unknown>, pause: () => number | null): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let busy = false;
  let over = false;

  async function run() {
    clearTimeout(timer);
    if (busy || over || document.hidden) {
      return;
    }
    busy = true;
    await action();
    busy = false;
    const ms = pause();
    if (ms === null) {
      stop();
    } else if (!over) {
      timer = setTimeout(() => void run(), ms);
    }
  }

  function shown() {
    void run();
  }

  function stop() {
    over = true;
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', shown);
  }

  document.addEventListener('visibilitychange', shown);
  void run();
  return stop;
}
