"""Tests of sends of messages and batches."""
import datetime
import uuid

from azure.servicebus import ServiceBusMessage
from azure.servicebus.exceptions import MessageSizeExceededError, ServiceBusAuthenticationError

from support import (
    client,
    deleting,
    fails,
    fresh_queue,
    message,
    name,
    next_message,
    next_messages,
    run,
    same,
    send,
    test,
    texts,
    web_socket_client,
)


@test("MSG-4, MSG-6: every property arrives unchanged")
def properties():
    queue = fresh_queue()
    with client() as c:
        with c.get_queue_sender(queue) as sender:
            sender.send_messages(
                ServiceBusMessage(
                    b"body",
                    application_properties={"text": "red", "number": 7, "flag": True, "half": 0.5},
                    message_id="id-1",
                    correlation_id="c-1",
                    content_type="text/plain",
                    subject="invoice",
                    to="to",
                    reply_to="answers",
                    reply_to_session_id="r",
                    time_to_live=datetime.timedelta(hours=1),
                )
            )
        with deleting(c, queue) as receiver:
            m = next_message(receiver)
    same("body", str(m))
    same(
        {b"text": b"red", b"number": 7, b"flag": True, b"half": 0.5},
        m.application_properties,
    )
    same("id-1", m.message_id)
    same("c-1", m.correlation_id)
    same("text/plain", m.content_type)
    same("invoice", m.subject)
    same("to", m.to)
    same("answers", m.reply_to)
    same("r", m.reply_to_session_id)
    same(datetime.timedelta(hours=1), m.time_to_live)
    same(m.enqueued_time_utc + datetime.timedelta(hours=1), m.expires_at_utc)


@test("MSG-8: a list and a batch are stored in order")
def batches():
    queue = fresh_queue()
    with client() as c:
        with c.get_queue_sender(queue) as sender:
            sender.send_messages([message("1"), message("2")])
            batch = sender.create_message_batch()
            for i in range(3, 51):
                batch.add_message(message(str(i)))
            sender.send_messages(batch)
        with deleting(c, queue) as receiver:
            same([str(i) for i in range(1, 51)], texts(next_messages(receiver, 50)))


@test("QUOTA-5: a message of 250 KB passes, a larger one is rejected because of its size")
def large():
    queue = fresh_queue()
    body = uuid.uuid4().bytes * 16_000
    with client() as c:
        with c.get_queue_sender(queue) as sender:
            sender.send_messages(message(body))
            fails(MessageSizeExceededError, sender.send_messages, message(body + body))
        with deleting(c, queue) as receiver:
            same(body, b"".join(next_message(receiver).body))


@test("GEN-1: a queue that does not exist is reported as such, to senders and receivers")
def missing():
    with client() as c:
        # This SDK reports every error of $cbs as an authentication failure with the text of the error.
        sender = c.get_queue_sender(name("missing"))
        error = fails(ServiceBusAuthenticationError, sender.send_messages, message("m"))
        assert "could not be found" in str(error), error
        receiver = c.get_queue_receiver(name("missing"))
        error = fails(ServiceBusAuthenticationError, receiver.receive_messages, max_wait_time=1)
        assert "could not be found" in str(error), error


@test("Wire 12: messages are sent through a WebSocket inside TLS")
def over_web_socket():
    queue = fresh_queue()
    with web_socket_client() as c:
        send(c, queue, "m")
        with c.get_queue_receiver(queue) as receiver:
            m = next_message(receiver)
            same("m", str(m))
            receiver.complete_message(m)


run()
