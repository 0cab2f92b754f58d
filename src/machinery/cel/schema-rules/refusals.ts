import {
  duplicate,
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalidValue,
  required,
} from '../../errors/index.ts';
import type { Failure, Value } from '../values.ts';
import type { CompiledRule } from './rule.ts';
import type { RuleNode } from './rule-node.ts';

const maxMessageLength = 5 * 1024;

/** The error of a rule that does not hold; `made` is what the expression of its message made. */
export function refusalBy(
  { typeName }: RuleNode,
  text: CompiledRule['text'],
  path: FieldPath,
  made: string | undefined,
): FieldError {
  const detail = made ?? (text.message.trim() || `failed rule: ${text.rule.trim()}`);
  return refusalOf(text.reason, belowPath(path, text.fieldPath), typeName, detail);
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

/** The text that a message's expression made; undefined for none that can be shown. */
export function madeMessage(value: Value | Failure | undefined): string | undefined {
  const text = typeof value === 'string' ? value.trim() : '';
  return text === '' || text.length > maxMessageLength || text.includes('\n') ? undefined : text;
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
