// Helpers for all tests of the JavaScript administration client.
import assert from "node:assert/strict";
import { ServiceBusAdministrationClient } from "@azure/service-bus";

export const connectionString = process.env.SERVICEBUS_ADMIN_CONNECTION_STRING;

/** True if all queues and topics are partitioned. */
export const partitioned = process.env.JITNEY_PARTITIONED === "true";

/** Returns the reported size of an entity: the sum of all fragments (PART-18). */
export function reported(megabytes) {
  return Number(process.env.JITNEY_SIZE_FACTOR ?? 1) * megabytes;
}

/** The longest duration. */
export const MAX = "P10675199DT2H48M5.4775807S";

/** A client with all rights. */
export const admin = new ServiceBusAdministrationClient(connectionString);

/** Returns a client with another rule or key. */
export function adminWith(rule, key) {
  return new ServiceBusAdministrationClient(
    connectionString
      .replace(/SharedAccessKeyName=[^;]*/, `SharedAccessKeyName=${rule}`)
      .replace(/SharedAccessKey=[^;]*/, `SharedAccessKey=${key}`),
  );
}

/** Checks that a call fails with that code and status, and with a message that contains the detail. */
export async function assertFails(call, code, statusCode, detail = "") {
  await assert.rejects(call, (e) => {
    assert.equal(e.code, code, `${e.code} ${e.statusCode} ${e.message}`);
    assert.equal(e.statusCode, statusCode, e.message);
    assert.ok(e.message.includes(detail), `'${detail}' in: ${e.message}`);
    return true;
  });
}

/** Returns all elements of an iterator. */
export async function all(iterator) {
  const items = [];
  for await (const item of iterator) {
    items.push(item);
  }
  return items;
}

/** Returns the properties of a description that are compared after a round trip. */
export function plain(description) {
  const { _response, ...properties } = description;
  return properties;
}

const prefix = `${process.pid}-`;
let taken = 0;

/** Returns a unique name. */
export function fresh(word) {
  return `${word}-${prefix}${taken++}`;
}
