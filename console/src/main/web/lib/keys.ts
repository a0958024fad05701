export type Keys = Record<string, () => void>;

/** Calls the action of a key, unless the user is typing or a dialog is open. */
export function handle(event: KeyboardEvent, keys: Keys): void {
  const target = event.target as HTMLElement;
  const typing = target.matches('input:not([type=checkbox]), textarea, select') || document.querySelector('dialog[open]');
  const action = keys[event.key];
  if (action && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    action();
  }
}
