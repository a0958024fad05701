// The server as a child process.

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const START_MS = 60_000;
const STOP_MS = 10_000;
const SHOWN_LINES = 20;

/** Starts a server, and returns when it is ready. */
export async function startServer({ home = process.env.JITNEY_HOME, config, args = [], env = {}, startTimeout = START_MS } = {}) {
  const command = launcher(home);
  const options = ['server', '--test-mode', '--in-memory', '--exit-with-input', '--port', '0', ...args];
  if (config !== undefined) {
    options.push('--config', config);
  }
  // The input is a pipe. The system closes it when this process ends, even if it is killed, and then the server stops.
  const windows = process.platform === 'win32';
  // The launcher of Windows is a batch file, which needs a shell and quotes.
  const child = spawn(command, windows ? options.map((option) => (/\s/.test(option) ? `"${option}"` : option)) : options, {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...withoutSettings(process.env), ...env },
    shell: windows,
    windowsHide: true,
  });
  child.stdin.on('error', () => {}); // the server has ended
  const server = new Server(child);
  try {
    await server.ready(startTimeout);
  } catch (e) {
    await server.stop();
    throw e;
  }
  return server;
}

/** The settings of the test are its options, and not the variables of another server on this machine. */
function withoutSettings(variables) {
  return Object.fromEntries(
    Object.entries(variables).filter(
      ([name]) => !name.startsWith('JITNEY_') || name === 'JITNEY_CACHE_DIR' || name === 'JITNEY_JAVA_OPTS',
    ),
  );
}

function launcher(home) {
  const name = process.platform === 'win32' ? 'jitney.bat' : 'jitney';
  if (home !== undefined && home !== '') {
    // An archive has the launcher in bin, the source tree has it at the top.
    const file = [join(home, 'bin', name), join(home, name)].find((candidate) => existsSync(candidate));
    if (file === undefined) {
      throw new Error(`Expected the folder of an unpacked Jitney archive in JITNEY_HOME, but ${join(home, 'bin', name)} is missing.`);
    }
    return process.platform === 'win32' ? `"${file}"` : file;
  }
  if ((process.env.PATH ?? '').split(delimiter).some((folder) => folder !== '' && existsSync(join(folder, name)))) {
    return name;
  }
  throw new Error('Expected Jitney: unpack its archive, and set JITNEY_HOME to that folder, or add its folder bin to PATH.');
}

class Server {
  #child;
  #lines = [];
  #ended;
  #endWithProcess = () => this.#child.kill();

  constructor(child) {
    this.#child = child;
    this.#ended = new Promise((resolve) => {
      child.once('exit', (code, signal) => resolve(`It has ended with ${signal ?? `status ${code}`}.`));
      child.once('error', (e) => resolve(`It cannot be started: ${e.message}.`));
    });
    process.once('exit', this.#endWithProcess);
    void this.#ended.then(() => process.off('exit', this.#endWithProcess));
  }

  async ready(timeoutMs) {
    let timer;
    const found = new Promise((resolve) => {
      const look = (line) => {
        this.#lines.push(line);
        this.#lines.splice(0, this.#lines.length - SHOWN_LINES);
        if (line.startsWith('Endpoint=')) {
          resolve(line);
        }
      };
      eachLine(this.#child.stdout, look);
      eachLine(this.#child.stderr, look);
    });
    const late = new Promise((resolve) => {
      timer = setTimeout(resolve, timeoutMs);
    });
    const first = await Promise.race([
      found.then((line) => ({ line })),
      this.#ended.then((reason) => ({ reason })),
      late.then(() => ({ reason: `It is not ready after ${timeoutMs} ms.` })),
    ]);
    clearTimeout(timer);
    if (first.line === undefined) {
      throw new Error(`The Jitney server does not work. ${first.reason} Its output:\n${this.#lines.join('\n')}`);
    }
    this.connectionString = first.line;
    // A test runner may end while the server runs.
    for (const part of [this.#child, this.#child.stdin, this.#child.stdout, this.#child.stderr]) {
      part.unref();
    }
  }

  async stop() {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null || this.#child.pid === undefined) {
      return;
    }
    this.#child.ref();
    this.#child.stdin.end();
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), STOP_MS);
    await this.#ended;
    clearTimeout(timer);
  }
}

/** Calls an action for each line. Reads to the end, so that the server never waits for a full pipe. */
function eachLine(stream, action) {
  let rest = '';
  stream.setEncoding('utf8');
  stream.on('data', (text) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop().slice(-10_000);
    lines.forEach(action);
  });
  stream.on('error', () => {});
}
