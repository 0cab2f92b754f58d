import { isRawNumber } from '../../base/index.ts';
import type { Codec, CodecShape, ExplainedField } from './codec.ts';
import { isLargeMap } from './containers.ts';
import { throwMismatch } from './mismatch.ts';
import { noteReceived } from './received.ts';
import type { FieldData } from './type-data.ts';

/** What to write for a field that has no value. */
export type Absent = 'nothing' | 'null' | 'zero';
/** When a field with a value is still left out, or its value replaced by null. */
export type Empty =
  | 'keep'
  | 'drop-null'
  | 'drop-scalar'
  | 'drop-list'
  | 'drop-map'
  | 'null-list'
  | 'null-map';

interface FieldPlan {
  readonly name: string;
  readonly codec: Codec;
  readonly absent: Absent;
  readonly empty: Empty;
  /** Its canonical text says less than others do. */
  readonly isTime: boolean;
}

/** What the canonical form has for a field without a value. */
export function absentOf(field: FieldData, shape: CodecShape): Absent {
  if (field.ptr) return field.omit ? 'nothing' : 'null';
  if (shape === 'struct') return 'zero';
  if (field.omit) return 'nothing';
  return shape === 'scalar' && field.t !== 'bytes' ? 'zero' : 'null';
}

/**
 * release 1.20 stores most kinds in Protobuf, which knows no empty lists: they come back as absent. Lists
 * of objects (`items`) are never stored and keep theirs.
 */
export function emptyOf(field: FieldData, shape: CodecShape): Empty {
  // A nullable value can be null in JSON though it was given: the zero time.
  if (field.ptr && field.omit) return 'drop-null';
  if (field.ptr || shape === 'struct') return 'keep';
  if (field.omit) return shape === 'list' ? 'drop-list' : shape === 'map' ? 'drop-map' : 'drop-scalar';
  if (field.n === 'items' || shape === 'scalar') return 'keep';
  return shape === 'list' ? 'null-list' : 'null-map';
}

const hasNoKeys = (value: object): boolean => {
  if (isLargeMap(value)) return false;
  for (const _ in value) return false;
  return true;
};

/** Sets `out[name]` unless the value is empty and the plan leaves such values out. */
export function writeValue(
  out: Record<string, unknown>,
  plan: { readonly name: string; readonly empty: Empty },
  value: unknown,
): void {
  switch (plan.empty) {
    case 'keep':
      out[plan.name] = value;
      return;
    case 'drop-null':
      if (value !== null) out[plan.name] = value;
      return;
    case 'drop-scalar':
      // '', 0 and false; a raw number is an object.
      if (value) out[plan.name] = value;
      return;
    // Both casts hold: the codec of a list gives an array, that of a map an object.
    case 'drop-list':
      if ((value as unknown[]).length > 0) out[plan.name] = value;
      else noteReceived(out, plan.name, value);
      return;
    case 'drop-map':
      if (!hasNoKeys(value as object)) out[plan.name] = value;
      else noteReceived(out, plan.name, value);
      return;
    case 'null-list':
      out[plan.name] = (value as unknown[]).length === 0 ? null : value;
      if (out[plan.name] === null) noteReceived(out, plan.name, value);
      return;
    case 'null-map':
      out[plan.name] = hasNoKeys(value as object) ? null : value;
      if (out[plan.name] === null) noteReceived(out, plan.name, value);
  }
}

function decodeWith(plans: readonly FieldPlan[], value: Record<string, unknown>): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  for (let index = 0; index < plans.length; index++) {
    // The loop bound makes the index valid.
    const plan = plans[index] as FieldPlan;
    const raw = value[plan.name];
    if (raw !== undefined && raw !== null) {
      writeValue(out, plan, plan.codec.decode(raw));
      if (plan.isTime && out[plan.name] !== raw) noteReceived(out, plan.name, raw);
    } else if (plan.absent === 'zero') out[plan.name] = plan.codec.zero();
    else if (plan.absent === 'null') out[plan.name] = null;
  }
  return out;
}

export interface StructOptions {
  readonly goName: string;
  /** Called once, when the first value is decoded: types may contain themselves. */
  readonly fields: () => readonly ExplainedField[];
}

/** An object with known fields: unknown ones are dropped, the others written in the type's order. */
export function structCodec({ goName, fields }: StructOptions): Codec {
  let plans: readonly FieldPlan[] | undefined;
  const compile = (): readonly FieldPlan[] =>
    fields().map(({ data, codec }) => ({
      name: data.n,
      codec,
      absent: absentOf(data, codec.shape),
      empty: emptyOf(data, codec.shape),
      isTime: data.t.endsWith('.Time'),
    }));
  const decode = (value: unknown): Record<string, unknown> => {
    if (typeof value !== 'object' || value === null || Array.isArray(value) || isRawNumber(value)) {
      return throwMismatch();
    }
    plans ??= compile();
    // An object that is no array; reading an unknown property gives undefined.
    return decodeWith(plans, value as Record<string, unknown>);
  };
  return { shape: 'struct', decode, zero: () => decode({}), explain: { kind: 'struct', goName, fields } };
}
