import type { ConvertRequest } from '../../apis/conversions/index.ts';
import { type KindRules, kindRules } from '../../apis/index.ts';
import type { ApiObject } from '../../machinery/meta/index.ts';
import type { ConversionModel } from './model.ts';
import type { Notice } from './notice.ts';

/** Rules look at times only to stamp them. */
const anyTime = '2000-01-01T00:00:00Z';
const nobody = { name: '', uid: '', groups: [], extra: {} };

/** Which errors to name. */
export interface RuleCheck {
  readonly model: ConversionModel;
  readonly request: ConvertRequest;
  /** The object before and after the conversion, canonical. */
  readonly source: Readonly<Record<string, unknown>>;
  readonly target: Readonly<Record<string, unknown>>;
}

/** What a server would refuse in the converted object, by the rules of its kind; `isNew` where the old one was fine. */
export function findRefusals({ model, request, source, target }: RuleCheck): (Notice & { isNew: boolean })[] {
  const known = new Set(errorsOf(model, request, source, request.from).map(String));
  return errorsOf(model, request, target, request.to).map((error) => ({
    level: 'refused',
    path: String(error.path),
    text: `${request.to} refuses this: ${error.body}`,
    isNew: !known.has(String(error)),
  }));
}

function errorsOf(
  { dialect, catalog, gates, applyDefaults, convert, typeOf }: ConversionModel,
  { family }: ConvertRequest,
  object: Readonly<Record<string, unknown>>,
  version: string,
) {
  // The table holds rules of each kind for objects of that kind, and conversions make just those.
  const rules = kindRules[dialect.unspell(`${family.hub}.${family.kind}`)] as KindRules | undefined;
  if (rules?.validate === undefined) return [];
  const type = typeOf(version, family.kind);
  const complete = type.canonicalize(object);
  applyDefaults(type.name, complete);
  const stored = convert(complete, { family, from: version, to: family.hub }) as unknown as ApiObject;
  const context = {
    dialect,
    catalog,
    gates,
    now: anyTime,
    user: nobody,
    allowsPrivileged: true,
    requestApiVersion: dialect.unspell(version),
  };
  rules.prepareForCreate?.(stored, context);
  const canonical = typeOf(family.hub, family.kind).canonicalize(stored) as unknown as ApiObject;
  return rules.validate(canonical, context);
}
