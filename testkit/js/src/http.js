// Requests to the broker: the test mode without a token, the operator API with one.

import { createHmac } from 'node:crypto';

const TIMEOUT_MS = 60_000;
const TOKEN_SECONDS = 3_600;

/** A refusal of the broker. */
export class JitneyError extends Error {
  /**
   * @param {string} message the reason
   * @param {number} status the status of the answer
   * @param {string | undefined} field the field of the request that is wrong
   */
  constructor(message, status, field) {
    super(message);
    this.name = 'JitneyError';
    this.status = status;
    this.field = field;
  }
}

/** The address of a broker, as `host:port`. */
export class Http {
  /** @param {string} address */
  constructor(address) {
    this.address = address;
  }

  /**
   * Sends a request of the test mode.
   *
   * @param {number} waitMs the time in milliseconds for which the broker itself waits before it answers
   */
  test(method, path, body, waitMs = 0) {
    return this.#send(method, `/$test/${path}`, body, {}, waitMs);
  }

  /** Sends a request to the operator API of the namespace of a key. */
  operator(key, method, path, body) {
    return this.#send(method, `/$operator/v1/${path}`, body, { authorization: token(key) }, 0);
  }

  async #send(method, path, body, headers, waitMs) {
    if (body !== undefined) {
      headers['content-type'] = 'application/json';
    }
    let answer;
    let text;
    try {
      answer = await fetch(`http://${this.address}${path}`, {
        method,
        headers,
        body: body === undefined ? undefined : JSON.stringify(body),
        signal: AbortSignal.timeout(TIMEOUT_MS + waitMs),
      });
      text = await answer.text();
    } catch (cause) {
      throw new Error(`The broker at ${this.address} does not answer ${method} ${path}.`, { cause });
    }
    if (!answer.ok) {
      throw refusal(answer.status, method, path, text);
    }
    return text === '' ? undefined : JSON.parse(text);
  }
}

function refusal(status, method, path, text) {
  let error;
  try {
    error = JSON.parse(text).error;
  } catch {
    // The answer is not JSON. Its text is shown.
  }
  if (status === 404 && path.startsWith('/$test/') && error === undefined) {
    return new JitneyError('The broker has no test mode. Start it with: jitney server --test-mode', status);
  }
  const reason = error?.message ?? text.slice(0, 500);
  return new JitneyError(`${method} ${path}: ${status} ${reason}`, status, error?.field);
}

/** Makes a token of a key for an hour. Its time is that of this machine, which the clock of the broker does not move. */
function token({ keyName, key }) {
  const resource = encodeURIComponent('http://localhost/');
  const expiry = Math.floor(Date.now() / 1_000) + TOKEN_SECONDS;
  const signature = createHmac('sha256', key).update(`${resource}\n${expiry}`).digest('base64');
  return `SharedAccessSignature sr=${resource}&sig=${encodeURIComponent(signature)}&se=${expiry}&skn=${encodeURIComponent(keyName)}`;
}

/** Reads the address and the key of a connection string. */
export function parse(connectionString) {
  const parts = new Map();
  for (const part of connectionString.split(';')) {
    const at = part.indexOf('=');
    if (at > 0) {
      parts.set(part.slice(0, at).trim().toLowerCase(), part.slice(at + 1).trim());
    }
  }
  const endpoint = /^sb:\/\/([^/]+)\/?$/.exec(parts.get('endpoint') ?? '');
  const keyName = parts.get('sharedaccesskeyname');
  const key = parts.get('sharedaccesskey');
  if (endpoint === null || !keyName || !key) {
    throw new Error('Expected a connection string with Endpoint=sb://HOST:PORT, SharedAccessKeyName and SharedAccessKey.');
  }
  return { address: endpoint[1], keyName, key };
}

/** Writes the connection string for a key at an address. */
export function connectionString(address, keyName, key) {
  return `Endpoint=sb://${address};SharedAccessKeyName=${keyName};SharedAccessKey=${key};UseDevelopmentEmulator=true;`;
}
