// Helpers for all tests of the JavaScript SDK.
import { after, before } from "node:test";
import assert from "node:assert/strict";
import { ServiceBusAdministrationClient, ServiceBusClient } from "@azure/service-bus";
import WebSocket from "ws";

export const connectionString = process.env.SERVICEBUS_CONNECTION_STRING;
export const sasConnectionString = process.env.SERVICEBUS_SAS_CONNECTION_STRING;

const prefix = process.env.JITNEY_QUEUE_PREFIX;
let taken = 0;

/** Returns the name of an unused queue. */
export function freshQueue() {
  return `${prefix}${taken++}`;
}

/** True if all queues and topics are partitioned. */
const partitioned = process.env.JITNEY_PARTITIONED === "true";

/** Gives messages for partitioned entities a common key, so that they keep their order (SEQ-7). */
export function inOrder(message) {
  return partitioned ? { ...message, partitionKey: "in order" } : message;
}

/** Returns a sequence number without the fragment in its upper bits (SEQ-2). */
export function counter(sequenceNumber) {
  return Number(sequenceNumber.toString()) % 2 ** 48;
}

/** The administration client, over HTTPS. */
export const admin = new ServiceBusAdministrationClient(process.env.SERVICEBUS_ADMIN_CONNECTION_STRING);

/** Creates a topic with a unique name. */
export async function freshTopic(properties = {}) {
  const topic = `${prefix}topic-${taken++}`;
  await admin.createTopic(topic, properties);
  return topic;
}

/** Short timeouts, so that expected failures take little time. The tests run over TCP and through a WebSocket. */
export const options = {
  retryOptions: { maxRetries: 1, retryDelayInMs: 100, timeoutInMs: 30_000 },
  ...(process.env.JITNEY_OVER_WEBSOCKET === "true" ? { webSocketOptions: { webSocket: WebSocket } } : {}),
};

/** Returns a client for all tests of one file. */
export function sharedClient() {
  const shared = {};
  before(() => {
    shared.client = new ServiceBusClient(connectionString, options);
  });
  after(async () => {
    await shared.client.close();
  });
  return shared;
}

/** Receives the next message, which must arrive. */
export async function next(receiver) {
  const [message] = await receiver.receiveMessages(1, { maxWaitTimeInMs: 60_000 });
  assert.ok(message, `a message in ${receiver.entityPath}`);
  return message;
}

/** Checks that there are no messages. */
export async function assertNone(receiver) {
  assert.deepEqual(await receiver.receiveMessages(1, { maxWaitTimeInMs: 300 }), []);
}

/** Waits for a condition. */
export async function until(what, condition) {
  const end = Date.now() + 60_000;
  while (!(await condition())) {
    assert.ok(Date.now() < end, `${what} within a minute`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
