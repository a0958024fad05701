// Messages to send: from values of JavaScript to the members of the operator API, which name their AMQP types.

const BODY_TYPES = ['data', 'value', 'sequence'];
const INT_MAX = 2 ** 31 - 1;

/** Returns a message as the operator API reads it. Objects and arrays become JSON, bytes become base64. */
export function toSend(message) {
  const { body, applicationProperties, ...rest } = message;
  const written = { ...rest };
  if (body instanceof Uint8Array) {
    written.body = { type: 'data', base64: Buffer.from(body).toString('base64') };
  } else if (typeof body === 'number' || (typeof body === 'object' && body !== null && !BODY_TYPES.includes(body.type))) {
    written.body = JSON.stringify(body);
    written.contentType ??= 'application/json';
  } else if (body !== undefined) {
    written.body = body;
  }
  if (applicationProperties !== undefined) {
    written.applicationProperties = Object.fromEntries(
      Object.entries(applicationProperties).map(([name, value]) => [name, typed(value)]),
    );
  }
  return written;
}

function typed(value) {
  if (typeof value === 'bigint') {
    return { type: 'long', value: `${value}` };
  }
  if (typeof value !== 'number') {
    return value;
  }
  if (!Number.isInteger(value)) {
    return { type: 'double', value };
  }
  return Math.abs(value) <= INT_MAX ? { type: 'int', value } : { type: 'long', value: `${value}` };
}
