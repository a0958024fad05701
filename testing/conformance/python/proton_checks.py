"""Checks with Qpid Proton, an ordinary AMQP client. Prints its results like support.run()."""
import os
import sys
import traceback

from proton import Delivery, Message, SSLDomain, symbol
from proton.reactor import Filter, LinkOption, Selector
from proton.utils import BlockingConnection, LinkDetached

PORT = int(os.environ["JITNEY_AMQP_PORT"])
TLS_PORT = int(os.environ["JITNEY_AMQPS_PORT"])
PATIENCE = 30
SHORTLY = 1

_checks = []


def check(name):
    """Registers a check. Its name is the proven statement; its argument is a new queue."""

    def register(function):
        _checks.append((name, function))
        return function

    return register


def connect(tls=False, **options):
    """Returns a connection with user and password."""
    if tls:
        domain = SSLDomain(SSLDomain.MODE_CLIENT)
        domain.set_trusted_ca_db(os.environ["JITNEY_CA_FILE"])
        domain.set_peer_authentication(SSLDomain.VERIFY_PEER_NAME)
        options["ssl_domain"] = domain
    return BlockingConnection(
        f"{'amqps' if tls else 'amqp'}://localhost:{TLS_PORT if tls else PORT}",
        timeout=PATIENCE,
        user="RootManageSharedAccessKey",
        password="SAS_KEY_VALUE",
        allow_insecure_mechs=True,
        **options,
    )


def plain(tls=False):
    """Returns a connection that allows only SASL PLAIN."""
    return connect(tls, allowed_mechs="PLAIN")


def same(expected, actual):
    """Checks that two values are equal."""
    assert expected == actual, f"Expected {expected!r}, but got {actual!r}."


def receives_nothing(receiver):
    """Checks that there are no messages."""
    try:
        message = receiver.receive(timeout=SHORTLY)
    except Exception as e:  # pylint: disable=broad-except
        assert "timed out" in str(e).lower(), e
        return
    raise AssertionError(f"Expected no message, but got {message}.")


@check("Wire 3, RECV-1: SASL PLAIN gives the rights to send and to receive, accepted completes")
def completes(queue):
    connection = plain()
    sender = connection.create_sender(queue)
    same(
        Delivery.ACCEPTED,
        sender.send(Message(id="id-1", body="body", subject="s", properties={"color": "red"})).remote_state,
    )
    receiver = connection.create_receiver(queue, credit=1)
    message = receiver.receive(timeout=PATIENCE)
    same(("id-1", "body", "s", "red"), (message.id, message.body, message.subject, message.properties["color"]))
    receiver.accept()
    receives_nothing(receiver)
    connection.close()


@check("Wire 3, Wire 12: SASL PLAIN inside TLS")
def tls(queue):
    connection = plain(tls=True)
    connection.create_sender(queue).send(Message(body="body"))
    receiver = connection.create_receiver(queue, credit=1)
    same("body", receiver.receive(timeout=PATIENCE).body)
    receiver.accept()
    connection.close()


@check("Wire 2, Wire 3: a client with user and password that chooses the mechanism itself has their rights")
def chooses(queue):
    connection = connect()
    same(Delivery.ACCEPTED, connection.create_sender(queue).send(Message(body="body")).remote_state)
    connection.close()


@check("Wire 47, LOCK-14: released and modified make a message available, rejected dead-letters it")
def settles(queue):
    connection = plain()
    connection.create_sender(queue).send(Message(body="body"))
    receiver = connection.create_receiver(queue, credit=1)
    same(0, receiver.receive(timeout=PATIENCE).delivery_count)
    receiver.release(delivered=False)
    same(0, receiver.receive(timeout=PATIENCE).delivery_count)
    receiver.release(delivered=True)
    same(1, receiver.receive(timeout=PATIENCE).delivery_count)
    receiver.reject()
    receives_nothing(receiver)
    dead = connection.create_receiver(queue + "/$DeadLetterQueue", credit=1)
    same("body", dead.receive(timeout=PATIENCE).body)
    dead.accept()
    connection.close()


class AtMostOnce(LinkOption):
    """Requests settled deliveries."""

    def apply(self, link):
        link.snd_settle_mode = link.SND_SETTLED


@check("Wire 29, RECV-2: settled deliveries are removed")
def at_most_once(queue):
    connection = plain()
    connection.create_sender(queue).send(Message(body="body"))
    receiver = connection.create_receiver(queue, credit=1, options=AtMostOnce())
    same("body", receiver.receive(timeout=PATIENCE).body)
    receiver.close()
    receives_nothing(connection.create_receiver(queue, credit=1))
    connection.close()


@check("Wire 46, QUOTA-5: a message of 250 KB is sent and received in several frames")
def large(queue):
    connection = plain()
    body = os.urandom(250_000)
    connection.create_sender(queue).send(Message(body=body))
    receiver = connection.create_receiver(queue, credit=1)
    same(body, bytes(receiver.receive(timeout=PATIENCE).body))
    receiver.accept()
    connection.close()


@check("Wire 69, SESS-4: a session is accepted with a filter")
def session(queue):
    queue = queue + "-sessions"
    connection = plain()
    connection.create_sender(queue).send(Message(body="body", group_id="a"))
    session_filter = Filter({symbol("com.microsoft:session-filter"): "a"})
    receiver = connection.create_receiver(queue, credit=1, options=session_filter)
    message = receiver.receive(timeout=PATIENCE)
    same(("a", "body"), (message.group_id, message.body))
    receiver.accept()
    connection.close()


@check("Wire 3.3: a selector is rejected, and no message is removed")
def selector(queue):
    connection = plain()
    connection.create_sender(queue).send(Message(body="body", properties={"color": "red"}))
    try:
        connection.create_receiver(queue, credit=1, options=Selector("color = 'blue'"))
    except LinkDetached as e:
        same("amqp:not-implemented", e.condition)
    else:
        raise AssertionError("Expected the selector to be rejected, but the link was attached.")
    receiver = connection.create_receiver(queue, credit=1)
    same("body", receiver.receive(timeout=PATIENCE).body)
    receiver.accept()
    connection.close()


@check("Wire 3: a wrong password has no rights")
def wrong_password(_):
    try:
        BlockingConnection(
            f"amqp://localhost:{PORT}",
            timeout=PATIENCE,
            user="RootManageSharedAccessKey",
            password="wrong",
            allowed_mechs="PLAIN",
            allow_insecure_mechs=True,
            reconnect=False,
        )
    except Exception as e:  # pylint: disable=broad-except
        assert "unauthorized" in str(e).lower() or "authentication" in str(e).lower(), e
        return
    raise AssertionError("Expected the connection to be rejected, but it was opened.")


for number, (name, function) in enumerate(_checks):
    try:
        function(f"proton-{number}")
        print("PASS " + name, flush=True)
    except Exception:  # pylint: disable=broad-except
        print("FAIL " + name)
        traceback.print_exc(file=sys.stdout)
        print("END", flush=True)
