import { test } from "node:test";
import assert from "node:assert/strict";
import { assertNone, freshQueue, next, sharedClient } from "./support.mjs";

const shared = sharedClient();

async function queueWith(...bodies) {
  const queue = freshQueue();
  await shared.client.createSender(queue).sendMessages(bodies.map((body) => ({ body })));
  return queue;
}

test("RECV-3: a receive with a very short wait returns the available messages, or none without an error", async () => {
  const queue = freshQueue();
  const receiver = shared.client.createReceiver(queue);
  assert.deepEqual(await receiver.receiveMessages(1, { maxWaitTimeInMs: 1 }), []);
  await shared.client.createSender(queue).sendMessages({ body: "there" });
  assert.equal((await next(receiver)).body, "there");
});

test("RECV-10: a receive of ten gets the three available ones", async () => {
  const queue = await queueWith("a", "b", "c");
  const receiver = shared.client.createReceiver(queue);
  const start = Date.now();
  const messages = await receiver.receiveMessages(10, { maxWaitTimeInMs: 100_000 });
  assert.deepEqual(
    messages.map((m) => m.body),
    ["a", "b", "c"],
  );
  assert.ok(Date.now() - start < 80_000);
});

test("RECV-1, STATE-6: peek-lock, abandon, complete", async () => {
  const queue = await queueWith("m");
  const receiver = shared.client.createReceiver(queue);
  const first = await next(receiver);
  assert.equal(first.deliveryCount, 0);
  assert.ok(first.lockedUntilUtc instanceof Date);
  await receiver.abandonMessage(first, { added: "later" });
  const second = await next(receiver);
  assert.equal(second.deliveryCount, 1);
  assert.equal(second.applicationProperties.added, "later");
  assert.notEqual(second.lockToken, first.lockToken);
  await receiver.completeMessage(second);
  await assertNone(receiver);
  assert.deepEqual(await receiver.peekMessages(10), []);
});

test("RECV-2: receive-and-delete removes at delivery and cannot settle", async () => {
  const queue = await queueWith("m");
  const receiver = shared.client.createReceiver(queue, { receiveMode: "receiveAndDelete" });
  const message = await next(receiver);
  await assert.rejects(receiver.completeMessage(message));
  assert.deepEqual(await receiver.peekMessages(10), []);
});

test("LOCK-5: a lock is renewed", async () => {
  const queue = await queueWith("m");
  const receiver = shared.client.createReceiver(queue);
  const message = await next(receiver);
  const until = message.lockedUntilUtc.getTime();
  const renewed = await receiver.renewMessageLock(message);
  assert.ok(renewed instanceof Date);
  assert.ok(renewed.getTime() >= until);
  await receiver.completeMessage(message);
});

test("STATE-8: of two settlements the second fails", async () => {
  const queue = await queueWith("m");
  const receiver = shared.client.createReceiver(queue);
  const message = await next(receiver);
  await receiver.completeMessage(message);
  await assert.rejects(receiver.completeMessage(message));
});

test("LOCK-3: a locked message is not delivered to another receiver", async () => {
  const queue = await queueWith("m");
  await next(shared.client.createReceiver(queue));
  await assertNone(shared.client.createReceiver(queue));
});

test("LOCK-9: messages of a closed receiver remain locked", async () => {
  const queue = await queueWith("m");
  const receiver = shared.client.createReceiver(queue);
  await next(receiver);
  await receiver.close();
  await assertNone(shared.client.createReceiver(queue));
});

test("A subscription handles messages concurrently and completes them", async () => {
  const queue = freshQueue();
  const count = 50;
  const bodies = Array.from({ length: count }, (_, i) => i);
  await shared.client.createSender(queue).sendMessages(bodies.map((body) => ({ body })));
  const receiver = shared.client.createReceiver(queue);
  const seen = [];
  let running = 0;
  let most = 0;
  let fourAtOnce;
  const four = new Promise((resolve) => (fourAtOnce = resolve));
  await new Promise((resolve, reject) => {
    receiver.subscribe(
      {
        processMessage: async (message) => {
          most = Math.max(most, ++running);
          if (running === 4) {
            fourAtOnce();
          }
          await four;
          seen.push(message.body);
          running--;
          if (seen.length === count) {
            resolve();
          }
        },
        processError: async (args) => reject(args.error),
      },
      { maxConcurrentCalls: 4 },
    );
  });
  await receiver.close();
  assert.deepEqual([...seen].sort((a, b) => a - b), bodies);
  assert.equal(most, 4);
  assert.deepEqual(await shared.client.createReceiver(queue).peekMessages(10), []);
});

test("The iterator of a receiver returns one message after the other", async () => {
  const queue = await queueWith("a", "b");
  const receiver = shared.client.createReceiver(queue);
  const seen = [];
  for await (const message of receiver.getMessageIterator()) {
    seen.push(message.body);
    await receiver.completeMessage(message);
    if (seen.length === 2) {
      break;
    }
  }
  assert.deepEqual(seen, ["a", "b"]);
});

test("LOCK-7: after the end of a lock the message is available with a higher count", async () => {
  const receiver = shared.client.createReceiver("js-short-lock", { maxAutoLockRenewalDurationInMs: 0 });
  await shared.client.createSender("js-short-lock").sendMessages({ body: "m" });
  const message = await next(receiver);
  const again = await next(shared.client.createReceiver("js-short-lock"));
  assert.equal(again.deliveryCount, 1);
  await assert.rejects(receiver.completeMessage(message), (e) => e.code === "MessageLockLost");
});
