import { ServiceBusClient } from '@azure/service-bus';

/** Reads orders. An order without a customer fails, and is tried again. */
export class Orders {
  constructor(connectionString) {
    this.client = new ServiceBusClient(connectionString);
    this.seen = [];
  }

  start() {
    const receiver = this.client.createReceiver('orders');
    receiver.subscribe(
      {
        processMessage: async (message) => {
          if (!message.applicationProperties?.customer) {
            throw new Error('no customer');
          }
          this.seen.push(message.body);
        },
        processError: async () => {},
      },
      { autoCompleteMessages: true },
    );
  }

  async stop() {
    await this.client.close();
  }
}
