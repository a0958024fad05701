"""Helpers for all tests of the Python SDK."""
import os
import sys
import time
import traceback
import uuid

import azure.servicebus._common._configuration as configuration
from azure.servicebus import ServiceBusClient, ServiceBusMessage, ServiceBusReceiveMode
from azure.servicebus.management import ServiceBusAdministrationClient

CA_FILE = os.environ["JITNEY_CA_FILE"]
CONNECTION_STRING = os.environ["SERVICEBUS_CONNECTION_STRING"]
ADMIN_CONNECTION_STRING = os.environ["SERVICEBUS_ADMIN_CONNECTION_STRING"]
HTTPS_PORT = int(os.environ["JITNEY_HTTPS_PORT"])
PARTITIONED = os.environ.get("JITNEY_PARTITIONED") == "true"

PATIENCE = 60
SHORTLY = 1

# This SDK always uses port 5671, regardless of the connection string. Each test broker has its own port, so that two
# builds can run on one machine.
configuration.DEFAULT_AMQPS_PORT = int(os.environ["JITNEY_AMQPS_PORT"])

_tests = []


def test(name):
    """Registers a test. Its name is the proven statement."""

    def register(function):
        _tests.append((name, function))
        return function

    return register


def run():
    """Runs the tests of a file. Prints "PASS name", or "FAIL name" with the trace up to the line "END"."""
    for name, function in _tests:
        try:
            function()
            print("PASS " + name, flush=True)
        except Exception:  # pylint: disable=broad-except
            print("FAIL " + name)
            traceback.print_exc(file=sys.stdout)
            print("END", flush=True)


def client(**options):
    """Returns a client over TLS with short timeouts, so that expected failures take little time."""
    return ServiceBusClient.from_connection_string(
        CONNECTION_STRING, connection_verify=CA_FILE, retry_total=1, retry_backoff_factor=0.1, **options
    )


def web_socket_client(**options):
    """Returns a client through a WebSocket inside TLS, for which the SDK has a port option."""
    return client(custom_endpoint_address=f"sb://localhost:{HTTPS_PORT}", **options)


def admin(connection_string=ADMIN_CONNECTION_STRING):
    """Returns an administration client over HTTPS. It ignores connection_verify and uses REQUESTS_CA_BUNDLE."""
    return ServiceBusAdministrationClient.from_connection_string(connection_string, retry_total=1)


def name(prefix="python"):
    """Returns a unique name."""
    return f"{prefix}-{uuid.uuid4().hex[:12]}"


def fresh_queue(**properties):
    """Creates a queue with a unique name."""
    queue = name()
    with admin() as a:
        a.create_queue(queue, **properties)
    return queue


def fresh_topic(subscriptions=("s",), **properties):
    """Creates a topic with a unique name and with subscriptions."""
    topic = name("python-topic")
    with admin() as a:
        a.create_topic(topic)
        for subscription in subscriptions:
            a.create_subscription(topic, subscription, **properties)
    return topic


def message(body, **properties):
    """Returns a message with that text. On partitioned queues a common key keeps the order of messages."""
    if PARTITIONED and "session_id" not in properties:
        properties.setdefault("partition_key", "in order")
    return ServiceBusMessage(body, **properties)


def send(c, queue, *bodies, **properties):
    """Sends messages one by one."""
    with c.get_queue_sender(queue) as sender:
        for body in bodies:
            sender.send_messages(message(body, **properties))


def deleting(c, queue, **options):
    """Returns a receiver in receive-and-delete mode."""
    return c.get_queue_receiver(queue, receive_mode=ServiceBusReceiveMode.RECEIVE_AND_DELETE, **options)


def next_message(receiver):
    """Receives the next message, which must arrive."""
    messages = receiver.receive_messages(max_message_count=1, max_wait_time=PATIENCE)
    assert len(messages) == 1, f"Expected one message, but got {messages}."
    return messages[0]


def next_messages(receiver, count):
    """Receives this number of messages, which must arrive."""
    messages = []
    end = time.monotonic() + PATIENCE
    while len(messages) < count and time.monotonic() < end:
        messages += receiver.receive_messages(max_message_count=count - len(messages), max_wait_time=5)
    assert len(messages) == count, f"Expected {count} messages, but got {len(messages)}."
    return messages


def assert_none(receiver):
    """Checks that there are no messages."""
    messages = receiver.receive_messages(max_message_count=1, max_wait_time=SHORTLY)
    assert messages == [], f"Expected no message, but got {messages}."


def texts(messages):
    """Returns the bodies as texts."""
    return [str(m) for m in messages]


def same(expected, actual):
    """Checks that two values are equal."""
    assert expected == actual, f"Expected {expected!r}, but got {actual!r}."


def fails(error, call, *arguments, **options):
    """Checks that a call fails with exactly that error, and returns it."""
    try:
        call(*arguments, **options)
    except error as e:
        assert type(e) is error, f"Expected {error.__name__}, but got {type(e).__name__}: {e}"
        return e
    raise AssertionError(f"Expected {error.__name__}, but the call succeeded.")


def until(what, condition):
    """Waits for a condition and returns its value."""
    end = time.monotonic() + PATIENCE
    value = condition()
    while not value:
        assert time.monotonic() < end, f"Expected {what} within {PATIENCE} seconds, but it did not happen."
        time.sleep(0.1)
        value = condition()
    return value
