export type Keys = Record<string, () => void>;

/** Calls the action of a key, unless the user is typing or a dialog is open. Enter on a link or a button is theirs. */
export function handle(event: KeyboardEvent, keys: Keys): void {
  const target = event.target as HTMLElement;
  const typing = target.matches('input:not([type=checkbox]), textarea, select') || document.querySelector('dialog[open]');
  const pressed = event.key === 'Enter' && target.matches('a, button, summary');
  const action = keys[event.key];
  if (action && !typing && !pressed && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    if ((event.key === 'j' || event.key === 'k') && target.matches('a, button, summary')) {
      target.blur(); // so that Enter opens the row
    }
    action();
  }
}
