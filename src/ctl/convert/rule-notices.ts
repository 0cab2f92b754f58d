import type { ConvertRequest } from '../../apis/conversions/index.ts';
import { type KindRules, kindRules } from '../../apis/index.ts';
import type { FieldError } from '../../machinery/errors/index.ts';
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

/**
 * What a server would refuse in the converted object, by the rules of its kind; `isNew` where the old one was fine. Of
 * the status only what is new is named: servers take it from their own parts, in steps that a manifest does not show.
 * Fields are named as the new version has them.
 */
export function findRefusals(check: RuleCheck): (Notice & { isNew: boolean })[] {
  const { model, target, request } = check;
  const { family, from, to } = request;
  const pathOf = (error: FieldError) =>
    model.translateField({ kind: family.kind, version: to, path: String(error.path), object: target });
  const nameOf = (error: FieldError) => `${pathOf(error)}: ${error.body}`;
  const before = errorsOf(check, check.source, from);
  const known = new Set([...before.whole, ...before.status].map(nameOf));
  const { whole, status } = errorsOf(check, target, to);
  const errors = [...whole, ...status.filter((error) => !known.has(nameOf(error)))];
  // Two fields of one version may be one of another.
  const different = new Map(errors.map((error) => [nameOf(error), error]));
  return [...different].map(([name, error]) => ({
    level: 'refused',
    path: pathOf(error),
    text: `${to} refuses this: ${error.body}`,
    isNew: !known.has(name),
  }));
}

interface Errors {
  readonly whole: readonly FieldError[];
  readonly status: readonly FieldError[];
}

function errorsOf(
  { model, request: { family } }: RuleCheck,
  object: Readonly<Record<string, unknown>>,
  version: string,
): Errors {
  const { dialect, catalog, gates, applyDefaults, convert, typeOf } = model;
  // The table holds rules of each kind for objects of that kind, and conversions make just those.
  const rules = kindRules[dialect.unspell(`${family.hub}.${family.kind}`)] as KindRules | undefined;
  if (rules === undefined) return { whole: [], status: [] };
  const type = typeOf(version, family.kind);
  const complete = type.canonicalize(object);
  applyDefaults(type.name, complete);
  const stored = () => convert(complete, { family, from: version, to: family.hub }) as unknown as ApiObject;
  const context = {
    dialect,
    catalog,
    gates,
    now: anyTime,
    user: nobody,
    allowsPrivileged: true,
    requestApiVersion: dialect.unspell(version),
  };
  const created = stored();
  rules.prepareForCreate?.(created, context);
  const canonical = typeOf(family.hub, family.kind).canonicalize(created) as unknown as ApiObject;
  const whole = rules.validate?.(canonical, context) ?? [];
  const validateStatus = rules.status?.validateUpdate;
  if (validateStatus === undefined || !rules.hasStatus) return { whole, status: [] };
  return { whole, status: validateStatus(stored(), canonical, context) };
}
