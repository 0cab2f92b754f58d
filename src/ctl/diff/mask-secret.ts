import { asJsonObject } from '../../base/index.ts';
import type { WireObject } from '../resource/api-object.ts';

/** The same object twice: as it is, or was, and as it would be, or is. Undefined: absent. */
export interface ObjectPair {
  readonly live: WireObject | undefined;
  readonly merged: WireObject | undefined;
}

type Side = 'before' | 'after';

const mask = '***';

/**
 * The pair with the values of a secret replaced, so that a difference shows without showing what it is; other kinds as
 * they are. The annotation that repeats the values is masked too.
 */
export function maskSecret(pair: ObjectPair, lastAppliedAnnotation: string): ObjectPair {
  const { live, merged } = pair;
  const one = merged ?? live;
  if (one?.apiVersion !== 'v1' || one.kind !== 'Secret') return pair;
  return {
    live: live && maskObject(live, merged, 'before', lastAppliedAnnotation),
    merged: merged && maskObject(merged, live, 'after', lastAppliedAnnotation),
  };
}

function maskObject(
  object: WireObject,
  other: WireObject | undefined,
  side: Side,
  annotation: string,
): WireObject {
  const fields = ['data', 'stringData'].filter((field) => object[field] !== undefined);
  const values = fields.map((field) => [field, maskValues(object[field], other?.[field], side)] as const);
  const { annotations } = object.metadata;
  const notes = { ...annotations, ...maskValues(pick(object, annotation), pick(other, annotation), side) };
  const metadata = annotations === undefined ? object.metadata : { ...object.metadata, annotations: notes };
  return { ...object, ...Object.fromEntries(values), metadata };
}

/** Every value becomes the mask; one that differs on the other side says which side it is on. */
function maskValues(values: unknown, others: unknown, side: Side): Record<string, string> {
  const compared = new Map(entriesOf(others));
  return Object.fromEntries(
    entriesOf(values).map(([key, value]) => {
      const differs = compared.has(key) && compared.get(key) !== value;
      return [key, differs ? `${mask} (${side})` : mask];
    }),
  );
}

function pick(object: WireObject | undefined, annotation: string): Readonly<Record<string, unknown>> {
  const value = object?.metadata.annotations?.[annotation];
  return value === undefined ? {} : { [annotation]: value };
}

function entriesOf(value: unknown): [string, unknown][] {
  return Object.entries(asJsonObject(value));
}
