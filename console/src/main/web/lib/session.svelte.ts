import { onLoggedOut, request } from './api';
import type { SessionInfo } from './types';

const URL = '/console/session';

/** Set when the user has logged out on purpose, so that the public key does not log in again at once. */
const LOGGED_OUT = 'jitney-logged-out';

export const session = $state<{ known: boolean; info: SessionInfo | null; failure: string }>({ known: false, info: null, failure: '' });

onLoggedOut(() => void refresh(false));

/** Asks the server for the session. With the public key of development there is one without a login. */
export async function refresh(first: boolean): Promise<void> {
  try {
    let info = await request<SessionInfo>('GET', URL);
    if (first && !info.loggedIn && info.publicKey && !sessionStorage.getItem(LOGGED_OUT)) {
      info = await request<SessionInfo>('POST', URL, { publicKey: true });
    }
    session.info = info;
    session.failure = '';
  } catch (failure) {
    session.failure = String((failure as Error).message);
  }
  session.known = true;
}

export async function logIn(body: Record<string, unknown>): Promise<void> {
  session.info = await request<SessionInfo>('POST', URL, body);
  sessionStorage.removeItem(LOGGED_OUT);
}

export async function logOut(): Promise<void> {
  session.info = await request<SessionInfo>('DELETE', URL);
  sessionStorage.setItem(LOGGED_OUT, 'true');
}

export function may(...rights: string[]): boolean {
  return rights.every((right) => session.info?.rights?.includes(right) ?? false);
}
