import { isJsonObject, type JsonObject, ownValue } from '../../../base/index.ts';
import {
  duplicate,
  type FieldError,
  type FieldPath,
  fieldPath,
  forbiddenField,
  invalidValue,
  required,
} from '../../errors/index.ts';
import { jsonValue } from '../json-values.ts';
import { CostExceeded, Meter } from '../meter.ts';
import { type CelType, dyn } from '../types.ts';
import { Failure, Optional, type Value } from '../values.ts';
import { type CompiledRule, nameOfRule } from './rule.ts';
import type { RuleNode } from './rule-node.ts';

/** Steps of all rules about one object. */
const objectBudget = 500_000;
const maxMessageLength = 5 * 1024;
const maxErrors = 1000;

/** No more rules are run. */
class RulesEnded extends Error {
  override readonly name = 'RulesEnded';
}

/** Errors of the rules of a schema about an object, and what it was before. Words are apiextensions' (`schema/cel`). */
export function runRules(root: RuleNode, object: JsonObject, old: JsonObject | undefined): FieldError[] {
  const run = new RuleRun();
  try {
    run.visit(root, object, old, fieldPath());
  } catch (error) {
    if (!(error instanceof RulesEnded)) throw error;
  }
  return run.errors;
}

class RuleRun {
  readonly errors: FieldError[] = [];
  readonly #meter = new Meter(objectBudget);

  visit(node: RuleNode, value: unknown, old: unknown, path: FieldPath): void {
    if (value === undefined || value === null) return;
    for (const rule of node.rules) {
      if (rule.needsOld && (old === undefined || old === null)) continue;
      this.#check(node, rule, { value, old, path });
    }
    if (Array.isArray(value)) this.#visitItems(node, value, old, path);
    else if (isJsonObject(value)) this.#visitMembers(node, value, isJsonObject(old) ? old : undefined, path);
  }

  #visitItems(node: RuleNode, items: readonly unknown[], old: unknown, path: FieldPath): void {
    if (node.items === undefined) return;
    const { listKeys } = node;
    const known =
      listKeys === undefined || !Array.isArray(old)
        ? undefined
        : new Map(old.map((item) => [identityOf(item, listKeys), item]));
    for (const [at, item] of items.entries()) {
      const before = known?.get(identityOf(item, listKeys ?? []));
      this.visit(node.items, item, before, path.index(at));
    }
  }

  #visitMembers(node: RuleNode, object: JsonObject, old: JsonObject | undefined, path: FieldPath): void {
    for (const [name, child] of node.properties) {
      this.visit(child, ownValue(object, name), old && ownValue(old, name), path.child(name));
    }
    if (node.additional === undefined) return;
    for (const name of Object.keys(object)) {
      const before = node.keepsMembers && old !== undefined ? ownValue(old, name) : undefined;
      this.visit(node.additional, object[name], before, path.key(name));
    }
  }

  #check(node: RuleNode, { text, check, message }: CompiledRule, at: Place): void {
    const { typeName } = node;
    const type = node.type ?? dyn;
    const lookUp = (name: string): Value | Failure => this.#valueOf(name, type, text.optionalOldSelf, at);
    if ('fault' in check) {
      this.#add(invalidValue(at.path, typeName, `rule compile error: ${check.fault}`));
      return;
    }
    if (this.#meter.isSpent) {
      const detail =
        'validation failed due to running out of cost budget, no further validation rules will be run';
      this.#end(invalidValue(at.path, typeName, detail));
    }
    try {
      const value = check.evaluate(lookUp, this.#meter);
      if (value === true) return;
      if (value === false) {
        const made =
          message === undefined || 'fault' in message ? undefined : message.evaluate(lookUp, this.#meter);
        this.#refuse(node, text, at.path, madeMessage(made));
      } else {
        const problem = value instanceof Failure ? value.message : 'must evaluate to a bool';
        this.#add(invalidValue(at.path, typeName, `${problem} evaluating rule: ${nameOfRule(text)}`));
      }
    } catch (error) {
      if (!(error instanceof CostExceeded)) throw error;
      const detail = `'${error.message}': no further validation rules will be run due to call cost exceeds limit for rule: ${nameOfRule(text)}`;
      this.#end(invalidValue(at.path, typeName, detail));
    }
  }

  #valueOf(name: string, type: CelType, isOptional: boolean, { value, old }: Place): Value | Failure {
    if (name === 'self') return jsonValue(value, type, this.#meter);
    if (!isOptional) return jsonValue(old, type, this.#meter);
    if (old === undefined || old === null) return Optional.none;
    const before = jsonValue(old, type, this.#meter);
    return before instanceof Failure ? before : new Optional(before);
  }

  #refuse(
    { typeName }: RuleNode,
    text: CompiledRule['text'],
    path: FieldPath,
    made: string | undefined,
  ): void {
    const detail = made ?? (text.message.trim() || `failed rule: ${text.rule.trim()}`);
    const place = belowPath(path, text.fieldPath);
    this.#add(refusalOf(text.reason, place, typeName, detail));
  }

  #add(error: FieldError): void {
    if (this.errors.length >= maxErrors) throw new RulesEnded();
    this.errors.push(error);
  }

  #end(error: FieldError): never {
    this.errors.push(error);
    throw new RulesEnded();
  }
}

function refusalOf(reason: string, place: FieldPath, typeName: string, detail: string): FieldError {
  switch (reason) {
    case 'FieldValueForbidden':
      return forbiddenField(place, detail);
    case 'FieldValueRequired':
      return required(place, detail);
    case 'FieldValueDuplicate':
      return duplicate(place, typeName);
    default:
      return invalidValue(place, typeName, detail);
  }
}

/** A value, what it was, and where it stands. */
interface Place {
  readonly value: unknown;
  readonly old: unknown;
  readonly path: FieldPath;
}

function madeMessage(value: Value | Failure | undefined): string | undefined {
  const text = typeof value === 'string' ? value.trim() : '';
  return text === '' || text.length > maxMessageLength || text.includes('\n') ? undefined : text;
}

/** What tells an item of a list from the others. */
function identityOf(item: unknown, keys: readonly string[]): string {
  return JSON.stringify(keys.map((key) => (isJsonObject(item) ? (ownValue(item, key) ?? null) : null)));
}

/** Steps of `.spec.size` or `.spec['a.b']`; undefined for what is no such path. */
export function stepsOfPath(text: string): readonly string[] | undefined {
  if (!/^(\.[A-Za-z_][\w-]*|\['[^']+'\])+$/.test(text)) return undefined;
  return Array.from(
    text.matchAll(/\.([A-Za-z_][\w-]*)|\['([^']+)'\]/g),
    ([, name, quoted]) => name ?? quoted ?? '',
  );
}

function belowPath(path: FieldPath, text: string): FieldPath {
  return (stepsOfPath(text) ?? []).reduce((at, name) => at.child(name), path);
}
