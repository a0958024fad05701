const KEY = 'jitney-theme';

/** Applies the theme that the user has chosen. Without a choice the page follows the system. */
export function restoreTheme(): void {
  const chosen = localStorage.getItem(KEY);
  if (chosen === 'light' || chosen === 'dark') {
    document.documentElement.dataset.theme = chosen;
  }
}

export function switchTheme(): void {
  const now = document.documentElement.dataset.theme ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
  const next = now === 'dark' ? 'light' : 'dark';
  document.documentElement.dataset.theme = next;
  localStorage.setItem(KEY, next);
}
