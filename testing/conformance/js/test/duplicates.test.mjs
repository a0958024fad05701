import { test } from "node:test";
import assert from "node:assert/strict";
import { admin, assertNone, freshQueue, inOrder, next, sharedClient } from "./support.mjs";

const shared = sharedClient();

/** Creates a queue with duplicate detection. */
async function detectingQueue() {
  const queue = `${freshQueue()}-detecting`;
  await admin.createQueue(queue, { requiresDuplicateDetection: true, duplicateDetectionHistoryTimeWindow: "PT10M" });
  return queue;
}

test("DUP-2: duplicates are accepted and dropped: sent singly, in a list and in a batch", async () => {
  const queue = await detectingQueue();
  const sender = shared.client.createSender(queue);
  await sender.sendMessages(inOrder({ body: "first", messageId: "X" }));
  await sender.sendMessages(inOrder({ body: "again", messageId: "X" }));
  await sender.sendMessages([
    inOrder({ body: "again", messageId: "X" }),
    inOrder({ body: "second", messageId: "x" }),
    inOrder({ body: "again", messageId: "x" }),
  ]);
  const batch = await sender.createMessageBatch();
  assert.ok(batch.tryAddMessage(inOrder({ body: "again", messageId: "X" })));
  assert.ok(batch.tryAddMessage(inOrder({ body: "third", messageId: "Y" })));
  await sender.sendMessages(batch);

  const receiver = shared.client.createReceiver(queue, { receiveMode: "receiveAndDelete" });
  for (const body of ["first", "second", "third"]) {
    assert.equal((await next(receiver)).body, body);
  }
  await assertNone(receiver);
});

test("SCHED-9: a message that is scheduled again keeps its number", async () => {
  const sender = shared.client.createSender(await detectingQueue());
  const due = new Date(Date.now() + 3_600_000);
  const [first] = await sender.scheduleMessages(inOrder({ body: "later", messageId: "X" }), due);
  const [again, other] = await sender.scheduleMessages(
    [
      inOrder({ body: "later", messageId: "X" }),
      inOrder({ body: "later", messageId: "Y" }),
    ],
    due,
  );
  assert.equal(again.toString(), first.toString());
  assert.notEqual(other.toString(), first.toString());
  await sender.cancelScheduledMessages([first, other]);
});
