// Tests with a real server, of the archive in JITNEY_HOME.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { after, before, test } from 'node:test';
import { Jitney } from '../src/index.js';

const skip = process.env.JITNEY_HOME ? false : 'JITNEY_HOME is not set';
let broker;

before(async () => {
  if (!skip) {
    // As in the cloud, expired messages leave a queue while a receiver is active. This server does not wait for one.
    broker = await Jitney.start({ args: ['--expiry-enforcement', 'BACKGROUND'] });
  }
});

after(async () => {
  await broker?.stop();
});

test('a namespace has its own entities, messages and key', { skip }, async () => {
  const one = await broker.namespace({ queues: ['orders'] });
  const other = await broker.namespace({ name: 'other', queues: ['orders'] });
  assert.notEqual(one.connectionString, other.connectionString);
  await one.send('orders', { body: 'a', subject: 'first' }, { body: 'b' });
  assert.deepEqual((await one.messages('orders')).map((message) => message.body), ['a', 'b']);
  assert.deepEqual(await other.messages('orders'), []);
  assert.equal(await one.reset(), 2);
  assert.deepEqual(await one.messages('orders'), []);
  await other.delete();
  await assert.rejects(other.messages('orders'), { name: 'JitneyError' });
  await one.delete();
});

test('the clock moves messages into the dead-letter queue, and the history tells it', { skip }, async () => {
  const namespace = await broker.namespace({
    queues: [{ name: 'orders', defaultMessageTimeToLive: 'PT1M', deadLetteringOnMessageExpiration: true }],
  });
  await namespace.send('orders', { messageId: 'm1', body: 'late' });
  const before = await broker.clock.now();
  const now = await broker.clock.advance({ minutes: 2 });
  assert.ok(now - before >= 120_000);
  const [letter] = await namespace.deadLetters('orders');
  assert.equal(letter.deadLetterReason, 'TTLExpiredException');
  assert.deepEqual(
    (await namespace.history('orders')).map((event) => event.event),
    ['enqueued', 'dead-lettered'],
  );
  await namespace.awaitIdle();
  await namespace.delete();
});

test('the time stands still and runs again', { skip }, async () => {
  const frozen = await broker.clock.freeze();
  assert.equal((await broker.clock.now()).getTime(), frozen.getTime());
  await broker.clock.run();
});

test('more messages than a page are all found', { skip }, async () => {
  const namespace = await broker.namespace({ queues: ['orders'] });
  for (let i = 0; i < 3; i++) {
    await namespace.send('orders', ...Array.from({ length: 100 }, (_, n) => ({ body: `${i * 100 + n}` })));
  }
  const found = await namespace.messages('orders');
  assert.equal(found.length, 300);
  assert.equal(found[299].body, '299');
  await namespace.delete();
});

test('a refusal names the field and the status', { skip }, async () => {
  await assert.rejects(broker.clock.speed(-1), { name: 'JitneyError', status: 400, message: /'speed'/ });
  await assert.rejects(broker.faults.loseLocks('nothing'), { status: 404 });
});

test('faults of a namespace and of a store begin and end', { skip }, async () => {
  const namespace = await broker.namespace({ queues: ['orders'] });
  await namespace.faults.throttle({ minutes: 1 });
  await namespace.faults.delay(5);
  await namespace.faults.clear();
  await broker.stores.stop();
  await assert.rejects(namespace.send('orders', { body: 'lost' }), { name: 'JitneyError' });
  await broker.stores.start();
  await namespace.send('orders', { body: 'kept' });
  await namespace.faults.disconnect();
  await namespace.delete();
});

test('a broker that cannot start says why', { skip }, async () => {
  await assert.rejects(Jitney.start({ args: ['--tier', 'GOLD'] }), /--tier: Expected one of BASIC, STANDARD, PREMIUM/);
  await assert.rejects(Jitney.start({ home: '/nothing' }), /Expected the folder of an unpacked Jitney archive/);
});

test('another process connects to the same broker, and a killed process takes its broker with it', { skip }, async () => {
  const child = spawn(process.execPath, [
    '--input-type=module',
    '--eval',
    `import { Jitney } from ${JSON.stringify(new URL('../src/index.js', import.meta.url).href)};
     const broker = await Jitney.start();
     console.log(broker.connectionString);
     setInterval(() => {}, 1000);`,
  ]);
  const text = await new Promise((resolve) => child.stdout.once('data', (data) => resolve(`${data}`.trim())));
  const connected = await Jitney.connect(text);
  assert.ok((await connected.clock.now()) instanceof Date);
  await connected.stop(); // does nothing, because another process has started it
  await connected.clock.now();

  child.kill('SIGKILL');
  const deadline = Date.now() + 20_000;
  for (let runs = true; runs; ) {
    assert.ok(Date.now() < deadline, 'the broker still runs');
    runs = await connected.clock.now().then(
      () => true,
      () => false,
    );
  }
});
