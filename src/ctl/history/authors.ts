import { asJsonObject, isJsonObject } from '../../base/index.ts';
import type { WireObject } from '../resource/api-object.ts';

/** Who wrote a version, as far as the record of owners tells. */
export interface Author {
  readonly manager: string;
  readonly operation: string;
  readonly time?: string | undefined;
}

/**
 * Who is in the record of owners for the first time or with another time than in the version before; else who has a field
 * more. Who only lost fields to others wrote nothing. Nobody where one writer changes the same fields twice in a second.
 */
export function findAuthors(before: WireObject | undefined, after: WireObject): readonly Author[] {
  const known = before?.metadata.managedFields ?? [];
  const records = (after.metadata.managedFields ?? []).map((entry) => {
    const { manager = '', operation = '', time } = entry;
    const same = known.filter(
      (other) => other.manager === manager && other.operation === operation && other.time === time,
    );
    const isMoreThan = same.some(({ fieldsV1 }) => isMore(fieldsV1, entry.fieldsV1));
    return { author: { manager, operation, time: time ?? undefined }, isNew: same.length === 0, isMoreThan };
  });
  const found = records.filter(({ isNew }) => isNew);
  return (found.length > 0 ? found : records.filter(({ isMoreThan }) => isMoreThan)).map(
    ({ author }) => author,
  );
}

/** Whether a set of fields has one that another has not. */
function isMore(before: unknown, after: unknown): boolean {
  const known = asJsonObject(before);
  return Object.entries(asJsonObject(after)).some(
    ([field, below]) => !(field in known) || (isJsonObject(below) && isMore(known[field], below)),
  );
}

/** When a version was written: what its authors say, or when the object began; undefined when nothing tells. */
export function timeOf(authors: readonly Author[], created: WireObject | undefined): string | undefined {
  const times = authors.flatMap(({ time }) => (time === undefined ? [] : [time])).toSorted();
  return times.at(-1) ?? created?.metadata.creationTimestamp ?? undefined;
}
