"""Tests of the administration client, over TLS with the authority of --tls auto."""
import datetime

from azure.core.exceptions import (
    HttpResponseError,
    ResourceExistsError,
    ResourceNotFoundError,
)
from azure.servicebus.management import (
    AuthorizationRule,
    CorrelationRuleFilter,
    SqlRuleAction,
    SqlRuleFilter,
)

import support
from support import admin, client, fails, fresh_queue, name, next_message, run, same, send, test


@test("ENT-1: a queue created without options has the defaults")
def defaults():
    queue = name()
    with admin() as a:
        for q in (a.create_queue(queue), a.get_queue(queue)):
            same(queue, q.name)
            same(datetime.timedelta(minutes=1), q.lock_duration)
            same(10, q.max_delivery_count)
            same(False, q.requires_session)
            same(False, q.requires_duplicate_detection)
            same(datetime.timedelta(minutes=10), q.duplicate_detection_history_time_window)
            same("Active", q.status)


@test("ENT-1: every option of a queue is kept, and updates change and clear")
def options():
    queue, target = name(), fresh_queue()
    with admin() as a:
        a.create_queue(
            queue,
            auto_delete_on_idle=datetime.timedelta(days=2),
            dead_lettering_on_message_expiration=True,
            default_message_time_to_live=datetime.timedelta(hours=3),
            duplicate_detection_history_time_window=datetime.timedelta(minutes=7),
            enable_batched_operations=False,
            forward_dead_lettered_messages_to=target,
            lock_duration=datetime.timedelta(seconds=45),
            max_delivery_count=3,
            max_size_in_megabytes=2048,
            requires_duplicate_detection=True,
            requires_session=True,
            user_metadata="a <b> & c",
            authorization_rules=[
                AuthorizationRule(
                    type="SharedAccessAuthorizationRule",
                    claim_type="SharedAccessKey",
                    claim_value="None",
                    rights=["Send", "Listen"],
                    key_name="both",
                    primary_key="AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
                    secondary_key="HxECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
                )
            ],
        )
        q = a.get_queue(queue)
        same(datetime.timedelta(days=2), q.auto_delete_on_idle)
        same(True, q.dead_lettering_on_message_expiration)
        same(datetime.timedelta(hours=3), q.default_message_time_to_live)
        same(datetime.timedelta(minutes=7), q.duplicate_detection_history_time_window)
        same(datetime.timedelta(seconds=45), q.lock_duration)
        same(3, q.max_delivery_count)
        same((True, True), (q.requires_session, q.requires_duplicate_detection))
        same("a <b> & c", q.user_metadata)
        assert q.forward_dead_lettered_messages_to.lower().endswith("/" + target), q.forward_dead_lettered_messages_to
        same(["both"], [r.key_name for r in q.authorization_rules])
        q.lock_duration = datetime.timedelta(seconds=30)
        q.forward_dead_lettered_messages_to = None
        q.status = "SendDisabled"
        a.update_queue(q)
        q = a.get_queue(queue)
        same((datetime.timedelta(seconds=30), "SendDisabled"), (q.lock_duration, q.status))
        same(None, q.forward_dead_lettered_messages_to)


@test("HTTP checklist 20 and 54: create twice, read a missing queue, delete twice")
def life_cycle():
    queue = name()
    with admin() as a:
        a.create_queue(queue)
        fails(ResourceExistsError, a.create_queue, queue)
        a.delete_queue(queue)
        fails(ResourceNotFoundError, a.delete_queue, queue)
        fails(ResourceNotFoundError, a.get_queue, queue)
        fails(ResourceNotFoundError, a.get_subscription, fresh_topic_name(a), "missing")


def fresh_topic_name(a):
    """Returns a new topic without subscriptions."""
    topic = name("python-topic")
    a.create_topic(topic)
    return topic


@test("HTTP checklist 14: names with slashes")
def slashes():
    queue = name() + "/b"
    with admin() as a:
        a.create_queue(queue)
        same(queue, a.get_queue(queue).name)
        with client() as c:
            send(c, queue, "m")
            with c.get_queue_receiver(queue) as receiver:
                same("m", str(next_message(receiver)))
        a.delete_queue(queue)


@test("HTTP checklist 61, CNT-1: runtime properties count messages")
def runtime():
    queue = fresh_queue()
    with client() as c, admin() as a:
        send(c, queue, "1", "2", "3")
        with c.get_queue_sender(queue) as sender:
            later = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(hours=1)
            sender.schedule_messages(support.message("4"), later)
        with c.get_queue_receiver(queue) as receiver:
            receiver.dead_letter_message(next_message(receiver))
        r = a.get_queue_runtime_properties(queue)
        same((2, 1, 1), (r.active_message_count, r.scheduled_message_count, r.dead_letter_message_count))
        same(4, r.total_message_count)
        assert r.created_at_utc <= r.accessed_at_utc, f"Expected {r.created_at_utc} before {r.accessed_at_utc}."


@test("ENT-1: topics and subscriptions keep their options")
def topics():
    topic = name("python-topic")
    with admin() as a:
        a.create_topic(topic, default_message_time_to_live=datetime.timedelta(hours=1), support_ordering=True)
        t = a.get_topic(topic)
        same(datetime.timedelta(hours=1), t.default_message_time_to_live)
        t.user_metadata = "changed"
        a.update_topic(t)
        same("changed", a.get_topic(topic).user_metadata)
        a.create_subscription(topic, "s", max_delivery_count=4, requires_session=True)
        s = a.get_subscription(topic, "s")
        same((4, True), (s.max_delivery_count, s.requires_session))
        s.lock_duration = datetime.timedelta(seconds=20)
        a.update_subscription(topic, s)
        same(datetime.timedelta(seconds=20), a.get_subscription(topic, "s").lock_duration)
        same(1, a.get_topic_runtime_properties(topic).subscription_count)
        same(0, a.get_subscription_runtime_properties(topic, "s").active_message_count)
        a.delete_subscription(topic, "s")
        same([], list(a.list_subscriptions(topic)))
        a.delete_topic(topic)


@test("HTTP checklist 49: rules keep their texts and the types of their values")
def rules():
    with admin() as a:
        topic = fresh_topic_name(a)
        a.create_subscription(topic, "s")
        a.create_rule(
            topic,
            "s",
            "sql",
            filter=SqlRuleFilter("a = @a AND b > @b", parameters={"@a": "red", "@b": 5}),
            action=SqlRuleAction("SET n = @n", parameters={"@n": 1}),
        )
        moment = datetime.datetime(2026, 11, 20, 10, 0, 0)
        values = {"text": "red", "number": 7, "half": 0.5, "flag": True, "time": moment}
        a.create_rule(
            topic, "s", "correlation", filter=CorrelationRuleFilter(correlation_id="c-1", properties=values)
        )
        sql = a.get_rule(topic, "s", "sql")
        same(("a = @a AND b > @b", {"@a": "red", "@b": 5}), (sql.filter.sql_expression, sql.filter.parameters))
        same("SET n = @n", sql.action.sql_expression)
        correlation = a.get_rule(topic, "s", "correlation").filter
        same("c-1", correlation.correlation_id)
        kept = dict(correlation.properties)
        kept["time"] = kept["time"].replace(tzinfo=None)
        same(values, kept)
        same({"$Default", "sql", "correlation"}, {r.name for r in a.list_rules(topic, "s")})


@test("HTTP checklist 56: 120 queues are listed completely and once")
def listing():
    prefix = name("listed")
    with admin() as a:
        queues = [f"{prefix}-{i}" for i in range(120)]
        for queue in queues:
            a.create_queue(queue)
        listed = [q.name for q in a.list_queues() if q.name.startswith(prefix)]
        same(sorted(queues), sorted(listed))
        counted = [q.name for q in a.list_queues_runtime_properties() if q.name.startswith(prefix)]
        same(sorted(queues), sorted(counted))
        for queue in queues:
            a.delete_queue(queue)


@test("HTTP checklist 62: the namespace")
def namespace():
    with admin() as a:
        n = a.get_namespace_properties()
        same("Messaging", n.namespace_type)
        assert n.messaging_sku, "Expected a tier, but got none."


@test("HTTP checklist 4: a wrong key is rejected")
def wrong_key():
    wrong = support.ADMIN_CONNECTION_STRING.rpartition("SharedAccessKey=")[0] + "SharedAccessKey=wrong"
    with admin(wrong) as a:
        error = fails(HttpResponseError, a.get_queue, "q")
        same(401, error.status_code)


@test("ENT-1, HTTP 5.2: values out of range are rejected")
def out_of_range():
    with admin() as a:
        fails(HttpResponseError, a.create_queue, name(), lock_duration=datetime.timedelta(minutes=6))


run()
