// Clients with default options over a change of the leader. Each check has "before" and "after"; between them this program
// prints READY and waits for a line. Clients are never replaced. Then it prints "PASS name", or "FAIL name" with the reason
// up to the line "END".
import assert from "node:assert/strict";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { ServiceBusAdministrationClient, ServiceBusClient } from "@azure/service-bus";
import WebSocket from "ws";

const PATIENCE_MS = 120_000;
const MESSAGES = 20;

// Locks and a duplicate history that last longer than a test on a busy machine.
const LASTING = { lockDuration: "PT5M", duplicateDetectionHistoryTimeWindow: "PT1H" };

const admin = new ServiceBusAdministrationClient(process.env.SERVICEBUS_ADMIN_CONNECTION_STRING);
const client = new ServiceBusClient(
  process.env.SERVICEBUS_CONNECTION_STRING,
  process.env.JITNEY_OVER_WEBSOCKET === "true" ? { webSocketOptions: { webSocket: WebSocket } } : {},
);
const unique = `js-failover-${process.pid}`;

/** Errors that clients may see: retryable ones, and the loss of a lock. */
const LOST = new Set(["MessageLockLost", "SessionLockLost"]);
const errors = [];
const note = ({ error }) => errors.push(error);

function assertExpected() {
  for (const error of errors) {
    assert.ok(error.retryable === true || LOST.has(error.code), `is retryable or a lost lock: ${error.code} ${error.stack}`);
  }
}

async function until(what, condition) {
  const end = Date.now() + PATIENCE_MS;
  while (!(await condition())) {
    assert.ok(Date.now() < end, `${what} in time`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function next(receiver) {
  const [message] = await receiver.receiveMessages(1, { maxWaitTimeInMs: 60_000 });
  assert.ok(message, `a message in ${receiver.entityPath}`);
  return message;
}

const message = (id, more = {}) => ({ body: id, messageId: id, ...more });
const ids = (prefix) => Array.from({ length: MESSAGES }, (_, i) => `${prefix}-${i}`);

const checks = [];
function check(name, before, after) {
  checks.push({ name, before, after });
}

{
  const queue = `${unique}-processor`;
  const counts = new Map();
  const completed = new Set();
  let sender;
  check(
    "CL-23, CL-24: subscribe continues, and a message that was locked comes again with the same delivery count",
    async () => {
      await admin.createQueue(queue, LASTING);
      sender = client.createSender(queue);
      const receiver = client.createReceiver(queue, { maxAutoLockRenewalDurationInMs: 0 });
      receiver.subscribe(
        {
          processMessage: async (received) => {
            const all = counts.get(received.messageId) ?? [];
            counts.set(received.messageId, [...all, received.deliveryCount]);
            if (received.messageId === "held" && all.length === 0) {
              return; // its lock ends with the leader
            }
            await receiver.completeMessage(received);
            completed.add(received.messageId);
          },
          processError: async (args) => note(args),
        },
        { autoCompleteMessages: false, maxConcurrentCalls: 2 },
      );
      await sender.sendMessages(message("held"));
      await sender.sendMessages(message("before"));
      await until("both messages", () => counts.has("held") && completed.has("before"));
    },
    async () => {
      for (const id of ids("after")) {
        await sender.sendMessages(message(id));
      }
      await until("completion of all", () => completed.has("held") && ids("after").every((id) => completed.has(id)));
      assert.ok(counts.get("held").length > 1);
      assert.deepEqual([...new Set(counts.get("held"))], [0]);
    },
  );
}

{
  const queue = `${unique}-session`;
  let sender;
  let held;
  let locked;
  check(
    "CL-24: the lock of a session ends with the leader, but its messages, their order and its state remain",
    async () => {
      await admin.createQueue(queue, { ...LASTING, requiresSession: true });
      sender = client.createSender(queue);
      await sender.sendMessages([0, 1, 2].map((i) => message(`m${i}`, { sessionId: "s" })));
      held = await client.acceptSession(queue, "s");
      await held.completeMessage(await next(held));
      await held.setSessionState("half");
      locked = await next(held);
    },
    async () => {
      await sender.sendMessages(message("m3", { sessionId: "s" }));
      await assert.rejects(held.completeMessage(locked), (error) => {
        note({ error });
        return true;
      });
      let again;
      await until("the session", async () => {
        again = await client.acceptSession(queue, "s").catch((error) => {
          note({ error });
          return undefined;
        });
        return again;
      });
      assert.equal((await again.getSessionState()).toString(), "half");
      for (const id of ["m1", "m2", "m3"]) {
        const received = await next(again);
        assert.equal(received.messageId, id);
        assert.equal(received.deliveryCount, 0);
        await again.completeMessage(received);
      }
      await again.close();
    },
  );
}

{
  const queue = `${unique}-scheduled`;
  let sender;
  let canceled;
  let due;
  check(
    "CL-24, CL-25: a scheduled message arrives once at its time, and another is canceled by its number",
    async () => {
      await admin.createQueue(queue, LASTING);
      sender = client.createSender(queue);
      due = Date.now() + 8_000;
      await sender.scheduleMessages(message("kept"), new Date(due));
      [canceled] = await sender.scheduleMessages(message("canceled"), new Date(due + 3_600_000));
    },
    async () => {
      await sender.cancelScheduledMessages(canceled);
      const receiver = client.createReceiver(queue, { receiveMode: "receiveAndDelete" });
      const received = await next(receiver);
      assert.equal(received.messageId, "kept");
      assert.ok(received.enqueuedTimeUtc.getTime() >= due);
      assert.equal((await admin.getQueueRuntimeProperties(queue)).totalMessageCount, 0);
    },
  );
}

{
  const queue = `${unique}-stored`;
  let receiver;
  let deferred;
  check(
    "CL-24: deferred and dead-lettered messages and delivery counts are as they were",
    async () => {
      await admin.createQueue(queue, LASTING);
      const sender = client.createSender(queue);
      for (const id of ["deferred", "dead", "abandoned"]) {
        await sender.sendMessages(message(id));
      }
      receiver = client.createReceiver(queue);
      const first = await next(receiver);
      deferred = first.sequenceNumber;
      await receiver.deferMessage(first);
      await receiver.deadLetterMessage(await next(receiver), { deadLetterReason: "reason" });
      await receiver.abandonMessage(await next(receiver));
    },
    async () => {
      const peeked = await receiver.peekMessages(10, { fromSequenceNumber: deferred });
      assert.deepEqual(
        peeked.map((m) => m.messageId),
        ["deferred", "abandoned"],
      );
      const [again] = await receiver.receiveDeferredMessages(deferred);
      assert.equal(again.messageId, "deferred");
      await receiver.completeMessage(again);
      const abandoned = await next(receiver);
      assert.equal(abandoned.deliveryCount, 1);
      await receiver.completeMessage(abandoned);
      const dead = await next(client.createReceiver(queue, { subQueueType: "deadLetter" }));
      assert.equal(dead.deadLetterReason, "reason");
    },
  );
}

{
  const queue = `${unique}-duplicates`;
  let sender;
  check(
    "CL-23, CL-24: with duplicate detection, a send that is repeated after the change stores nothing",
    async () => {
      await admin.createQueue(queue, { ...LASTING, requiresDuplicateDetection: true });
      sender = client.createSender(queue);
      for (const id of ids("before")) {
        await sender.sendMessages(message(id));
      }
    },
    async () => {
      for (const id of [...ids("after"), ...ids("before"), ...ids("after")]) {
        await sender.sendMessages(message(id));
      }
      const stored = await client.createReceiver(queue).peekMessages(4 * MESSAGES);
      assert.deepEqual(
        stored.map((m) => m.messageId),
        [...ids("before"), ...ids("after")],
      );
    },
  );
}

{
  const topic = `${unique}-topic`;
  check(
    "CL-23, CL-30: the administration client continues, and entities and rules are there",
    async () => {
      await admin.createTopic(topic);
      await admin.createSubscription(topic, "red-ones");
      await admin.deleteRule(topic, "red-ones", "$Default");
      await admin.createRule(topic, "red-ones", "red", { sqlExpression: "color = 'red'" });
    },
    async () => {
      await admin.createQueue(`${unique}-next`, { maxDeliveryCount: 7 });
      assert.equal((await admin.getQueue(`${unique}-next`)).maxDeliveryCount, 7);
      const rule = await admin.getRule(topic, "red-ones", "red");
      assert.equal(rule.filter.sqlExpression, "color = 'red'");
      const sender = client.createSender(topic);
      await sender.sendMessages(message("blue", { applicationProperties: { color: "blue" } }));
      await sender.sendMessages(message("red", { applicationProperties: { color: "red" } }));
      const receiver = client.createReceiver(topic, "red-ones");
      assert.equal((await next(receiver)).messageId, "red");
    },
  );
}

async function outcome(step, of) {
  if (of.failure === undefined) {
    try {
      await step();
    } catch (e) {
      of.failure = e;
    }
  }
}

await Promise.all(checks.map((c) => outcome(c.before, c)));
console.log("READY");
const lines = createInterface({ input: process.stdin });
await once(lines, "line");
await Promise.all(checks.map((c) => outcome(c.after, c)));
checks.push({ name: "CL-23: clients report only retryable errors and lost locks" });
await outcome(assertExpected, checks[checks.length - 1]);
for (const { name, failure } of checks) {
  console.log(failure === undefined ? `PASS ${name}` : `FAIL ${name}\n${failure.stack}\nEND`);
}
lines.close();
await client.close();
process.exit(0);
