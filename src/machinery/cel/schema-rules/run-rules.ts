import { isJsonObject, type JsonObject, ownValue, type Steps } from '../../../base/index.ts';
import { type FieldError, type FieldPath, fieldPath, invalidValue } from '../../errors/index.ts';
import { jsonEqual } from '../../patch/index.ts';
import { jsonValue } from '../json-values.ts';
import { CostExceeded, Meter } from '../meter.ts';
import { type CelType, dyn } from '../types.ts';
import { Failure, Optional, type Value } from '../values.ts';
import { madeMessage, refusalBy } from './refusals.ts';
import { type CompiledRule, nameOfRule } from './rule.ts';
import type { RuleNode } from './rule-node.ts';

/** Steps of all rules about one object. */
const objectBudget = 500_000;
/** Others go first after so many: about two milliseconds. */
const stepsBetweenRests = 20_000;
const maxErrors = 1000;

/** No more rules are run. */
class RulesEnded extends Error {
  override readonly name = 'RulesEnded';
}

/** Tells a client something. */
export type Warn = (text: string) => void;

/** An object, what it was before, and who is told what is wrong with what did not change. */
export interface RuleSubject {
  readonly object: JsonObject;
  readonly old: JsonObject | undefined;
  readonly warn: Warn;
}

/**
 * Errors of the rules of a schema about an object, in steps of a few milliseconds. Words are apiextensions' (`schema/cel`), and so is
 * what follows for values that did not change (KEP-4008).
 */
export function* runRules(root: RuleNode, { object, old, warn }: RuleSubject): Steps<FieldError[]> {
  const run = new RuleRun(warn);
  try {
    yield* run.visit(root, { value: object, old, path: fieldPath(), known: { value: object, old } });
  } catch (error) {
    if (!(error instanceof RulesEnded)) throw error;
  }
  return run.errors;
}

class RuleRun {
  readonly errors: FieldError[] = [];
  readonly #meter = new Meter(objectBudget);
  readonly #warn: Warn;
  #warned = 0;
  readonly #same = new Map<Known, boolean>();
  /** What the meter had left when others went first. */
  #restedAt = objectBudget;

  constructor(warn: Warn) {
    this.#warn = warn;
  }

  *visit(node: RuleNode, place: Place): Steps<void> {
    const { value, old } = place;
    if (value === undefined || value === null) return;
    for (const rule of node.rules) {
      if (rule.needsOld && (old === undefined || old === null)) continue;
      this.#check(node, rule, place);
      if (this.#restedAt - this.#meter.budget < stepsBetweenRests) continue;
      yield;
      this.#restedAt = this.#meter.budget;
    }
    if (Array.isArray(value)) yield* this.#visitItems(node, value, place);
    else if (isJsonObject(value)) yield* this.#visitMembers(node, value, place);
  }

  *#visitItems(node: RuleNode, items: readonly unknown[], { old, path, known: nearest }: Place): Steps<void> {
    if (node.items === undefined) return;
    const { listKeys } = node;
    const known =
      listKeys === undefined || !Array.isArray(old)
        ? undefined
        : new Map(old.map((item) => [identityOf(item, listKeys), item]));
    for (const [at, value] of items.entries()) {
      const before = known?.get(identityOf(value, listKeys ?? []));
      // Without keys nobody knows which item it was: it is as it was when its list is.
      const item = listKeys === undefined ? nearest : { value, old: before };
      yield* this.visit(node.items, { value, old: before, path: path.index(at), known: item });
    }
  }

  *#visitMembers(node: RuleNode, object: JsonObject, { old: given, path, known }: Place): Steps<void> {
    const old = isJsonObject(given) ? given : undefined;
    for (const [name, child] of node.properties) {
      const [value, before] = [ownValue(object, name), old && ownValue(old, name)];
      yield* this.visit(child, {
        value,
        old: before,
        path: path.child(name),
        known: given === undefined ? known : { value, old: before },
      });
    }
    if (node.additional === undefined) return;
    for (const name of Object.keys(object)) {
      const value = object[name];
      const before = node.keepsMembers && old !== undefined ? ownValue(old, name) : undefined;
      const member = node.keepsMembers && given !== undefined ? { value, old: before } : known;
      yield* this.visit(node.additional, { value, old: before, path: path.key(name), known: member });
    }
  }

  #check(node: RuleNode, rule: CompiledRule, at: Place): void {
    const { text, check, message } = rule;
    const { typeName } = node;
    const type = node.type ?? dyn;
    const lookUp = (name: string): Value | Failure => this.#valueOf(name, type, text.optionalOldSelf, at);
    if ('fault' in check) {
      this.#add(invalidValue(at.path, typeName, `rule compile error: ${check.fault}`), rule, at);
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
        this.#add(refusalBy(node, text, at.path, madeMessage(made)), rule, at);
      } else {
        const problem = value instanceof Failure ? value.message : 'must evaluate to a bool';
        const detail = `${problem} evaluating rule: ${nameOfRule(text)}`;
        this.#add(invalidValue(at.path, typeName, detail), rule, at);
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

  /** A rule that does not look at what is stored lets values be that are as they were. */
  #add(error: FieldError, { usesOld }: CompiledRule, { known }: Place): void {
    if (!usesOld && this.#isSame(known)) {
      if (this.#warned++ < maxErrors) this.#warn(error.toString());
      return;
    }
    if (this.errors.length >= maxErrors) throw new RulesEnded();
    this.errors.push(error);
  }

  #isSame(known: Known): boolean {
    if (known.old === undefined) return false;
    const same = this.#same.get(known) ?? jsonEqual(known.value, known.old);
    this.#same.set(known, same);
    return same;
  }

  #end(error: FieldError): never {
    this.errors.push(error);
    throw new RulesEnded();
  }
}

/** A value, what it was, and where it stands. */
interface Place {
  readonly value: unknown;
  readonly old: unknown;
  readonly path: FieldPath;
  readonly known: Known;
}

/** The value of a place, or of the nearest one around it, whose old value is known to be its own. */
interface Known {
  readonly value: unknown;
  readonly old: unknown;
}

/** What tells an item of a list from the others. */
function identityOf(item: unknown, keys: readonly string[]): string {
  return JSON.stringify(keys.map((key) => (isJsonObject(item) ? (ownValue(item, key) ?? null) : null)));
}
