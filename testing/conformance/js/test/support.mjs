// What all tests of the JavaScript SDK use.
import { after, before } from "node:test";
import assert from "node:assert/strict";
import { ServiceBusClient } from "@azure/service-bus";
import WebSocket from "ws";

export const connectionString = process.env.SERVICEBUS_CONNECTION_STRING;
export const sasConnectionString = process.env.SERVICEBUS_SAS_CONNECTION_STRING;

const prefix = process.env.JITNEY_QUEUE_PREFIX;
let taken = 0;

/** Name of a queue nobody else uses. */
export function freshQueue() {
  return `${prefix}${taken++}`;
}

/** Gives up soon, so that what must fail fails soon. The same tests run over TCP and through a WebSocket. */
export const options = {
  retryOptions: { maxRetries: 1, retryDelayInMs: 100, timeoutInMs: 10_000 },
  ...(process.env.JITNEY_OVER_WEBSOCKET === "true" ? { webSocketOptions: { webSocket: WebSocket } } : {}),
};

/** A client for all tests of one file. */
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

/** The next message, which must come. */
export async function next(receiver) {
  const [message] = await receiver.receiveMessages(1, { maxWaitTimeInMs: 10_000 });
  assert.ok(message, `a message in ${receiver.entityPath}`);
  return message;
}

/** Expects nothing to be there. */
export async function assertNone(receiver) {
  assert.deepEqual(await receiver.receiveMessages(1, { maxWaitTimeInMs: 300 }), []);
}
