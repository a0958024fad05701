import { ServiceBusClient } from '@azure/service-bus';
import { useJitney } from 'jitney-js-testkit/vitest';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Orders } from '../src/orders.js';

const jitney = useJitney({
  queues: [{ name: 'orders', lockDuration: 'PT30S', maxDeliveryCount: 3 }],
  topics: [{ name: 'drinks', subscriptions: [{ name: 'large', sql: 'cups > 2' }] }],
});

let orders;

beforeEach(() => {
  orders = new Orders(jitney.connectionString);
});

afterEach(async () => {
  await orders.stop();
});

test('an order is read', async () => {
  orders.start();
  await jitney.namespace.send('orders', { body: { id: 7 }, applicationProperties: { customer: 'c2' } });
  await expect.poll(() => orders.seen).toEqual([{ id: 7 }]);
  await jitney.namespace.awaitIdle(); // the message is completed
  expect(await jitney.namespace.messages('orders')).toEqual([]);
});

test('an order without a customer is dead-lettered after three deliveries', async () => {
  orders.start();
  await jitney.namespace.send('orders', { body: { id: 8 } });
  await expect
    .poll(() => jitney.namespace.deadLetters('orders'))
    .toEqual([expect.objectContaining({ deadLetterReason: 'MaxDeliveryCountExceeded', deliveryCount: 3 })]);
  expect(orders.seen).toEqual([]);
});

test('the lock of a slow receiver ends, and another receiver gets the message', async () => {
  await jitney.namespace.send('orders', { body: 'slow' });
  const client = new ServiceBusClient(jitney.connectionString);
  const [first] = await client.createReceiver('orders').receiveMessages(1);
  await jitney.clock.advance({ seconds: 31 });
  const [second] = await client.createReceiver('orders').receiveMessages(1);
  expect(second.messageId).toBe(first.messageId);
  expect(second.deliveryCount).toBe(1);
  await client.close();
});

test('a small drink is not for the subscription, and the broker says why', async () => {
  const answer = await jitney.namespace.explain('drinks', { applicationProperties: { cups: 1 } });
  expect(answer.subscriptions[0].rules[0]).toMatchObject({ filter: 'cups > 2', result: 'notMatched' });
});
