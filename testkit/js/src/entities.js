// The entities of a namespace: from the short form to the format of the emulator's Config.json.

/** Returns one element of `UserConfig.Namespaces`, without a name. */
export function namespaceConfig({ queues = [], topics = [] }) {
  return { Queues: queues.map((queue) => described(queue)), Topics: topics.map(topic) };
}

function topic(given) {
  if (typeof given === 'string') {
    return { Name: given };
  }
  const { subscriptions = [], ...rest } = given;
  return { ...described(rest), Subscriptions: subscriptions.map(subscription) };
}

function subscription(given) {
  if (typeof given === 'string') {
    return { Name: given };
  }
  const { sql, action, correlation, ...rest } = given;
  const config = described(rest);
  if (sql === undefined && correlation === undefined) {
    if (action !== undefined) {
      throw new TypeError(`Expected sql or correlation beside the action of the subscription '${rest.name}'.`);
    }
    return config;
  }
  const properties =
    sql === undefined
      ? { FilterType: 'Correlation', CorrelationFilter: capitals(correlation) }
      : { FilterType: 'Sql', SqlFilter: { SqlExpression: sql } };
  if (action !== undefined) {
    properties.Action = { SqlExpression: action };
  }
  config.Rules = [{ Name: 'rule', Properties: properties }];
  return config;
}

function described(given) {
  if (typeof given === 'string') {
    return { Name: given };
  }
  const { name, ...properties } = given;
  if (typeof name !== 'string') {
    throw new TypeError(`Expected an entity with a name, but got ${JSON.stringify(given)}.`);
  }
  return { Name: name, Properties: capitals(properties) };
}

function capitals(members) {
  return Object.fromEntries(
    Object.entries(members).map(([name, value]) => [name[0].toUpperCase() + name.slice(1), value]),
  );
}
