// Creates the queue "lunch", updates it, lists all queues, reads its counters, and deletes it.
import { ServiceBusAdministrationClient } from "@azure/service-bus";

const connectionString =
  process.env.SERVICEBUS_CONNECTION_STRING ??
  "Endpoint=sb://localhost:5301;SharedAccessKeyName=RootManageSharedAccessKey;SharedAccessKey=SAS_KEY_VALUE";

const admin = new ServiceBusAdministrationClient(connectionString);

const lunch = await admin.createQueue("lunch", { lockDuration: "PT30S" });
console.log(`Created: ${lunch.name}, locks for ${lunch.lockDuration}`);

lunch.maxDeliveryCount = 3;
const updated = await admin.updateQueue(lunch);
console.log(`Updated: at most ${updated.maxDeliveryCount} deliveries`);

for await (const queue of admin.listQueues()) {
  console.log(`Listed: ${queue.name}`);
}

const now = await admin.getQueueRuntimeProperties("lunch");
console.log(`Holds: ${now.activeMessageCount} active messages, ${now.deadLetterMessageCount} dead letters`);

await admin.deleteQueue("lunch");
console.log(`Deleted: lunch, exists: ${await admin.queueExists("lunch")}`);
