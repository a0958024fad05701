"""Tests of deferred and dead-letter messages, and of received messages that are sent again."""
import datetime

from azure.servicebus import ServiceBusMessage, ServiceBusSubQueue
from azure.servicebus.exceptions import MessageNotFoundError

from support import (
    assert_none,
    client,
    deleting,
    fails,
    fresh_queue,
    message,
    next_message,
    run,
    same,
    send,
    test,
)


def dead_letters(c, queue):
    """Returns a receiver of the dead-letter queue."""
    return c.get_queue_receiver(queue, sub_queue=ServiceBusSubQueue.DEAD_LETTER)


@test("DEFER-1 to 3: a deferred message is received by number, once")
def defers():
    queue = fresh_queue()
    with client() as c:
        send(c, queue, "m")
        with c.get_queue_receiver(queue) as receiver:
            m = next_message(receiver)
            receiver.defer_message(m)
            assert_none(receiver)
            deferred = receiver.receive_deferred_messages(m.sequence_number)
            same(["m"], [str(d) for d in deferred])
            fails(MessageNotFoundError, receiver.receive_deferred_messages, m.sequence_number)
            receiver.complete_message(deferred[0])
            fails(MessageNotFoundError, receiver.receive_deferred_messages, m.sequence_number)


@test("DEFER-8: an abandoned deferred message remains deferred, and can be dead-lettered")
def abandons_deferred():
    queue = fresh_queue()
    with client() as c:
        send(c, queue, "m")
        with c.get_queue_receiver(queue) as receiver:
            m = next_message(receiver)
            receiver.defer_message(m)
            receiver.abandon_message(receiver.receive_deferred_messages(m.sequence_number)[0])
            assert_none(receiver)
            again = receiver.receive_deferred_messages([m.sequence_number])[0]
            receiver.dead_letter_message(again, reason="late")
        with dead_letters(c, queue) as receiver:
            same("late", next_message(receiver).dead_letter_reason)


@test("DLQ-13: reason and description are found in the dead-letter queue")
def dead_letter():
    queue = fresh_queue()
    with client() as c:
        send(c, queue, "m")
        with c.get_queue_receiver(queue) as receiver:
            receiver.dead_letter_message(next_message(receiver), reason="Invalid", error_description="No price.")
            assert_none(receiver)
        with dead_letters(c, queue) as receiver:
            m = next_message(receiver)
            same("Invalid", m.dead_letter_reason)
            same("No price.", m.dead_letter_error_description)
            receiver.complete_message(m)
            assert_none(receiver)


@test("DLQ-20: a message that is abandoned too often is dead-lettered")
def delivered_too_often():
    queue = fresh_queue(max_delivery_count=2)
    with client() as c:
        send(c, queue, "m")
        with c.get_queue_receiver(queue) as receiver:
            for _ in range(2):
                receiver.abandon_message(next_message(receiver))
            assert_none(receiver)
        with dead_letters(c, queue) as receiver:
            same("MaxDeliveryCountExceeded", next_message(receiver).dead_letter_reason)


@test("TTL-22: an expired message is dead-lettered")
def expired():
    queue = fresh_queue(dead_lettering_on_message_expiration=True)
    with client() as c:
        send(c, queue, "m", time_to_live=datetime.timedelta(seconds=1))
        with c.get_queue_receiver(queue) as receiver, dead_letters(c, queue) as dead:
            receiver.receive_messages(max_wait_time=2)
            m = next_message(dead)
            same("TTLExpiredException", m.dead_letter_reason)


@test("DLQ-4, Wire 4.1: a dead-letter message is sent again unchanged")
def resubmits():
    queue = fresh_queue()
    with client() as c:
        with c.get_queue_sender(queue) as sender:
            sender.send_messages(message("m", message_id="id-1", application_properties={"color": "red"}))
        with c.get_queue_receiver(queue) as receiver:
            receiver.dead_letter_message(next_message(receiver), reason="Invalid")
        with dead_letters(c, queue) as dead, c.get_queue_sender(queue) as sender:
            m = next_message(dead)
            sender.send_messages(m)
            dead.complete_message(m)
        with deleting(c, queue) as receiver:
            again = next_message(receiver)
            same("m", str(again))
            same("id-1", again.message_id)
            same(b"red", again.application_properties[b"color"])
            assert again.sequence_number != m.sequence_number, "Expected a new sequence number, but got the old one."


@test("DLQ-4, Wire 4.1: a peeked message, and one with annotations and a footer of the application, are sent again")
def resends_peeked():
    queue = fresh_queue()
    copies = fresh_queue()
    with client() as c:
        send(c, queue, "m")
        with c.get_queue_receiver(queue) as receiver, c.get_queue_sender(copies) as sender:
            peeked = receiver.peek_messages()[0]
            sender.send_messages(peeked)
            annotated = ServiceBusMessage("annotated")
            annotated.raw_amqp_message.annotations = {"mine": "yes"}
            annotated.raw_amqp_message.footer = {"sum": 7}
            sender.send_messages(annotated)
        with deleting(c, copies) as receiver:
            same({"m", "annotated"}, {str(next_message(receiver)), str(next_message(receiver))})


run()
