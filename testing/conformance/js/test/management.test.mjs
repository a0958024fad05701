import { test } from "node:test";
import assert from "node:assert/strict";
import { assertNone, freshQueue, next, sharedClient } from "./support.mjs";

const shared = sharedClient();

function inSeconds(seconds) {
  return new Date(Date.now() + seconds * 1000);
}

test("SCHED-1: a scheduled message is delivered at its time", async () => {
  const queue = freshQueue();
  const sender = shared.client.createSender(queue);
  const receiver = shared.client.createReceiver(queue);
  const due = inSeconds(4); // long enough to peek the message before
  const [number] = await sender.scheduleMessages({ body: "later" }, due);
  const [peeked] = await receiver.peekMessages(1);
  assert.equal(peeked.state, "scheduled");
  assert.equal(peeked.sequenceNumber.toString(), number.toString());
  assert.equal(peeked.scheduledEnqueueTimeUtc.getTime(), due.getTime());
  const received = await next(receiver);
  assert.equal(received.body, "later");
  assert.ok(received.enqueuedTimeUtc.getTime() >= due.getTime());
});

test("SCHED-4: a canceled message is removed, and canceling twice fails", async () => {
  const queue = freshQueue();
  const sender = shared.client.createSender(queue);
  const numbers = await sender.scheduleMessages([{ body: "a" }, { body: "b" }], inSeconds(3600));
  assert.equal(numbers.length, 2);
  await sender.cancelScheduledMessages(numbers[0]);
  await assert.rejects(sender.cancelScheduledMessages(numbers[0]), (e) => e.code === "MessageNotFound");
  const left = await shared.client.createReceiver(queue).peekMessages(10);
  assert.deepEqual(
    left.map((m) => m.body),
    ["b"],
  );
});

test("DEFER-1 to 3: a deferred message is received by number, once", async () => {
  const queue = freshQueue();
  await shared.client.createSender(queue).sendMessages({ body: "m" });
  const receiver = shared.client.createReceiver(queue);
  const message = await next(receiver);
  await receiver.deferMessage(message, { why: "later" });
  await assertNone(receiver);
  const [peeked] = await receiver.peekMessages(1, { fromSequenceNumber: message.sequenceNumber });
  assert.equal(peeked.state, "deferred");
  const [deferred] = await receiver.receiveDeferredMessages(message.sequenceNumber);
  assert.equal(deferred.body, "m");
  assert.equal(deferred.deliveryCount, 1);
  assert.equal(deferred.applicationProperties.why, "later");
  await receiver.completeMessage(deferred);
  await assert.rejects(
    receiver.receiveDeferredMessages(message.sequenceNumber),
    (e) => e.code === "MessageNotFound",
  );
});

test("DEFER-8: an abandoned deferred message is deferred again", async () => {
  const queue = freshQueue();
  await shared.client.createSender(queue).sendMessages({ body: "m" });
  const receiver = shared.client.createReceiver(queue);
  const message = await next(receiver);
  await receiver.deferMessage(message);
  const [deferred] = await receiver.receiveDeferredMessages(message.sequenceNumber);
  await receiver.abandonMessage(deferred);
  await assertNone(receiver);
  const [again] = await receiver.receiveDeferredMessages(message.sequenceNumber);
  assert.equal(again.deliveryCount, 2);
});

test("PEEK-3: a peek continues after the last one", async () => {
  const queue = freshQueue();
  await shared.client.createSender(queue).sendMessages([1, 2, 3, 4].map((body) => ({ body })));
  const receiver = shared.client.createReceiver(queue);
  assert.deepEqual((await receiver.peekMessages(2)).map((m) => m.body), [1, 2]);
  assert.deepEqual((await receiver.peekMessages(5)).map((m) => m.body), [3, 4]);
  assert.deepEqual(await receiver.peekMessages(5), []);
});

test("LOCK-11: settlement of a deferred message goes over management, from another receiver", async () => {
  const queue = freshQueue();
  await shared.client.createSender(queue).sendMessages({ body: "m" });
  const receiver = shared.client.createReceiver(queue);
  const message = await next(receiver);
  await receiver.deferMessage(message);
  const other = shared.client.createReceiver(queue);
  const [deferred] = await other.receiveDeferredMessages(message.sequenceNumber);
  await other.deadLetterMessage(deferred, { deadLetterReason: "r", deadLetterErrorDescription: "d" });
  const dead = await next(shared.client.createReceiver(queue, { subQueueType: "deadLetter" }));
  assert.equal(dead.deadLetterReason, "r");
});
