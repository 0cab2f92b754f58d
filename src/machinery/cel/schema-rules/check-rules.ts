import { isJsonObject } from '../../../base/index.ts';
import type { Dialect } from '../../dialect.ts';
import {
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalidValue,
  notSupported,
  required,
} from '../../errors/index.ts';
import { extensionNames, type SchemaNode, schemaAt, textAt } from '../../schema/structural/index.ts';
import { maxRequestSize } from '../estimate.ts';
import { schemaType } from '../schema-types.ts';
import { stepsOfPath } from './refusals.ts';
import { readRule, ruleOf } from './rule.ts';
import { rulesAt } from './rule-node.ts';

/** Steps that a rule, and all of them, may take by the sizes that schemas allow. Source: apiextensions, `StaticEstimated...Limit`. */
const [maxRuleCost, maxTotalCost] = [10_000_000, 100_000_000];
/** Letters of all rules of a schema: they are compiled at once. */
export const maxLetters = 65_536;
const reasons = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];
const members = ['rule', 'message', 'messageExpression', 'reason', 'fieldPath', 'optionalOldSelf'];

/** What is gathered while a schema is walked. */
interface Walk {
  readonly errors: FieldError[];
  readonly dialect: Dialect;
  cost: number;
  letters: number;
}

/** How many times a place may be in one object, and whether its values have old ones. */
interface Standing {
  readonly count: number;
  readonly hasOld: boolean;
  readonly isRoot: boolean;
}

/** Errors of the rules of a structural schema: texts, types, and what they might cost. */
export function checkRules(schema: SchemaNode, path: FieldPath, dialect: Dialect): FieldError[] {
  const walk: Walk = { errors: [], dialect, cost: 0, letters: 0 };
  visit(walk, schema, path, { count: 1, hasOld: true, isRoot: true });
  if (walk.letters > maxLetters) {
    return [forbiddenField(path, `rules must have at most ${maxLetters} letters together`)];
  }
  if (walk.cost > maxTotalCost) {
    const detail = `${extensionNames(dialect).validations} estimated rule cost total for entire OpenAPIv3 schema`;
    walk.errors.push(forbiddenField(path, `${detail} ${excess(walk.cost, maxTotalCost)}`));
  }
  return walk.errors;
}

function visit(walk: Walk, node: SchemaNode, path: FieldPath, standing: Standing): void {
  const names = extensionNames(walk.dialect);
  const field = names.validations;
  const given = node[field];
  if (given !== undefined && given !== null) {
    if (!Array.isArray(given) || !given.every(isJsonObject)) {
      walk.errors.push(invalidValue(path.child(field), '', 'must be a list of rules'));
    } else checkAt(walk, node, path, standing);
  }
  const properties = schemaAt(node, 'properties') ?? {};
  for (const name of Object.keys(properties)) {
    const child = schemaAt(properties, name);
    if (child !== undefined)
      visit(walk, child, path.child('properties').key(name), { ...standing, isRoot: false });
  }
  const items = schemaAt(node, 'items');
  if (items !== undefined) {
    const count = standing.count * limitOf(node, 'maxItems');
    const hasOld = standing.hasOld && textAt(node, names.listType) === 'map';
    visit(walk, items, path.child('items'), { count, hasOld, isRoot: false });
  }
  const additional = schemaAt(node, 'additionalProperties');
  if (additional !== undefined) {
    const count = standing.count * limitOf(node, 'maxProperties');
    const hasOld = standing.hasOld && textAt(node, names.mapType) !== 'atomic';
    visit(walk, additional, path.child('additionalProperties'), { count, hasOld, isRoot: false });
  }
}

/** Without a limit there may be as many as a request has room for. */
function limitOf(node: SchemaNode, field: string): number {
  const limit = node[field];
  return typeof limit === 'number' ? limit : maxRequestSize / 4;
}

function checkAt(walk: Walk, node: SchemaNode, path: FieldPath, { count, hasOld, isRoot }: Standing): void {
  const { errors, dialect } = walk;
  const type = schemaType(node, dialect, isRoot);
  const { validations } = extensionNames(dialect);
  for (const [at, value] of rulesAt(node, validations).entries()) {
    const place = path.child(validations).index(at);
    const text = readRule(value);
    walk.letters += text.rule.length + text.messageExpression.length;
    // Told once, for the schema as a whole.
    if (walk.letters > maxLetters) return;
    checkMembers(errors, value, node, place);
    if (text.rule.trim() === '') {
      errors.push(required(place.child('rule'), 'rule is not specified'));
      continue;
    }
    if (type === undefined) {
      errors.push(
        invalidValue(place.child('rule'), text.rule, 'rules need a schema whose values have one type'),
      );
      continue;
    }
    const { check, message, usesOld } = ruleOf(value, type);
    if ('fault' in check) errors.push(invalidValue(place.child('rule'), text.rule, faultText(check.fault)));
    else checkCost(walk, check.estimatedCost * count, place.child('rule'));
    if (message !== undefined && 'fault' in message) {
      errors.push(
        invalidValue(place.child('messageExpression'), text.messageExpression, faultText(message.fault)),
      );
    }
    if (usesOld && !hasOld) {
      const detail = 'oldSelf cannot be used on the uncorrelatable portion of the schema';
      errors.push(invalidValue(place.child('rule'), text.rule, detail));
    }
  }
}

const faultText = (fault: string): string =>
  fault.startsWith('must evaluate') ? `cel expression ${fault}` : `compilation failed: ${fault}`;

function checkCost(walk: Walk, cost: number, path: FieldPath): void {
  walk.cost += cost;
  if (cost > maxRuleCost)
    walk.errors.push(forbiddenField(path, `estimated rule cost ${excess(cost, maxRuleCost)}`));
}

function excess(cost: number, limit: number): string {
  const factor = cost / limit;
  const shown = factor > 100 ? 'more than 100x' : `${factor.toFixed(1)}x`;
  return `exceeds budget by factor of ${shown} (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)`;
}

function checkMembers(
  errors: FieldError[],
  value: Readonly<Record<string, unknown>>,
  node: SchemaNode,
  path: FieldPath,
): void {
  for (const [name, member] of Object.entries(value)) {
    if (!members.includes(name)) errors.push(forbiddenField(path.child(name), 'unknown field of a rule'));
    else if (typeof member !== (name === 'optionalOldSelf' ? 'boolean' : 'string')) {
      const wanted = name === 'optionalOldSelf' ? 'a boolean' : 'a string';
      errors.push(invalidValue(path.child(name), typeof member, `must be ${wanted}`));
    }
  }
  const { rule, message, messageExpression, reason, fieldPath } = readRule(value);
  for (const [name, text] of Object.entries({ message, messageExpression })) {
    if (text !== '' && text.trim() === '') {
      errors.push(invalidValue(path.child(name), text, `${name} must be non-empty if specified`));
    }
  }
  if (message.trim().includes('\n')) {
    errors.push(invalidValue(path.child('message'), message, 'message must not contain line breaks'));
  }
  if (rule.trim().includes('\n') && message === '' && messageExpression === '') {
    errors.push(required(path.child('message'), 'message must be specified if rule contains line breaks'));
  }
  if (reason !== '' && !reasons.includes(reason))
    errors.push(notSupported(path.child('reason'), reason, reasons));
  if (fieldPath !== '' && !leadsSomewhere(fieldPath, node)) {
    errors.push(invalidValue(path.child('fieldPath'), fieldPath, 'fieldPath must be a valid path'));
  }
}

function leadsSomewhere(text: string, node: SchemaNode): boolean {
  let at: SchemaNode | undefined = node;
  for (const name of stepsOfPath(text) ?? ['']) {
    const properties: SchemaNode | undefined = at && schemaAt(at, 'properties');
    const others: SchemaNode | undefined = at && schemaAt(at, 'additionalProperties');
    at = (properties && Object.hasOwn(properties, name) ? schemaAt(properties, name) : undefined) ?? others;
  }
  return at !== undefined;
}
