import { asJsonObject, asText } from '../../base/index.ts';
import { CtlError } from '../errors.ts';
import { compileTemplate } from '../printers/jsonpath/index.ts';
import type { WireObject } from '../resource/api-object.ts';

/** What is waited for: that objects are gone, or look a certain way. */
export type Condition =
  | { readonly kind: 'gone' }
  | { readonly kind: 'state'; readonly isMet: (object: WireObject) => boolean };

/**
 * Reads `--for`: `delete`, `condition=TYPE[=STATUS]`, `jsonpath=PATH[=VALUE]`.
 *
 * @throws CtlError as release 1.20 words it, or for a path that makes no sense
 */
export function parseCondition(text: string): Condition {
  if (text.toLowerCase() === 'delete') return { kind: 'gone' };
  if (text.startsWith('condition=')) {
    const [, type = '', status = 'true'] = text.split('=');
    return { kind: 'state', isMet: (object) => hasCondition(object, type, status) };
  }
  const path = /^jsonpath=(\{.*\})(?:=(.*))?$/s.exec(text);
  if (path === null) throw new CtlError(`unrecognized condition: ${JSON.stringify(text)}`);
  const [, template = '', value] = path;
  const compiled = compileTemplate(template, { allowsMissing: true });
  const isMet = (object: WireObject) => {
    const found = compiled.format(object);
    return value === undefined ? found !== '' : found === value;
  };
  return { kind: 'state', isMet };
}

/** A condition counts only when it was seen at the object's current generation. Source: release 1.20's client. */
function hasCondition({ metadata, status }: WireObject, type: string, expected: string): boolean {
  const { conditions, observedGeneration } = asJsonObject(status);
  if (!Array.isArray(conditions)) return false;
  const found = conditions.map(asJsonObject).find((one) => sameText(asText(one.type), type));
  if (found === undefined || !sameText(asText(found.status), expected)) return false;
  const observed = found.observedGeneration ?? observedGeneration;
  return typeof observed !== 'number' || observed >= (metadata.generation ?? 0);
}

function sameText(left: string, right: string): boolean {
  return left.toLowerCase() === right.toLowerCase();
}
