// Publishes to the topic "drinks" and receives from its subscriptions "all", "large" and "tea", which have different rules.
import { ServiceBusClient } from "@azure/service-bus";

const connectionString =
  process.env.SERVICEBUS_CONNECTION_STRING ??
  "Endpoint=sb://localhost:5672;SharedAccessKeyName=RootManageSharedAccessKey;SharedAccessKey=SAS_KEY_VALUE;UseDevelopmentEmulator=true;";

const client = new ServiceBusClient(connectionString);
const sender = client.createSender("drinks");
const rules = client.createRuleManager("drinks", "tea");

async function receive(subscription, count) {
  const receiver = client.createReceiver("drinks", subscription);
  for (let i = 0; i < count; i++) {
    const [drink] = await receiver.receiveMessages(1, { maxWaitTimeInMs: 10_000 });
    const priority = drink.applicationProperties.priority ?? "normal";
    console.log(`In ${subscription}: ${drink.body}, priority ${priority}`);
    await receiver.completeMessage(drink);
  }
  await receiver.close();
}

// The subscription "tea" has a rule that accepts tea. A second rule accepts cocoa too.
await rules.createRule("cocoa", { sqlExpression: "sys.Label = 'cocoa'" });

// Rules filter on the properties of a message, not on its body.
for (const kind of ["coffee", "tea", "cocoa"]) {
  const cups = kind === "tea" ? 4 : 1;
  await sender.sendMessages({ body: `some ${kind}`, subject: kind, applicationProperties: { cups } });
}

// Receive from a subscription like from a queue.
await receive("all", 3);
await receive("tea", 2);

// The rule of "large" accepts three cups or more, and its action adds a property to the copy.
await receive("large", 1);

await rules.deleteRule("cocoa");
await client.close();
