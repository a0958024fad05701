import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { Http } from '../src/http.js';

test('a request waits longer than the broker', async (context) => {
  const broker = createServer((request, answer) => answer.end('{"idle":false,"reasons":["a message is locked"]}'));
  broker.listen(0, '127.0.0.1');
  await once(broker, 'listening');
  const timeout = context.mock.method(AbortSignal, 'timeout');
  try {
    const http = new Http(`127.0.0.1:${broker.address().port}`);
    await http.test('POST', 'idle', {});
    await http.test('POST', 'idle', {}, 120_000);
    assert.deepEqual(timeout.mock.calls.map((call) => call.arguments[0]), [60_000, 180_000]);
  } finally {
    broker.closeAllConnections();
    broker.close();
  }
});
