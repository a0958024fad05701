"""Sends "first", waits for a message in the queue "go", then sends "second". The server restarts meanwhile."""
import uuid

from azure.servicebus import ServiceBusClient, ServiceBusMessage

import support

with ServiceBusClient.from_connection_string(
    support.CONNECTION_STRING, connection_verify=support.CA_FILE, retry_total=20, retry_backoff_max=1
) as client:
    sender = client.get_queue_sender("results")
    receiver = client.get_queue_receiver("go")
    held = client.get_queue_receiver("held")
    sender.send_messages(ServiceBusMessage("first", message_id=str(uuid.uuid4())))
    locked = support.next_message(held)
    sender.send_messages(ServiceBusMessage("locked", message_id=str(uuid.uuid4())))
    print(f"Locked: {locked}")
    message = support.next_message(receiver)
    print(f"Received: {message}")
    receiver.complete_message(message)
    sender.send_messages(ServiceBusMessage("second", message_id=str(uuid.uuid4())))
