import assert from 'node:assert/strict';
import { test } from 'node:test';
import { iso, milliseconds } from '../src/durations.js';
import { namespaceConfig } from '../src/entities.js';
import { connectionString, parse } from '../src/http.js';
import { toSend } from '../src/messages.js';

test('durations are numbers, objects or ISO 8601', () => {
  assert.equal(milliseconds(1_500), 1_500);
  assert.equal(milliseconds({ hours: 1, minutes: 2, seconds: 3, milliseconds: 4 }), 3_723_004);
  assert.equal(iso({ minutes: 5 }), 'PT300S');
  assert.equal(iso('P1D'), 'P1D');
  for (const wrong of [undefined, null, {}, { minute: 5 }, '5m', -1, Number.NaN]) {
    assert.throws(() => milliseconds(wrong), TypeError, JSON.stringify(wrong));
  }
});

test('a connection string is read and written', () => {
  const text = connectionString('localhost:5672', 'name', 'key+/=');
  assert.deepEqual(parse(text), { address: 'localhost:5672', keyName: 'name', key: 'key+/=' });
  assert.throws(() => parse('Endpoint=sb://localhost'), /Expected a connection string/);
});

test('entities have the form of the emulator', () => {
  assert.deepEqual(
    namespaceConfig({
      queues: ['plain', { name: 'orders', maxDeliveryCount: 3 }],
      topics: [
        'quiet',
        {
          name: 'drinks',
          requiresDuplicateDetection: true,
          subscriptions: ['all', { name: 'large', lockDuration: 'PT5S', sql: 'cups > 2', action: "SET a = 'b'" }, { name: 'tea', correlation: { label: 'tea' } }],
        },
      ],
    }),
    {
      Queues: [{ Name: 'plain' }, { Name: 'orders', Properties: { MaxDeliveryCount: 3 } }],
      Topics: [
        { Name: 'quiet' },
        {
          Name: 'drinks',
          Properties: { RequiresDuplicateDetection: true },
          Subscriptions: [
            { Name: 'all' },
            {
              Name: 'large',
              Properties: { LockDuration: 'PT5S' },
              Rules: [
                {
                  Name: 'rule',
                  Properties: {
                    FilterType: 'Sql',
                    SqlFilter: { SqlExpression: 'cups > 2' },
                    Action: { SqlExpression: "SET a = 'b'" },
                  },
                },
              ],
            },
            {
              Name: 'tea',
              Properties: {},
              Rules: [{ Name: 'rule', Properties: { FilterType: 'Correlation', CorrelationFilter: { Label: 'tea' } } }],
            },
          ],
        },
      ],
    },
  );
  assert.throws(() => namespaceConfig({ queues: [{ maxDeliveryCount: 3 }] }), /Expected an entity with a name/);
  assert.throws(
    () => namespaceConfig({ topics: [{ name: 't', subscriptions: [{ name: 's', action: 'SET a = 1' }] }] }),
    /Expected sql or correlation/,
  );
});

test('values of messages get AMQP types', () => {
  assert.deepEqual(toSend({ body: { id: 7 }, subject: 's', applicationProperties: { a: 1, b: 1.5, c: 2 ** 40, d: 5n, e: 'x', f: true } }), {
    subject: 's',
    body: '{"id":7}',
    contentType: 'application/json',
    applicationProperties: {
      a: { type: 'int', value: 1 },
      b: { type: 'double', value: 1.5 },
      c: { type: 'long', value: '1099511627776' },
      d: { type: 'long', value: '5' },
      e: 'x',
      f: true,
    },
  });
  assert.deepEqual(toSend({ body: Buffer.from('ab') }), { body: { type: 'data', base64: 'YWI=' } });
  assert.deepEqual(toSend({ body: { type: 'value', value: true } }), { body: { type: 'value', value: true } });
  assert.deepEqual(toSend({ body: '[1]', contentType: 'text/plain' }), { body: '[1]', contentType: 'text/plain' });
});
