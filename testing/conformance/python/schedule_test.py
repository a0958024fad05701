"""Tests of scheduled messages and of peeks."""
import datetime

from azure.servicebus import ServiceBusMessageState

from support import (
    client,
    deleting,
    fresh_queue,
    message,
    next_message,
    run,
    same,
    send,
    test,
    texts,
)


def in_seconds(seconds):
    """Returns the time after a delay."""
    return datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=seconds)


@test("SCHED-1, SCHED-2: scheduled messages are delivered at their time")
def schedules():
    queue = fresh_queue()
    with client() as c, c.get_queue_sender(queue) as sender:
        due = in_seconds(2)
        numbers = sender.schedule_messages([message("1"), message("2")], due)
        same(2, len(numbers))
        sender.send_messages(message("3", scheduled_enqueue_time_utc=due))
        with deleting(c, queue) as receiver:
            received = sorted(str(next_message(receiver)) for _ in range(3))
            same(["1", "2", "3"], received)
            assert datetime.datetime.now(datetime.timezone.utc) >= due, "Expected no message before its time."


@test("SCHED-4: a canceled message is removed")
def cancels():
    queue = fresh_queue()
    with client() as c, c.get_queue_sender(queue) as sender, c.get_queue_receiver(queue) as receiver:
        number = sender.schedule_messages(message("m"), in_seconds(600))[0]
        peeked = receiver.peek_messages(sequence_number=number)
        same([number], [p.sequence_number for p in peeked])
        same(ServiceBusMessageState.SCHEDULED, peeked[0].state)
        sender.cancel_scheduled_messages(number)
        same([], receiver.peek_messages(sequence_number=number))


@test("PEEK-1 to 3: peeking as the first operation shows all states in order, and locks nothing")
def peeks():
    queue = fresh_queue()
    with client() as c:
        send(c, queue, "deferred", "active", "last")
        with c.get_queue_receiver(queue) as receiver:
            same(["deferred", "active", "last"], texts(receiver.peek_messages(max_message_count=10)))
        with c.get_queue_receiver(queue) as receiver:
            m = next_message(receiver)
            same("deferred", str(m))
            receiver.defer_message(m)
            peeked = receiver.peek_messages(max_message_count=2)
            same(["deferred", "active"], texts(peeked))
            same(
                [ServiceBusMessageState.DEFERRED, ServiceBusMessageState.ACTIVE],
                [p.state for p in peeked],
            )
            same(["last"], texts(receiver.peek_messages(sequence_number=peeked[1].sequence_number + 1)))
            same("active", str(next_message(receiver)))


@test("PEEK-4: a peek of an empty queue returns no messages and no error")
def peeks_nothing():
    queue = fresh_queue()
    with client() as c, c.get_queue_receiver(queue) as receiver:
        same([], receiver.peek_messages())


run()
