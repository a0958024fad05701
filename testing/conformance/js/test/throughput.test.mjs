import { test } from "node:test";
import assert from "node:assert/strict";
import { freshQueue, next, sharedClient } from "./support.mjs";

const shared = sharedClient();

test("Messages of 200 KB arrive unchanged", async () => {
  const queue = freshQueue();
  const sender = shared.client.createSender(queue);
  const receiver = shared.client.createReceiver(queue);
  for (let i = 0; i < 10; i++) {
    const body = Buffer.alloc(200 * 1024 + i, i);
    await sender.sendMessages({ body });
    const message = await next(receiver);
    assert.equal(Buffer.compare(Buffer.from(message.body), body), 0);
    await receiver.completeMessage(message);
  }
});

test("1,000 messages are sent and received, each once", async () => {
  const queue = freshQueue();
  const total = 1_000;
  const sender = shared.client.createSender(queue);
  for (let from = 0; from < total; from += 100) {
    await sender.sendMessages(Array.from({ length: 100 }, (_, i) => ({ body: from + i })));
  }
  const bodies = [];
  await new Promise((resolve, reject) => {
    const receiver = shared.client.createReceiver(queue);
    receiver.subscribe(
      {
        processMessage: async (message) => {
          bodies.push(message.body);
          if (bodies.length === total) {
            resolve();
          }
        },
        processError: async ({ error }) => reject(error),
      },
      { maxConcurrentCalls: 20 },
    );
  });
  assert.deepEqual(
    bodies.toSorted((a, b) => a - b),
    Array.from({ length: total }, (_, i) => i),
  );
});
