import { bodyBytes } from './body';
import type { Message, Value } from './types';

/** Programs that send a message again with an official SDK. They read the connection string from the environment. */
export const LANGUAGES = ['Java', 'JavaScript', '.NET', 'Python', 'Go'] as const;
export type Language = (typeof LANGUAGES)[number];

interface Parts {
  text: string | null;
  base64: string | null;
  fields: [keyof typeof NAMES, string][];
  properties: [string, Value][];
  entity: string;
  topic: boolean;
}

const NAMES = {
  messageId: { java: 'setMessageId', js: 'messageId', net: 'MessageId', python: 'message_id', go: 'MessageID' },
  subject: { java: 'setSubject', js: 'subject', net: 'Subject', python: 'subject', go: 'Subject' },
  contentType: { java: 'setContentType', js: 'contentType', net: 'ContentType', python: 'content_type', go: 'ContentType' },
  correlationId: { java: 'setCorrelationId', js: 'correlationId', net: 'CorrelationId', python: 'correlation_id', go: 'CorrelationID' },
  sessionId: { java: 'setSessionId', js: 'sessionId', net: 'SessionId', python: 'session_id', go: 'SessionID' },
  to: { java: 'setTo', js: 'to', net: 'To', python: 'to', go: 'To' },
  replyTo: { java: 'setReplyTo', js: 'replyTo', net: 'ReplyTo', python: 'reply_to', go: 'ReplyTo' },
  replyToSessionId: { java: 'setReplyToSessionId', js: 'replyToSessionId', net: 'ReplyToSessionId', python: 'reply_to_session_id', go: 'ReplyToSessionID' },
};

/** Returns a text as a literal, which is the same in all five languages. */
function quoted(text: string): string {
  return JSON.stringify(text).replace(/[\u007f-\u009f\u2028\u2029\ufeff]/g, (character) => '\\u' + character.charCodeAt(0).toString(16).padStart(4, '0'));
}

function base64(bytes: Uint8Array): string {
  let text = '';
  bytes.forEach((byte) => (text += String.fromCharCode(byte)));
  return btoa(text);
}

/** Returns a value as a literal of a language, or null if the snippet leaves it out. */
function literal(language: Language, value: Value): string | null {
  if (typeof value === 'string') {
    return quoted(value);
  }
  if (typeof value === 'boolean') {
    return language === 'Python' ? (value ? 'True' : 'False') : String(value);
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    return null;
  }
  const text = String(value.value);
  if (value.type === 'int' || value.type === 'short') {
    if (!/^-?\d+$/.test(text)) {
      return null;
    }
    return language === 'Go' ? `${value.type === 'int' ? 'int32' : 'int16'}(${text})` : language === 'Java' && value.type === 'short' ? `(short) ${text}` : language === '.NET' && value.type === 'short' ? `(short)(${text})` : text;
  }
  if (value.type === 'long' && /^-?\d+$/.test(text)) {
    return { Java: text + 'L', JavaScript: Number.isSafeInteger(Number(text)) ? text : null, '.NET': text + 'L', Python: text, Go: `int64(${text})` }[language];
  }
  if ((value.type === 'double' || value.type === 'float') && /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text)) {
    const number = /[.e]/i.test(text) ? text : text + '.0';
    return value.type === 'float' && (language === 'Java' || language === '.NET') ? number + 'f' : value.type === 'float' && language === 'Go' ? `float32(${number})` : number;
  }
  if (value.type === 'uuid' && /^[0-9a-f-]{36}$/i.test(text)) {
    return { Java: `java.util.UUID.fromString("${text}")`, JavaScript: null, '.NET': `Guid.Parse("${text}")`, Python: `uuid.UUID("${text}")`, Go: null }[language];
  }
  return null;
}

const COMMENTS: Record<Language, string> = { Java: '//', JavaScript: '//', '.NET': '//', Python: '#', Go: '//' };

/**
 * Returns a program that sends the message.
 *
 * @param entity the queue or topic to send to
 */
export function snippet(language: Language, message: Message, entity: string, topic: boolean): string {
  const bytes = bodyBytes(message.body);
  const text = message.body === undefined ? '' : typeof message.body === 'string' ? message.body : null;
  const parts: Parts = {
    text,
    base64: text === null && bytes ? base64(bytes) : null,
    fields: (Object.keys(NAMES) as (keyof typeof NAMES)[]).flatMap((name) => (message[name] ? [[name, message[name]] as [keyof typeof NAMES, string]] : [])),
    properties: [],
    entity,
    topic,
  };
  const notes: string[] = [];
  if (text === null && !bytes) {
    notes.push('The body is a value of AMQP, which this program leaves out.');
  }
  for (const [name, value] of Object.entries(message.applicationProperties ?? {})) {
    if (/^(DeadLetter(Reason|ErrorDescription)|x-jitney-resubmitted.*)$/.test(name)) {
      continue;
    }
    if (literal(language, value) === null) {
      notes.push(`The property ${quoted(name)} has a type that this program leaves out.`);
    } else {
      parts.properties.push([name, value]);
    }
  }
  const lines = { Java: java, JavaScript: js, '.NET': net, Python: python, Go: go }[language](parts);
  return [...notes.map((note) => `${COMMENTS[language]} ${note}`), ...lines].join('\n') + '\n';
}

function java({ text, base64, fields, properties, entity, topic }: Parts): string[] {
  const body = base64 === null ? `BinaryData.fromString(${quoted(text ?? '')})` : `BinaryData.fromBytes(java.util.Base64.getDecoder().decode("${base64}"))`;
  return [
    'import com.azure.core.util.BinaryData;',
    'import com.azure.messaging.servicebus.*;',
    '',
    'public class Send {',
    '    public static void main(String[] arguments) {',
    `        ServiceBusMessage message = new ServiceBusMessage(${body});`,
    ...fields.map(([name, value]) => `        message.${NAMES[name].java}(${quoted(value)});`),
    ...properties.map(([name, value]) => `        message.getApplicationProperties().put(${quoted(name)}, ${literal('Java', value)});`),
    '        try (ServiceBusSenderClient sender = new ServiceBusClientBuilder()',
    '                .connectionString(System.getenv("SERVICEBUS_CONNECTION_STRING"))',
    '                .sender()',
    `                .${topic ? 'topicName' : 'queueName'}(${quoted(entity)})`,
    '                .buildClient()) {',
    '            sender.sendMessage(message);',
    '        }',
    '    }',
    '}',
  ];
}

function js({ text, base64, fields, properties, entity }: Parts): string[] {
  return [
    'const { ServiceBusClient } = require("@azure/service-bus");',
    '',
    'async function main() {',
    '  const client = new ServiceBusClient(process.env.SERVICEBUS_CONNECTION_STRING);',
    `  const sender = client.createSender(${quoted(entity)});`,
    '  await sender.sendMessages({',
    `    body: Buffer.from(${base64 === null ? quoted(text ?? '') : `"${base64}", "base64"`}),`,
    ...fields.map(([name, value]) => `    ${NAMES[name].js}: ${quoted(value)},`),
    ...(properties.length > 0 ? ['    applicationProperties: {', ...properties.map(([name, value]) => `      ${quoted(name)}: ${literal('JavaScript', value)},`), '    },'] : []),
    '  });',
    '  await client.close();',
    '}',
    '',
    'main();',
  ];
}

function net({ text, base64, fields, properties, entity }: Parts): string[] {
  return [
    'using Azure.Messaging.ServiceBus;',
    '',
    'await using var client = new ServiceBusClient(Environment.GetEnvironmentVariable("SERVICEBUS_CONNECTION_STRING"));',
    `await using var sender = client.CreateSender(${quoted(entity)});`,
    `var message = new ServiceBusMessage(${base64 === null ? quoted(text ?? '') : `Convert.FromBase64String("${base64}")`});`,
    ...fields.map(([name, value]) => `message.${NAMES[name].net} = ${quoted(value)};`),
    ...properties.map(([name, value]) => `message.ApplicationProperties[${quoted(name)}] = ${literal('.NET', value)};`),
    'await sender.SendMessageAsync(message);',
  ];
}

function python({ text, base64, fields, properties, entity, topic }: Parts): string[] {
  return [
    'import base64',
    'import os',
    'import uuid',
    '',
    'from azure.servicebus import ServiceBusClient, ServiceBusMessage',
    '',
    'message = ServiceBusMessage(',
    `    ${base64 === null ? quoted(text ?? '') : `base64.b64decode("${base64}")`},`,
    ...fields.map(([name, value]) => `    ${NAMES[name].python}=${quoted(value)},`),
    ...(properties.length > 0 ? ['    application_properties={', ...properties.map(([name, value]) => `        ${quoted(name)}: ${literal('Python', value)},`), '    },'] : []),
    ')',
    'with ServiceBusClient.from_connection_string(os.environ["SERVICEBUS_CONNECTION_STRING"]) as client:',
    `    with client.${topic ? 'get_topic_sender' : 'get_queue_sender'}(${quoted(entity)}) as sender:`,
    '        sender.send_messages(message)',
  ].filter((line) => (base64 !== null || line !== 'import base64') && (properties.some(([, value]) => literal('Python', value)?.startsWith('uuid.')) || line !== 'import uuid'));
}

function go({ text, base64, fields, properties, entity }: Parts): string[] {
  return [
    'package main',
    '',
    'import (',
    '\t"context"',
    ...(base64 === null ? [] : ['\t"encoding/base64"']),
    '\t"log"',
    '\t"os"',
    '',
    '\t"github.com/Azure/azure-sdk-for-go/sdk/messaging/azservicebus"',
    ')',
    '',
    ...(fields.length > 0 ? ['func text(value string) *string { return &value }', ''] : []),
    'func main() {',
    '\tclient, err := azservicebus.NewClientFromConnectionString(os.Getenv("SERVICEBUS_CONNECTION_STRING"), nil)',
    '\tif err != nil {',
    '\t\tlog.Fatal(err)',
    '\t}',
    `\tsender, err := client.NewSender(${quoted(entity)}, nil)`,
    '\tif err != nil {',
    '\t\tlog.Fatal(err)',
    '\t}',
    ...(base64 === null ? [`\tbody := []byte(${quoted(text ?? '')})`] : [`\tbody, err := base64.StdEncoding.DecodeString("${base64}")`, '\tif err != nil {', '\t\tlog.Fatal(err)', '\t}']),
    '\terr = sender.SendMessage(context.Background(), &azservicebus.Message{',
    '\t\tBody: body,',
    ...fields.map(([name, value]) => `\t\t${NAMES[name].go}: text(${quoted(value)}),`),
    ...(properties.length > 0 ? ['\t\tApplicationProperties: map[string]any{', ...properties.map(([name, value]) => `\t\t\t${quoted(name)}: ${literal('Go', value)},`), '\t\t},'] : []),
    '\t}, nil)',
    '\tif err != nil {',
    '\t\tlog.Fatal(err)',
    '\t}',
    '}',
  ];
}
