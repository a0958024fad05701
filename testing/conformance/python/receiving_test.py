"""Tests of receives, settlements and lock renewals."""
import datetime

from azure.servicebus import AutoLockRenewer
from azure.servicebus.exceptions import MessageAlreadySettled, MessageLockLostError

from support import (
    assert_none,
    client,
    deleting,
    fails,
    fresh_queue,
    next_message,
    next_messages,
    run,
    same,
    send,
    test,
    texts,
    until,
)


@test("RECV-1, STATE-6: peek-lock, abandon, complete")
def peek_lock():
    queue = fresh_queue()
    with client() as c:
        send(c, queue, "m")
        with c.get_queue_receiver(queue) as receiver:
            first = next_message(receiver)
            same(0, first.delivery_count)
            assert first.lock_token and first.locked_until_utc, "Expected a lock, but got none."
            receiver.abandon_message(first)
            second = next_message(receiver)
            same(first.sequence_number, second.sequence_number)
            same(1, second.delivery_count)
            receiver.complete_message(second)
            assert_none(receiver)


@test("RECV-2: receive-and-delete removes at delivery")
def receive_and_delete():
    queue = fresh_queue()
    with client() as c:
        send(c, queue, "1", "2", "3")
        with deleting(c, queue) as receiver:
            messages = next_messages(receiver, 3)
            same(["1", "2", "3"], texts(messages))
            fails(ValueError, receiver.complete_message, messages[0])
            assert_none(receiver)


@test("RECV-3: a receiver with prefetch is iterated")
def iterates():
    queue = fresh_queue()
    bodies = [str(i) for i in range(20)]
    with client() as c:
        send(c, queue, *bodies)
        received = []
        with c.get_queue_receiver(queue, max_wait_time=3, prefetch_count=5) as receiver:
            for m in receiver:
                received.append(str(m))
                receiver.complete_message(m)
        same(bodies, received)


@test("STATE-8: a message is settled once")
def settled_once():
    queue = fresh_queue()
    with client() as c:
        send(c, queue, "m")
        with c.get_queue_receiver(queue) as receiver:
            m = next_message(receiver)
            receiver.complete_message(m)
            fails(MessageAlreadySettled, receiver.abandon_message, m)


@test("LOCK-5: a lock is renewed")
def renews():
    queue = fresh_queue(lock_duration=datetime.timedelta(seconds=30))
    with client() as c:
        send(c, queue, "m")
        with c.get_queue_receiver(queue) as receiver:
            m = next_message(receiver)
            before = m.locked_until_utc
            until("a later end of the lock", lambda: receiver.renew_message_lock(m) > before)
            assert m.locked_until_utc > before, f"Expected a later end than {before}, but got {m.locked_until_utc}."
            receiver.complete_message(m)


@test("LOCK-5: the SDK renews a lock automatically beyond its duration")
def renews_by_itself():
    queue = fresh_queue(lock_duration=datetime.timedelta(seconds=5))
    with client() as c, AutoLockRenewer(max_lock_renewal_duration=60) as renewer:
        send(c, queue, "m")
        with c.get_queue_receiver(queue, auto_lock_renewer=renewer) as receiver:
            m = next_message(receiver)
            end = m.locked_until_utc + datetime.timedelta(seconds=3)
            with c.get_queue_receiver(queue) as other:
                while datetime.datetime.now(datetime.timezone.utc) < end:
                    assert_none(other)
            receiver.complete_message(m)
            assert_none(receiver)


@test("LOCK-7: after the end of a lock the message is available with a higher count")
def lock_ends():
    queue = fresh_queue(lock_duration=datetime.timedelta(seconds=5))
    with client() as c:
        send(c, queue, "m")
        with c.get_queue_receiver(queue) as receiver:
            first = next_message(receiver)
            second = next_message(receiver)
            same(first.sequence_number, second.sequence_number)
            same(1, second.delivery_count)
            fails(MessageLockLostError, receiver.renew_message_lock, first)
            receiver.complete_message(second)


@test("LOCK-9, LOCK-11: a message is settled over management after its link was lost")
def settles_over_management():
    queue = fresh_queue()
    with client() as c:
        send(c, queue, "m")
        with c.get_queue_receiver(queue) as receiver:
            m = next_message(receiver)
            with c.get_queue_receiver(queue) as other:
                assert_none(other)
            # Closes the link, so that the SDK settles with the lock token over management.
            receiver._handler.message_handler.destroy()  # pylint: disable=protected-access
            receiver.complete_message(m)
        with deleting(c, queue) as receiver:
            assert_none(receiver)


run()
