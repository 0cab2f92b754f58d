import type { JsonObject } from '../../../base/index.ts';
import { isInteger, isJsonNumber } from '../../go-values/index.ts';
import type { Checker } from './combinations.ts';
import type { Findings } from './findings.ts';
import { goSource } from './go-text.ts';
import type { SchemaNode } from './schema-names.ts';
import { limitAt } from './texts.ts';

/** Checks the items of a list, whose errors name the list as release 1.20 does, and how many there are. */
export function checkItems(
  schema: SchemaNode,
  items: Checker | undefined,
  list: readonly unknown[],
  path: string,
  findings: Findings,
): void {
  if (items !== undefined) {
    for (const item of list) {
      if (findings.effort.isSpent) return;
      items.check(item, path, findings);
    }
  }
  const [min, max] = [limitAt(schema, 'minItems'), limitAt(schema, 'maxItems')];
  if (min !== undefined && list.length < min) {
    findings.invalid(path, list.length, `should have at least ${min} items`);
  }
  if (max !== undefined && list.length > max) {
    findings.invalid(path, list.length, `should have at most ${max} items`);
  }
  if (schema.uniqueItems === true && hasDuplicates(list, findings)) {
    findings.invalid(path, '', "shouldn't contain duplicates");
  }
}

/** Looking for an item among the others costs as much as so many other steps. */
export const stepsOfLookup = 5;

function hasDuplicates(list: readonly unknown[], { effort }: Findings): boolean {
  const seen = new Set<string>();
  for (const item of list) {
    if (!effort.spend(stepsOfLookup) || !effort.spendOn(item)) return false;
    seen.add(identityOf(item));
  }
  return seen.size < list.length;
}

/** A text that two values share when they are the same: numbers of different kinds are not, as in release 1.20. */
export function identityOf(value: unknown): string {
  if (typeof value === 'string') return `"${value}`;
  return isJsonNumber(value)
    ? `${isInteger(value) ? 'integer' : 'double'} ${goSource(value)}`
    : goSource(value);
}

/** Looking at the name of a member costs less than a step. */
export const stepsOfName = 0.25;

/** Checks how many members an object has; false when there are too few or too many, and nothing else is checked. */
export function checkCount(
  schema: SchemaNode,
  object: JsonObject,
  path: string,
  findings: Findings,
): boolean {
  const [min, max] = [limitAt(schema, 'minProperties'), limitAt(schema, 'maxProperties')];
  if (min === undefined && max === undefined) return true;
  const count = Object.keys(object).length;
  findings.effort.spend(count * stepsOfName);
  if (min !== undefined && count < min) {
    findings.invalid(path, min, `should have at least ${min} properties`);
    return false;
  }
  if (max !== undefined && count > max) {
    findings.invalid(path, max, `should have at most ${max} properties`);
    return false;
  }
  return true;
}

/** Refuses members without a property of theirs. Two names have no meaning, and are left alone. */
export function refuseOthers(
  properties: { has(name: string): boolean },
  object: JsonObject,
  path: string,
  findings: Findings,
): void {
  for (const name in object) {
    if (!findings.effort.spend(stepsOfName)) return;
    if (properties.has(name) || name === '$schema' || name === 'id') continue;
    findings.invalidVerbatim(path, name, `${path}.${name} in body is a forbidden property`);
  }
}
