"""Tests of topics, subscriptions and filters."""
import datetime

from azure.servicebus import ServiceBusMessage, ServiceBusSubQueue
from azure.servicebus.management import (
    CorrelationRuleFilter,
    FalseRuleFilter,
    SqlRuleAction,
    SqlRuleFilter,
    TrueRuleFilter,
)

from support import (
    admin,
    assert_none,
    client,
    fresh_topic,
    message,
    next_message,
    next_messages,
    run,
    same,
    test,
    texts,
)


def publish(c, topic, *messages):
    """Sends messages to a topic."""
    with c.get_topic_sender(topic) as sender:
        for m in messages:
            sender.send_messages(m)


@test("RULE-1: every subscription gets its own copy")
def copies():
    topic = fresh_topic(("one", "two"))
    with client() as c:
        publish(c, topic, message("m", subject="s"))
        for subscription in ("one", "two"):
            with c.get_subscription_receiver(topic, subscription) as receiver:
                m = next_message(receiver)
                same(("m", "s"), (str(m), m.subject))
                receiver.complete_message(m)
                assert_none(receiver)


@test("MSG-8: a batch arrives in a subscription in order")
def batch():
    topic = fresh_topic()
    with client() as c:
        with c.get_topic_sender(topic) as sender:
            sender.send_messages([message(str(i)) for i in range(30)])
        with c.get_subscription_receiver(topic, "s") as receiver:
            same([str(i) for i in range(30)], texts(next_messages(receiver, 30)))


@test("FILTER-6, FILTER-26, RULE-7: SQL and correlation filters select messages, actions change them")
def filters():
    topic = fresh_topic(("sql", "correlation", "nothing"))
    with admin() as a:
        for subscription in ("sql", "correlation", "nothing"):
            a.delete_rule(topic, subscription, "$Default")
        a.create_rule(
            topic,
            "sql",
            "many",
            filter=SqlRuleFilter("number > @n AND sys.Label = 'invoice'", parameters={"@n": 5}),
            action=SqlRuleAction("SET big = 'yes'"),
        )
        a.create_rule(
            topic,
            "correlation",
            "red",
            filter=CorrelationRuleFilter(label="invoice", properties={"color": "red"}),
        )
        a.create_rule(topic, "nothing", "none", filter=FalseRuleFilter())
    with client() as c:
        publish(
            c,
            topic,
            message("1", subject="invoice", application_properties={"number": 7, "color": "blue"}),
            message("2", subject="invoice", application_properties={"number": 3, "color": "red"}),
            message("3", application_properties={"number": 9, "color": "red"}),
        )
        with c.get_subscription_receiver(topic, "sql") as receiver:
            m = next_message(receiver)
            same(("1", b"yes"), (str(m), m.application_properties[b"big"]))
            assert_none(receiver)
        with c.get_subscription_receiver(topic, "correlation") as receiver:
            same("2", str(next_message(receiver)))
            assert_none(receiver)
        with c.get_subscription_receiver(topic, "nothing") as receiver:
            assert_none(receiver)


@test("RULE-2, RULE-11: rules are read, changed and deleted, with immediate effect")
def rules():
    topic = fresh_topic()
    with admin() as a, client() as c:
        rule = a.get_rule(topic, "s", "$Default")
        assert isinstance(rule.filter, TrueRuleFilter), f"Expected a true filter, but got {rule.filter}."
        rule.filter = SqlRuleFilter("color = 'red'")
        a.update_rule(topic, "s", rule)
        same(["$Default"], [r.name for r in a.list_rules(topic, "s")])
        same("color = 'red'", a.get_rule(topic, "s", "$Default").filter.sql_expression)
        publish(
            c,
            topic,
            message("blue", application_properties={"color": "blue"}),
            message("red", application_properties={"color": "red"}),
        )
        with c.get_subscription_receiver(topic, "s") as receiver:
            same("red", str(next_message(receiver)))
            assert_none(receiver)


@test("SCHED-7: a scheduled message waits at the topic")
def scheduled():
    topic = fresh_topic()
    with client() as c, c.get_topic_sender(topic) as sender:
        later = datetime.datetime.now(datetime.timezone.utc)
        cancelled = sender.schedule_messages(message("cancelled"), later + datetime.timedelta(seconds=600))
        sender.schedule_messages(message("m"), later + datetime.timedelta(seconds=1))
        sender.cancel_scheduled_messages(cancelled)
        with c.get_subscription_receiver(topic, "s") as receiver:
            same("m", str(next_message(receiver)))
            assert_none(receiver)


@test("DLQ-1, DEFER-1: a subscription defers and has its own dead-letter queue")
def dead_letters():
    topic = fresh_topic()
    with client() as c:
        publish(c, topic, message("m"))
        with c.get_subscription_receiver(topic, "s") as receiver:
            m = next_message(receiver)
            receiver.defer_message(m)
            m = receiver.receive_deferred_messages(m.sequence_number)[0]
            receiver.dead_letter_message(m, reason="Invalid")
            assert_none(receiver)
        with c.get_subscription_receiver(topic, "s", sub_queue=ServiceBusSubQueue.DEAD_LETTER) as receiver:
            same("Invalid", next_message(receiver).dead_letter_reason)


@test("FWD-1: a subscription forwards to a queue")
def forwards():
    topic = fresh_topic(())
    with admin() as a:
        queue = topic + "-target"
        a.create_queue(queue)
        a.create_subscription(topic, "s", forward_to=queue)
    with client() as c:
        publish(c, topic, ServiceBusMessage("m"))
        with c.get_queue_receiver(queue) as receiver:
            same("m", str(next_message(receiver)))


run()
