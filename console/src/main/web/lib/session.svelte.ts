import { onLoggedOut, request } from './api';
import type { Role, SessionInfo } from './types';

const URL = '/console/session';

/** Set when the user has logged out on purpose, so that the public key does not log in again at once. */
const LOGGED_OUT = 'jitney-logged-out';

/** The place in the console to which the user returns from the identity provider. It stays in the browser, because it may have a filter. */
const PLACE = 'jitney-place';

const ROLES: Role[] = ['viewer', 'reader', 'operator', 'admin'];

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
    if (first && info.loggedIn) {
      comeBack();
    }
  } catch (failure) {
    session.failure = String((failure as Error).message);
  }
  session.known = true;
}

export async function logIn(body: Record<string, unknown>): Promise<void> {
  session.info = await request<SessionInfo>('POST', URL, body);
  sessionStorage.removeItem(LOGGED_OUT);
}

/** Opens the page where the user was before the login with the identity provider. */
function comeBack() {
  const place = sessionStorage.getItem(PLACE);
  sessionStorage.removeItem(PLACE);
  if (place?.startsWith('#/') && (location.hash === '' || location.hash.startsWith('#/login'))) {
    location.replace(place);
  } else if (location.hash.startsWith('#/login')) {
    location.replace('#/');
  }
}

/** Goes to the identity provider, which sends the browser back with a session. */
export function logInWithProvider() {
  sessionStorage.setItem(PLACE, location.hash.startsWith('#/login') ? '#/' : location.hash);
  sessionStorage.removeItem(LOGGED_OUT);
  location.assign('/console/login/oidc');
}

export async function logOut(): Promise<void> {
  const info = await request<SessionInfo>('DELETE', URL);
  sessionStorage.setItem(LOGGED_OUT, 'true');
  if (info.endOfSession && /^https?:/.test(info.endOfSession)) {
    location.assign(info.endOfSession);
  } else {
    session.info = info;
  }
}

/** Returns whether the session is that of a user of the identity provider, and not of a key. */
export function isUser(): boolean {
  return session.info?.keyName?.startsWith('oidc:') ?? false;
}

/** Returns whether the session has a role or a higher one, or all of some rights. The server checks both again. */
export function allows(role: Role, ...rights: string[]): boolean {
  const own = session.info?.role;
  return (own !== undefined && ROLES.indexOf(own) >= ROLES.indexOf(role)) || (rights.length > 0 && may(...rights));
}

export function may(...rights: string[]): boolean {
  return rights.every((right) => session.info?.rights?.includes(right) ?? false);
}
