import { createTypeCatalog } from '../../../src/apis/catalog.ts';
import { kindRules, type RuleContext } from '../../../src/apis/index.ts';
import { orchDialect } from '../../../src/machinery/dialect.ts';
import { defaultGates } from '../../support/default-gates.ts';

const catalog = createTypeCatalog(orchDialect);

/** A context as a server with default gates has it. */
export function makeContext(overrides: Partial<RuleContext> = {}): RuleContext {
  return {
    dialect: orchDialect,
    catalog,
    gates: defaultGates(),
    now: '2021-02-03T04:05:06Z',
    user: { name: 'alice', uid: 'u1', groups: ['devs'], extra: {} },
    allowsPrivileged: true,
    ...overrides,
  };
}

type Fields = Record<string, unknown>;

/** An object in canonical form. */
export function makeObject(kind: string, fields: Fields): Fields {
  const metadata = { name: 'x', namespace: 'n', ...(fields.metadata as Fields | undefined) };
  return catalog.type(kind).decode({ ...fields, metadata });
}

const rulesOf = (kind: string) => {
  const rules = kindRules[kind];
  if (rules === undefined) throw new RangeError(`no rules for ${kind}`);
  // Tests pass objects of the kind that they name.
  return rules as unknown as import('../../../src/apis/index.ts').KindRules<Fields>;
};

/** Prepares and validates a new object; answers it and the texts of its errors. */
export function create(kind: string, fields: Fields, overrides: Partial<RuleContext> = {}) {
  const rules = rulesOf(kind);
  const context = makeContext(overrides);
  const object = makeObject(kind, fields);
  rules.prepareForCreate?.(object, context);
  const errors = rules.validate?.(object, context) ?? [];
  if (errors.length === 0) errors.push(...(rules.validateLast?.(object, undefined, context) ?? []));
  return { object, errors: errors.map(String) };
}

/** Prepares and validates an update, or with `way` a write of a subresource. */
export function update(
  kind: string,
  old: Fields,
  fields: Fields,
  { way, ...overrides }: Partial<RuleContext> & { readonly way?: string } = {},
) {
  const rules = rulesOf(kind);
  const context = makeContext(overrides);
  const object = makeObject(kind, fields);
  const before = makeObject(kind, old);
  const write = way === undefined ? rules : way === 'status' ? rules.status : rules.subresources?.[way];
  write?.prepareForUpdate?.(object, before, context);
  const errors = [
    ...(write?.validateKept?.(object, before, context) ?? []),
    ...(write?.validateUpdate?.(object, before, context) ?? []),
  ];
  if (way === undefined && errors.length === 0) {
    rules.prepareLast?.(object, before);
    errors.push(...(rules.validateLast?.(object, before, context) ?? []));
  }
  return { object, errors: errors.map(String) };
}
