import { ownData } from '../../base/index.ts';
import { type Dialect, translateData } from '../../machinery/dialect.ts';
import type { TypeCatalog } from '../../machinery/schema/index.ts';
import { roundQuantityText } from '../../machinery/values/index.ts';
import { compileConstantRule } from './constant-rule.ts';
import type { DefaultContext, DefaultRuleData } from './default-rule.ts';
import data from './defaults.json' with { type: 'json' };
import { defaultRules } from './rules/index.ts';

/** What decides which defaults apply. */
export interface DefaulterOptions {
  readonly dialect: Dialect;
  readonly catalog: TypeCatalog;
  /** Enabled feature gates. */
  readonly gates: ReadonlySet<string>;
}

/**
 * Sets the defaults of a kind (`v1.Pod`, `apps/v1.Deployment`; in the dialect's names) in place, everywhere inside the object,
 * and resolves alias fields. The object is canonical of that type; afterwards its fields may be out of order.
 * Repeating it changes nothing.
 *
 * @throws RangeError when the catalog has no such type.
 */
export type ApplyDefaults = (typeName: string, object: object) => void;

type Fields = Record<string, unknown>;
type Step = (object: Fields) => void;

/** A type's rules and the fields below which more rules wait. Empty for most types. */
interface Node {
  readonly steps: Step[];
  readonly children: Array<{
    readonly name: string;
    readonly shape: 'message' | 'list' | 'map';
    readonly node: Node;
  }>;
}

// Every map of amounts is a resource list; amounts are kept to the milli, but for those of a group without defaults.
const resourceList = 'map<string,resource.Quantity>';
const withoutDefaults = /^node\./;
// Types with a JSON form of their own, metadata, and schemas: nothing inside them has a default.
const plainTypes =
  /^(resource|intstr|runtime)\.|\.(ObjectMeta|ListMeta|Time|MicroTime|Duration|FieldsV1|Verbs|ExtraValue|JSON\w*)$/;

/** Makes the defaulter of a server. A type's walker is made when first needed. */
export function createDefaulter(options: DefaulterOptions): ApplyDefaults {
  const nodes = new Map<string, Node>();
  // The inferred type of the file has one shape per entry; every entry is one of the two rule forms.
  const rules = translateData(options.dialect, ownData<Record<string, DefaultRuleData[]>>(data));
  const context = { dialect: options.dialect, gates: options.gates };
  return (typeName, object) => {
    const node = buildNode(typeName, { catalog: options.catalog, rules, nodes, context });
    // Callers pass canonical objects: plain records.
    applyNode(node, object as Fields);
  };
}

interface BuildState {
  readonly catalog: TypeCatalog;
  readonly rules: Readonly<Record<string, readonly DefaultRuleData[]>>;
  readonly nodes: Map<string, Node>;
  readonly context: DefaultContext;
}

function buildNode(typeName: string, state: BuildState): Node {
  const known = state.nodes.get(typeName);
  if (known !== undefined) return known;
  // Entered before its children: a type that contains itself finds this node. A cycle through a type without
  // rules of its own is dropped as empty; no type of the API has rules inside a cycle.
  const node: Node = { steps: buildSteps(typeName, state), children: [] };
  state.nodes.set(typeName, node);
  for (const field of state.catalog.type(typeName).fields) {
    if (field.type === resourceList) {
      if (withoutDefaults.test(typeName)) continue;
      node.steps.push((object) => roundResources(object[field.name]));
      continue;
    }
    const { shape, element } = parseShape(field.type);
    if (!isMessage(element)) continue;
    const child = buildNode(element, state);
    if (child.steps.length + child.children.length > 0)
      node.children.push({ name: field.name, shape, node: child });
  }
  return node;
}

function buildSteps(typeName: string, { catalog, rules, context }: BuildState): Step[] {
  const active = (rules[typeName] ?? []).filter(({ gate }) => gate === undefined || context.gates.has(gate));
  return active.map((rule) => {
    if ('path' in rule) return compileConstantRule(catalog, typeName, rule);
    const apply = defaultRules[rule.rule];
    if (apply === undefined) throw new RangeError(`default of ${typeName}: no rule "${rule.rule}"`);
    // The data names the rule for this type, and the object is canonical of it.
    return (object) => apply(object as never, context);
  });
}

function parseShape(type: string): { shape: 'message' | 'list' | 'map'; element: string } {
  if (type.startsWith('list<')) return { shape: 'list', element: type.slice(5, -1) };
  if (type.startsWith('map<string,')) return { shape: 'map', element: type.slice(11, -1) };
  return { shape: 'message', element: type };
}

/** True for types that have fields of interest: no scalars, no values with a text form of their own. */
function isMessage(type: string): boolean {
  return type.includes('.') && !plainTypes.test(type);
}

function applyNode(node: Node, object: Fields): void {
  const { steps, children } = node;
  for (let i = 0; i < steps.length; i++) steps[i]?.(object);
  for (let i = 0; i < children.length; i++) {
    const child = children[i];
    const value = child === undefined ? undefined : object[child.name];
    if (child === undefined || value === undefined || value === null) continue;
    // The catalog's type of the field says which of the three the value is.
    if (child.shape === 'message') applyNode(child.node, value as Fields);
    else for (const item of listItems(child.shape, value)) applyNode(child.node, item);
  }
}

function listItems(shape: 'list' | 'map', value: unknown): readonly Fields[] {
  // Canonical lists and maps of messages hold messages only.
  return shape === 'list' ? (value as Fields[]) : (Object.values(value as Fields) as Fields[]);
}

const milliScale = -3;

/**
 * Rounds every amount that is finer than a thousandth away from zero to the next thousandth, in place. Amounts
 * are in canonical text, where only `n`, `u` and negative exponents are that fine. Other values are left alone.
 */
function roundResources(resources: unknown): void {
  if (typeof resources !== 'object' || resources === null) return;
  // A canonical resource list maps names to texts.
  const amounts = resources as Record<string, unknown>;
  for (const name in amounts) {
    const amount = amounts[name];
    if (typeof amount === 'string' && isMaybeFine(amount)) {
      amounts[name] = roundQuantityText(amount, milliScale);
    }
  }
}

function isMaybeFine(amount: string): boolean {
  const last = amount.charCodeAt(amount.length - 1);
  return last === 110 /* n */ || last === 117 /* u */ || amount.includes('e-');
}
