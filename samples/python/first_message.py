"""Sends, receives, defers, dead-letters, schedules and peeks, on the queue "orders"."""
import datetime
import os

from azure.servicebus import ServiceBusClient, ServiceBusMessage, ServiceBusSubQueue

connection_string = os.environ.get(
    "SERVICEBUS_CONNECTION_STRING",
    "Endpoint=sb://localhost:5672;SharedAccessKeyName=RootManageSharedAccessKey;"
    "SharedAccessKey=SAS_KEY_VALUE;UseDevelopmentEmulator=true;",
)

# For TLS: the file with the trusted certificate authority, jitney-data/tls/ca.pem of a server with --tls auto.
options = {"connection_verify": os.environ["JITNEY_CA"]} if "JITNEY_CA" in os.environ else {}


def receive(receiver):
    [message] = receiver.receive_messages(max_message_count=1, max_wait_time=10)
    return message


with ServiceBusClient.from_connection_string(connection_string, **options) as client:
    sender = client.get_queue_sender("orders")
    receiver = client.get_queue_receiver("orders")

    # Send and receive. The message is locked for us until we complete it.
    sender.send_messages(ServiceBusMessage("one coffee"))
    coffee = receive(receiver)
    print("Received:", coffee)
    receiver.complete_message(coffee)

    # Defer a message, and receive it by its sequence number.
    sender.send_messages(ServiceBusMessage("one cake, when it is baked"))
    cake = receive(receiver)
    receiver.defer_message(cake)
    [baked] = receiver.receive_deferred_messages(cake.sequence_number)
    print("Deferred:", baked)
    receiver.complete_message(baked)

    # Dead-letter a message that cannot be processed, with a reason.
    sender.send_messages(ServiceBusMessage("one unicorn"))
    unicorn = receive(receiver)
    receiver.dead_letter_message(unicorn, reason="not on the menu", error_description="out of unicorns")
    with client.get_queue_receiver("orders", sub_queue=ServiceBusSubQueue.DEAD_LETTER) as dead_letters:
        dead = receive(dead_letters)
        print(f"Dead-lettered: {dead}, {dead.dead_letter_reason}")
        dead_letters.complete_message(dead)

    # Schedule a message, and peek at it without receiving it.
    soon = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=3)
    sender.schedule_messages(ServiceBusMessage("one tea"), soon)
    [peeked] = receiver.peek_messages(max_message_count=1)
    print("Peeked:", peeked)
    tea = receive(receiver)
    print("Scheduled:", tea)
    receiver.complete_message(tea)

    receiver.close()
    sender.close()
