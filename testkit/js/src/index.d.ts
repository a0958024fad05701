/** A number of milliseconds, or the sum of the members. */
export type Duration =
  | number
  | { days?: number; hours?: number; minutes?: number; seconds?: number; milliseconds?: number };

/** A refusal of the broker. */
export class JitneyError extends Error {
  /** The HTTP status of the answer. */
  readonly status: number;
  /** The field of the request that is wrong. */
  readonly field?: string;
}

/** The properties of a queue, topic or subscription, as in the emulator's Config.json, with a small first letter. */
export interface EntityProperties {
  lockDuration?: string;
  defaultMessageTimeToLive?: string;
  maxDeliveryCount?: number;
  deadLetteringOnMessageExpiration?: boolean;
  requiresSession?: boolean;
  requiresDuplicateDetection?: boolean;
  duplicateDetectionHistoryTimeWindow?: string;
  forwardTo?: string;
  forwardDeadLetteredMessagesTo?: string;
  [property: string]: unknown;
}

export interface Subscription extends EntityProperties {
  name: string;
  /** The condition of its only rule. Without `sql` and `correlation` it gets every message. */
  sql?: string;
  /** The action of the rule, such as `SET priority = 'high'`. */
  action?: string;
  /** The properties that a message must have. */
  correlation?: {
    label?: string;
    correlationId?: string;
    messageId?: string;
    sessionId?: string;
    to?: string;
    replyTo?: string;
    contentType?: string;
    properties?: Record<string, string>;
  };
}

export interface Topic extends EntityProperties {
  name: string;
  subscriptions?: (string | Subscription)[];
}

export interface Entities {
  queues?: (string | ({ name: string } & EntityProperties))[];
  topics?: (string | Topic)[];
}

export interface NamespaceOptions extends Entities {
  /** The name; without one, the broker makes one. */
  name?: string;
  /** One element of `UserConfig.Namespaces` of the emulator's file, in place of `queues` and `topics`. */
  config?: object;
}

/** A message as the operator API shows it. Sequence numbers are text. */
export interface Message {
  sequenceNumber: string;
  messageId?: string;
  sessionId?: string;
  subject?: string;
  contentType?: string;
  correlationId?: string;
  state: string;
  deliveryCount: number;
  deadLetterReason?: string;
  deadLetterErrorDescription?: string;
  applicationProperties?: Record<string, unknown>;
  body?: unknown;
  [member: string]: unknown;
}

/** A message to send. The members are those of the operator API. Its values with an AMQP type are passed on. */
export interface MessageToSend {
  /** Text is sent as it is, bytes too, and objects, arrays and numbers as JSON. */
  body?: unknown;
  messageId?: string;
  sessionId?: string;
  subject?: string;
  contentType?: string;
  correlationId?: string;
  timeToLive?: number;
  scheduledEnqueueTime?: string;
  /** A whole number is an int or, beyond 32 bits, a long; another number is a double. */
  applicationProperties?: Record<string, unknown>;
  [member: string]: unknown;
}

export interface HistoryEvent {
  at: string;
  entity: string;
  event: string;
  sequenceNumber?: number;
  messageId?: string;
  reason?: string;
  to?: string;
}

export interface Faults {
  /** Ends the locks of all messages of an entity. */
  loseLocks(entity: string): Promise<void>;
  /** Delivers the next message of an entity twice. */
  duplicateNextDelivery(entity: string): Promise<void>;
  /** Answers with ServerBusy for a time; 0 ends it. */
  throttle(duration: Duration): Promise<void>;
  /** Closes the connections of clients. */
  disconnect(): Promise<void>;
  /** Delays each answer by a time; 0 ends it. */
  delay(duration: Duration): Promise<void>;
  /** Ends throttling and delays. */
  clear(): Promise<void>;
}

/** The time of messages: locks, times to live, schedules, idleness and duplicate windows. Tokens have the time of the machine. */
export interface Clock {
  /** Moves the time ahead, and returns when everything that is due has happened. Text is a duration in ISO 8601. */
  advance(duration: Duration | string): Promise<Date>;
  /** Lets the time stand still. */
  freeze(): Promise<Date>;
  /** Lets the time run again. */
  run(): Promise<Date>;
  /** Lets the time run n times as fast: 0 to 1000. */
  speed(n: number): Promise<Date>;
  now(): Promise<Date>;
}

/** A namespace of a broker. No other namespace sees its entities and messages. */
export class Namespace {
  readonly name: string;
  /** The connection string for clients of the official SDK. */
  readonly connectionString: string;
  readonly faults: Faults;
  /** Sends messages in one commit, and returns their sequence numbers. */
  send(entity: string, ...messages: MessageToSend[]): Promise<string[]>;
  /** Returns all messages of a queue or of `topic/Subscriptions/subscription`, without receiving them. */
  messages(entity: string, options?: { filter?: string; state?: string }): Promise<Message[]>;
  /** Returns the dead letters of a queue or subscription. */
  deadLetters(entity: string, options?: { filter?: string }): Promise<Message[]>;
  /** Answers "where would this message go?" without sending it. */
  explain(entity: string, message?: MessageToSend): Promise<Record<string, unknown>>;
  /** Returns the last events of an entity, or of all, oldest first. */
  history(entity?: string): Promise<HistoryEvent[]>;
  /** Deletes all messages, locks, session states and the history of duplicate detection, and returns the number of messages. */
  reset(): Promise<number>;
  /** Waits until nothing is due, on its way or locked. Fails after the timeout, by default 10 s, with the reasons. */
  awaitIdle(options?: { timeout?: Duration }): Promise<void>;
  /** Deletes the namespace with everything in it. */
  delete(): Promise<void>;
}

export interface StartOptions {
  /** The folder of an unpacked archive: by default the variable JITNEY_HOME, or else `jitney` on the PATH. */
  home?: string;
  /** A configuration file in the emulator's format. */
  config?: string;
  /** Further options of `jitney server`. */
  args?: string[];
  /** Variables of the server. */
  env?: Record<string, string>;
  /** Milliseconds to wait for the server: by default 60,000. */
  startTimeout?: number;
}

/** A broker, started by this process or by another one. Its own namespace is the first one of its configuration. */
export class Jitney extends Namespace {
  /** Starts a broker in memory, on a free port, as a child process. It ends with this process. */
  static start(options?: StartOptions): Promise<Jitney>;
  /** Connects to a broker with a test mode that runs already, such as one in a container. */
  static connect(connectionString: string): Promise<Jitney>;
  readonly clock: Clock;
  readonly stores: {
    /** Stops a store, as if its disk were gone. */
    stop(store?: number): Promise<void>;
    /** Starts a store again. */
    start(store?: number): Promise<void>;
  };
  /** Makes a namespace of its own, with the given entities. */
  namespace(options?: NamespaceOptions): Promise<Namespace>;
  /** Stops the broker if this process has started it. */
  stop(): Promise<void>;
}
