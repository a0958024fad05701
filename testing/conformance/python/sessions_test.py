"""Tests of sessions and their state."""
import datetime
import threading

from azure.servicebus import NEXT_AVAILABLE_SESSION, AutoLockRenewer, ServiceBusSubQueue
from azure.servicebus.exceptions import ServiceBusError, SessionCannotBeLockedError

from support import (
    assert_none,
    client,
    fails,
    fresh_queue,
    fresh_topic,
    message,
    next_message,
    next_messages,
    run,
    same,
    send,
    test,
    texts,
    until,
)


def session_queue(**properties):
    """Returns a new queue that requires sessions."""
    return fresh_queue(requires_session=True, **properties)


@test("SESS-4: a named session is granted without messages, with the end of its lock, and only once")
def named():
    queue = session_queue()
    with client() as c:
        with c.get_queue_receiver(queue, session_id="mine") as holder:
            left = (holder.session.locked_until_utc - datetime.datetime.now(datetime.timezone.utc)).total_seconds()
            same("mine", holder.session.session_id)
            assert 20 < left <= 61, f"Expected a lock of a minute, but got {left} seconds."
            other = c.get_queue_receiver(queue, session_id="mine")
            fails(SessionCannotBeLockedError, other.receive_messages, max_wait_time=1)
        with c.get_queue_receiver(queue, session_id="mine") as again:
            same("mine", again.session.session_id)


@test("SESS-5, SESS-7: the next session is granted with its messages, in order")
def next_available():
    queue = session_queue()
    with client() as c:
        send(c, queue, "a1", "a2", session_id="a")
        with c.get_queue_receiver(queue, session_id=NEXT_AVAILABLE_SESSION, max_wait_time=30) as receiver:
            same("a", receiver.session.session_id)
            messages = next_messages(receiver, 2)
            same(["a1", "a2"], texts(messages))
            for m in messages:
                same("a", m.session_id)
                receiver.complete_message(m)
            assert_none(receiver)


@test("SESS-5: a waiting client gets the next available session")
def waits():
    queue = session_queue()
    with client() as c, client() as other:
        timer = threading.Timer(1, send, (other, queue, "m"), {"session_id": "a"})
        timer.start()
        with c.get_queue_receiver(queue, session_id=NEXT_AVAILABLE_SESSION, max_wait_time=30) as receiver:
            m = next_message(receiver)
            same(("a", "m"), (receiver.session.session_id, str(m)))
        timer.join()


@test("SESS-12: closing releases the session without a count")
def closes():
    queue = session_queue()
    with client() as c:
        send(c, queue, "m", session_id="a")
        with c.get_queue_receiver(queue, session_id="a") as receiver:
            next_message(receiver)
        with c.get_queue_receiver(queue, session_id="a") as receiver:
            m = next_message(receiver)
            same(0, m.delivery_count)
            receiver.complete_message(m)


@test("SESS-15: state is kept, seen by the next holder, and cleared")
def state():
    queue = session_queue()
    with client() as c:
        with c.get_queue_receiver(queue, session_id="a") as receiver:
            assert not receiver.session.get_state(), "Expected no state, but got one."
            receiver.session.set_state("halfway")
        with c.get_queue_receiver(queue, session_id="a") as receiver:
            same(b"halfway", receiver.session.get_state())
            receiver.session.set_state(None)
            assert not receiver.session.get_state(), "Expected no state, but got one."


@test("SESS-9: the lock of a session is renewed")
def renews():
    queue = session_queue(lock_duration=datetime.timedelta(seconds=30))
    with client() as c, c.get_queue_receiver(queue, session_id="a") as receiver:
        before = receiver.session.locked_until_utc
        until("a later end of the lock", lambda: receiver.session.renew_lock() > before)
        after = receiver.session.locked_until_utc
        assert after > before, f"Expected a later end than {before}, but got {after}."


@test("SESS-9, SESS-20: the SDK renews the lock of a session automatically beyond its duration")
def renews_by_itself():
    queue = session_queue(lock_duration=datetime.timedelta(seconds=5))
    with client() as c, AutoLockRenewer(max_lock_renewal_duration=60) as renewer:
        send(c, queue, "m", session_id="a")
        with c.get_queue_receiver(queue, session_id="a", auto_lock_renewer=renewer) as receiver:
            end = receiver.session.locked_until_utc + datetime.timedelta(seconds=3)
            m = next_message(receiver)
            until("the end of the first lock", lambda: datetime.datetime.now(datetime.timezone.utc) > end)
            receiver.complete_message(m)
            assert_none(receiver)


@test("SESS-14, PEEK-5: a session receiver defers, peeks its own session, and receives by number")
def defers():
    queue = session_queue()
    with client() as c:
        send(c, queue, "m", session_id="a")
        send(c, queue, "other", session_id="b")
        with c.get_queue_receiver(queue, session_id="a") as receiver:
            m = next_message(receiver)
            receiver.defer_message(m)
            same(["m"], texts(receiver.peek_messages(max_message_count=10)))
            deferred = receiver.receive_deferred_messages(m.sequence_number)[0]
            receiver.complete_message(deferred)
            same([], receiver.peek_messages())


@test("SESS-13, DLQ-28: a dead-letter message of a session is received without a session")
def dead_letters():
    queue = session_queue()
    with client() as c:
        send(c, queue, "m", session_id="a")
        with c.get_queue_receiver(queue, session_id="a") as receiver:
            receiver.dead_letter_message(next_message(receiver), reason="Invalid")
        with c.get_queue_receiver(queue, sub_queue=ServiceBusSubQueue.DEAD_LETTER) as receiver:
            m = next_message(receiver)
            same(("a", "Invalid"), (m.session_id, m.dead_letter_reason))


@test("SESS-3: a message without a session is rejected")
def refused():
    queue = session_queue()
    with client() as c, c.get_queue_sender(queue) as sender:
        fails(ServiceBusError, sender.send_messages, message("m"))


@test("SESS-1: a subscription has sessions")
def subscription():
    topic = fresh_topic(requires_session=True)
    with client() as c:
        with c.get_topic_sender(topic) as sender:
            sender.send_messages(message("m", session_id="a"))
        with c.get_subscription_receiver(topic, "s", session_id="a") as receiver:
            m = next_message(receiver)
            same("m", str(m))
            receiver.complete_message(m)


run()
