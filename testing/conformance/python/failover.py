"""Clients with default options over a change of the leader. Each check has "before" and "after". Between them this program
prints READY and waits for a line. Clients are never replaced."""
import datetime
import os
import sys
import threading
import traceback

from azure.servicebus import ServiceBusClient, ServiceBusReceiveMode, ServiceBusSubQueue
from azure.servicebus.exceptions import MessageLockLostError, ServiceBusError, SessionLockLostError
from azure.servicebus.management import ServiceBusAdministrationClient, SqlRuleFilter

import support

MESSAGES = 20

# Locks and a duplicate history that last longer than a test on a busy machine.
LASTING = {
    "lock_duration": datetime.timedelta(minutes=5),
    "duplicate_detection_history_time_window": datetime.timedelta(hours=1),
}
OVER_WEBSOCKET = os.environ.get("JITNEY_OVER_WEBSOCKET") == "true"

_checks = []


def check(kind):
    """Registers a class with the methods before and after. Its name is the proven statement."""
    _checks.append(kind())
    return kind


def connect():
    """Returns a client with default options."""
    options = {"custom_endpoint_address": f"sb://localhost:{support.HTTPS_PORT}"} if OVER_WEBSOCKET else {}
    return ServiceBusClient.from_connection_string(
        support.CONNECTION_STRING, connection_verify=support.CA_FILE, **options
    )


def administration():
    """Returns an administration client with default options."""
    return ServiceBusAdministrationClient.from_connection_string(support.ADMIN_CONNECTION_STRING)


def message(text, **properties):
    """Returns a message with a text that is also its id."""
    return support.message(text, message_id=text, **properties)


def ids(prefix):
    return [f"{prefix}-{i}" for i in range(MESSAGES)]


def settle_lost(call, *arguments):
    """Settles a message whose lock was lost. The SDK does not always see that, so that there may be no error."""
    try:
        call(*arguments)
    except (MessageLockLostError, SessionLockLostError):
        pass
    except ServiceBusError as e:
        assert is_expected(e), f"Expected a lost lock or a retryable error, but got {e!r}."


def is_expected(error):
    """Returns whether an error is retryable, or says that a management request met a connection that was lost. The SDK
    reports that without a condition and does not repeat the request. The next one connects again."""
    return error._retryable or isinstance(error.inner_exception, ValueError)  # pylint: disable=protected-access


def repeated(call, *arguments):
    """Makes a management request again if it met a connection that was lost, as an application does."""
    try:
        return call(*arguments)
    except ServiceBusError as e:
        assert is_expected(e), f"Expected a retryable error, but got {e!r}."
        return call(*arguments)


class Check:
    """Entities and a connection of its own."""

    def __init__(self):
        self.queue = support.name("failover")
        self.client = connect()
        self.admin = administration()
        self.failure = None

    def run(self, step):
        if self.failure is None:
            try:
                step()
            except Exception:  # pylint: disable=broad-except
                self.failure = traceback.format_exc()


@check
class Receiving(Check):
    name = "CL-23, CL-24: sender and receiver continue, and a locked message comes again with the same delivery count"

    def before(self):
        self.admin.create_queue(self.queue, **LASTING)
        self.sender = self.client.get_queue_sender(self.queue)
        self.receiver = self.client.get_queue_receiver(self.queue)
        self.sender.send_messages(message("held"))
        self.held = support.next_message(self.receiver)

    def after(self):
        for text in ids("after"):
            self.sender.send_messages(message(text))
        settle_lost(self.receiver.complete_message, self.held)
        received = set()
        while not received.issuperset(ids("after") + ["held"]):
            next_one = support.next_message(self.receiver)
            if next_one.message_id == "held":
                # The first delivery does not count.
                support.same(0, next_one.delivery_count)
            self.receiver.complete_message(next_one)
            received.add(next_one.message_id)


@check
class Sessions(Check):
    name = "CL-24: the lock of a session ends with the leader, but its messages, their order and its state remain"

    def before(self):
        self.admin.create_queue(self.queue, requires_session=True, **LASTING)
        self.sender = self.client.get_queue_sender(self.queue)
        for i in range(3):
            self.sender.send_messages(message(f"m{i}", session_id="s"))
        self.held = self.client.get_queue_receiver(self.queue, session_id="s")
        self.held.complete_message(support.next_message(self.held))
        self.held.session.set_state("half")
        self.locked = support.next_message(self.held)

    def after(self):
        self.sender.send_messages(message("m3", session_id="s"))
        settle_lost(self.held.complete_message, self.locked)
        self.held.close()
        with self.client.get_queue_receiver(self.queue, session_id="s") as again:
            support.same(b"half", again.session.get_state())
            for i in range(1, 4):
                received = support.next_message(again)
                support.same(f"m{i}", received.message_id)
                support.same(0, received.delivery_count)
                again.complete_message(received)


@check
class Scheduled(Check):
    name = "CL-24, CL-25: a scheduled message arrives once at its time, and another is canceled by its number"

    def before(self):
        self.admin.create_queue(self.queue, **LASTING)
        self.sender = self.client.get_queue_sender(self.queue)
        self.due = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=8)
        self.sender.schedule_messages(message("kept"), self.due)
        late = self.due + datetime.timedelta(hours=1)
        self.canceled = self.sender.schedule_messages(message("canceled"), late)

    def after(self):
        repeated(self.sender.cancel_scheduled_messages, self.canceled)
        receiver = self.client.get_queue_receiver(self.queue, receive_mode=ServiceBusReceiveMode.RECEIVE_AND_DELETE)
        received = support.next_message(receiver)
        support.same("kept", received.message_id)
        # The server knows milliseconds only.
        assert received.enqueued_time_utc >= self.due - datetime.timedelta(milliseconds=1)
        support.same(0, self.admin.get_queue_runtime_properties(self.queue).total_message_count)


@check
class Stored(Check):
    name = "CL-24: deferred and dead-lettered messages and delivery counts are as they were"

    def before(self):
        self.admin.create_queue(self.queue, **LASTING)
        support.send(self.client, self.queue, "deferred", "dead", "abandoned")
        self.receiver = self.client.get_queue_receiver(self.queue)
        first = support.next_message(self.receiver)
        self.deferred = first.sequence_number
        self.receiver.defer_message(first)
        self.receiver.dead_letter_message(support.next_message(self.receiver), reason="reason")
        self.receiver.abandon_message(support.next_message(self.receiver))
        # The SDK does not wait for the answer to a settlement.
        support.until("the abandonment", lambda: [m for m in self.peek() if m.delivery_count == 1])

    def peek(self):
        return self.receiver.peek_messages(10, sequence_number=self.deferred)

    def after(self):
        peeked = repeated(self.peek)
        support.same(["deferred", "abandoned"], support.texts(peeked))
        [again] = self.receiver.receive_deferred_messages(self.deferred)
        support.same("deferred", str(again))
        self.receiver.complete_message(again)
        abandoned = support.next_message(self.receiver)
        support.same(1, abandoned.delivery_count)
        self.receiver.complete_message(abandoned)
        with self.client.get_queue_receiver(self.queue, sub_queue=ServiceBusSubQueue.DEAD_LETTER) as dead:
            support.same("reason", support.next_message(dead).dead_letter_reason)


@check
class Duplicates(Check):
    name = "CL-23, CL-24: with duplicate detection, a send that is repeated after the change stores nothing"

    def before(self):
        self.admin.create_queue(self.queue, requires_duplicate_detection=True, **LASTING)
        self.sender = self.client.get_queue_sender(self.queue)
        self.send("before")

    def send(self, prefix):
        for text in ids(prefix):
            self.sender.send_messages(message(text))

    def after(self):
        self.send("after")
        self.send("before")
        self.send("after")
        receiver = self.client.get_queue_receiver(self.queue)
        support.same(ids("before") + ids("after"), support.texts(receiver.peek_messages(4 * MESSAGES)))


@check
class Administration(Check):
    name = "CL-23, CL-30: the administration client continues, and entities and rules are there"

    def before(self):
        self.admin.create_topic(self.queue)
        self.admin.create_subscription(self.queue, "red-ones")
        self.admin.delete_rule(self.queue, "red-ones", "$Default")
        self.admin.create_rule(self.queue, "red-ones", "red", filter=SqlRuleFilter("color = 'red'"))

    def after(self):
        self.admin.create_queue(self.queue + "-next", max_delivery_count=7)
        support.same(7, self.admin.get_queue(self.queue + "-next").max_delivery_count)
        rule = self.admin.get_rule(self.queue, "red-ones", "red")
        support.same("color = 'red'", rule.filter.sql_expression)
        with self.client.get_topic_sender(self.queue) as sender:
            for color in ("blue", "red"):
                sender.send_messages(message(color, application_properties={"color": color}))
        with self.client.get_subscription_receiver(self.queue, "red-ones") as receiver:
            support.same("red", support.next_message(receiver).message_id)


def all_at_once(step):
    """Runs a step of all checks, each in a thread of its own."""
    threads = [threading.Thread(target=c.run, args=(getattr(c, step),)) for c in _checks]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


all_at_once("before")
print("READY", flush=True)
sys.stdin.readline()
all_at_once("after")
for c in _checks:
    if c.failure is None:
        print("PASS " + c.name, flush=True)
    else:
        print("FAIL " + c.name)
        print(c.failure)
        print("END", flush=True)
# Closing takes as long as the SDK's timeouts, and proves nothing here.
sys.stdout.flush()
os._exit(0)
