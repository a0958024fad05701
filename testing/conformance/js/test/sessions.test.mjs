import { test } from "node:test";
import assert from "node:assert/strict";
import { ServiceBusClient } from "@azure/service-bus";
import {
  admin,
  assertNone,
  connectionString,
  freshQueue,
  freshTopic,
  next,
  options,
  sharedClient,
  until,
} from "./support.mjs";

const shared = sharedClient();
const noRenewal = { maxAutoLockRenewalDurationInMs: 0 };

async function sessionQueue(properties = {}) {
  const queue = `${freshQueue()}-sessions`;
  await admin.createQueue(queue, { requiresSession: true, ...properties });
  return queue;
}

async function send(queue, sessionId, ...bodies) {
  const sender = shared.client.createSender(queue);
  for (const body of bodies) {
    await sender.sendMessages({ body, sessionId });
  }
}

test("SESS-4: a named session is granted without messages, with its lock's end, and only once", async () => {
  const queue = await sessionQueue();
  const holder = await shared.client.acceptSession(queue, "mine", noRenewal);
  assert.equal(holder.sessionId, "mine");
  const left = holder.sessionLockedUntilUtc.getTime() - Date.now();
  assert.ok(left > 20_000 && left <= 61_000, `a lock of a minute, not ${left} ms`);
  await assert.rejects(
    shared.client.acceptSession(queue, "mine", noRenewal),
    (e) => e.code === "SessionCannotBeLocked",
  );
  await holder.close();
  await (await shared.client.acceptSession(queue, "mine", noRenewal)).close();
});

test("SESS-5: the next session is the one whose message waits longest", async () => {
  const queue = await sessionQueue();
  await send(queue, "d", "d1"); // in the fragment of c (SESS-23)
  await send(queue, "c", "c1");
  const first = await shared.client.acceptNextSession(queue, noRenewal);
  const second = await shared.client.acceptNextSession(queue, noRenewal);
  assert.deepEqual([first.sessionId, second.sessionId], ["d", "c"]);
  assert.equal((await next(second)).body, "c1");
});

test("SESS-5: without a session the wait ends with ServiceTimeout, and the client continues", async () => {
  const queue = await sessionQueue();
  const client = new ServiceBusClient(connectionString, {
    ...options,
    retryOptions: { maxRetries: 0, timeoutInMs: 4_000 },
  });
  try {
    await assert.rejects(
      client.acceptNextSession(queue, noRenewal),
      (e) => e.code === "ServiceTimeout" || e.name === "AbortError" || /timed? ?out/i.test(e.message),
    );
    await send(queue, "s", "m");
    const holder = await client.acceptNextSession(queue, noRenewal);
    assert.equal((await next(holder)).body, "m");
  } finally {
    await client.close();
  }
});

test("SESS-5: a waiting client gets the next available session", async () => {
  const queue = await sessionQueue();
  const waiting = shared.client.acceptNextSession(queue, noRenewal);
  await send(queue, "late", "m");
  const holder = await waiting;
  assert.equal(holder.sessionId, "late");
  await holder.completeMessage(await next(holder));
  await assertNone(holder);
});

test("SESS-7, SESS-12: order is kept after abandon and close, and closing does not count", async () => {
  const queue = await sessionQueue();
  await send(queue, "s", "1", "2", "3");
  const holder = await shared.client.acceptSession(queue, "s", noRenewal);
  await holder.abandonMessage(await next(holder));
  const again = await holder.receiveMessages(3, { maxWaitTimeInMs: 60_000 });
  assert.deepEqual(
    again.map((m) => [m.body, m.deliveryCount]),
    [["1", 1]].concat(again.slice(1).map((m) => [m.body, 0])),
  );
  await holder.close();
  const other = await shared.client.acceptSession(queue, "s", noRenewal);
  for (const [body, count] of [
    ["1", 1],
    ["2", 0],
    ["3", 0],
  ]) {
    const message = await next(other);
    assert.equal(message.body, body);
    assert.equal(message.deliveryCount, count);
    await other.completeMessage(message);
  }
});

test("SESS-15: state is undefined, kept, seen by the next holder, and cleared", async () => {
  const queue = await sessionQueue();
  const holder = await shared.client.acceptSession(queue, "s", noRenewal);
  assert.equal((await holder.getSessionState()) ?? null, null);
  await holder.setSessionState({ step: 2 });
  await holder.close();
  const other = await shared.client.acceptSession(queue, "s", noRenewal);
  assert.deepEqual(await other.getSessionState(), { step: 2 });
  await other.setSessionState(null);
  assert.equal((await other.getSessionState()) ?? null, null);
});

test("SESS-9: the session's lock is renewed", async () => {
  const queue = await sessionQueue();
  const holder = await shared.client.acceptSession(queue, "s", noRenewal);
  const before = holder.sessionLockedUntilUtc.getTime();
  await until("a lock that ends later", async () => (await holder.renewSessionLock()).getTime() >= before + 900);
});

test("SESS-10, SESS-11: the lost lock ends the receiver, and delivered messages are counted", async () => {
  const queue = await sessionQueue({ lockDuration: "PT8S" });
  await send(queue, "s", "1", "2");
  const holder = await shared.client.acceptSession(queue, "s", noRenewal);
  const first = await next(holder);
  await until("the lock to end", () => holder.isClosed || Date.now() > holder.sessionLockedUntilUtc.getTime() + 1_000);
  await assert.rejects(holder.completeMessage(first), (e) => e.code === "SessionLockLost");
  const other = await shared.client.acceptSession(queue, "s", noRenewal);
  assert.equal((await next(other)).deliveryCount, 1);
  assert.equal((await next(other)).deliveryCount, 0);
});

test("SESS-14: a deferred message is received by number within its session", async () => {
  const queue = await sessionQueue();
  await send(queue, "s", "1", "2");
  const holder = await shared.client.acceptSession(queue, "s", noRenewal);
  const first = await next(holder);
  await holder.deferMessage(first);
  await holder.completeMessage(await next(holder));
  const [again] = await holder.receiveDeferredMessages(first.sequenceNumber);
  assert.equal(again.body, "1");
  await holder.completeMessage(again);
});

test("PEEK-5: a session receiver peeks its own session", async () => {
  const queue = await sessionQueue();
  await send(queue, "a", "a1");
  await send(queue, "b", "b1");
  const holder = await shared.client.acceptSession(queue, "b", noRenewal);
  assert.deepEqual(
    (await holder.peekMessages(10)).map((m) => m.body),
    ["b1"],
  );
});

test("SESS-20: subscribers of several sessions work in parallel", async () => {
  const queue = await sessionQueue();
  for (const session of ["a", "b", "c"]) {
    await send(queue, session, 1, 2, 3, 4);
  }
  const seen = { a: [], b: [], c: [] };
  const receivers = [];
  for (let i = 0; i < 3; i++) {
    const holder = await shared.client.acceptNextSession(queue);
    receivers.push(holder);
    holder.subscribe({
      processMessage: async (message) => {
        seen[message.sessionId].push(message.body);
      },
      processError: async (args) => {
        seen.error = args.error;
      },
    });
  }
  await until("all messages", () => Object.values(seen).flat().length === 12);
  assert.deepEqual(seen, { a: [1, 2, 3, 4], b: [1, 2, 3, 4], c: [1, 2, 3, 4] });
  await Promise.all(receivers.map((receiver) => receiver.close()));
});

test("DLQ-17, SESS-4: a subscription has sessions, and dead-letters messages without a session", async () => {
  const topic = await freshTopic();
  await admin.createSubscription(topic, "s", { requiresSession: true });
  await send(topic, "one", "m");
  await shared.client.createSender(topic).sendMessages({ body: "none" });
  const holder = await shared.client.acceptNextSession(topic, "s", noRenewal);
  assert.equal(holder.sessionId, "one");
  assert.equal((await next(holder)).body, "m");
  const dead = await next(shared.client.createReceiver(topic, "s", { subQueueType: "deadLetter" }));
  assert.equal(dead.body, "none");
  assert.match(dead.deadLetterReason, /session id is null/i);
});
