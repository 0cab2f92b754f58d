/** Types of the scenarios' fields and short forms of what is owned. */
export const text = { type: 'string' };
export const number = { type: 'integer' };
export const map = { type: 'object', additionalProperties: text };
export const set = { type: 'array', 'x-orch-list-type': 'set', items: text };
export const atomic = { type: 'array', items: text };
/** A list of objects that are told apart by their `name`. */
export const keyedOf = (properties: Readonly<Record<string, unknown>>) => ({
  type: 'array',
  'x-orch-list-type': 'map',
  'x-orch-list-map-keys': ['name'],
  items: { type: 'object', properties: { name: text, ...properties } },
});
export const keyed = keyedOf({ v: number, inner: map });
export const ports = {
  type: 'array',
  'x-orch-list-type': 'map',
  'x-orch-list-map-keys': ['port', 'protocol'],
  items: { type: 'object', properties: { port: number, protocol: { ...text, default: 'TCP' }, note: text } },
};

/** `fieldsV1` of fields without anything below. */
export const own = (...names: string[]) => Object.fromEntries(names.map((name) => [`f:${name}`, {}]));
/** `fieldsV1` of an item of a keyed list. */
export const key = (name: string, ...names: string[]) => ({
  [`k:{"name":"${name}"}`]: { '.': {}, ...own('name', ...names) },
});
