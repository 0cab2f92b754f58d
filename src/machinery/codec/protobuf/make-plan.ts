import { goFieldName, listElement, mapElement } from '../../schema/go-names.ts';
import { absentOf, emptyOf } from '../../schema/struct.ts';
import type { FieldData, TypeData } from '../../schema/type-data.ts';
import type { FieldForm, JsonField, MessagePlan, WireField } from './message-plan.ts';
import type { ValueCodec } from './value-codec.ts';
import { makeTag, wireBytes } from './wire.ts';

/** True when every field of the type has a number, or travels in the envelope. */
export function hasProtobufForm(data: TypeData): boolean {
  if (data.f === undefined || data.pb === 0) return false;
  return data.f.every((field) => field.pb !== undefined || field.meta === 1 || field.json === '-');
}

/** The plan of a message type by name (`v1.PodSpec`). */
export function makePlan(name: string, data: TypeData, codecOf: (type: string) => ValueCodec): MessagePlan {
  const rows = data.f ?? [];
  const wireFields = rows
    .filter((row) => row.in === undefined && row.pb !== undefined)
    .sort((a, b) => (a.pb ?? 0) - (b.pb ?? 0))
    .map((row, slot) => wireField(row, slot, codecOf));
  const byNumber: (WireField | undefined)[] = [];
  for (const field of wireFields) {
    while (byNumber.length <= field.number) byNumber.push(undefined);
    byNumber[field.number] = field;
  }
  const jsonFields = rows
    .filter((row) => row.inline === undefined && row.json !== '-')
    .map((row) => jsonField(row, wireFields));
  const lateFields = wireFields.filter(
    ({ form, codec }) => form === 'map' || (form !== 'list' && codec.merge !== undefined),
  );
  const typeName = name.slice(name.lastIndexOf('.') + 1);
  return { typeName, wireFields, lateFields, byNumber, jsonFields };
}

function wireField(row: FieldData, slot: number, codecOf: (type: string) => ValueCodec): WireField {
  const element = listElement(row.t);
  const codec = codecOf(element ?? mapElement(row.t) ?? row.t);
  const form = formOf(row, codec);
  // Rows without a number were left out before.
  const number = row.pb ?? 0;
  const tag = makeTag(number, form === 'map' ? wireBytes : codec.wire);
  return {
    name: row.n,
    goName: row.n === 'metadata' && row.t.endsWith('.ObjectMeta') ? 'ObjectMeta' : goFieldName(row.n),
    form,
    slot,
    number,
    tag,
    codec,
    isText: row.t === 'string' && form !== 'list' && form !== 'map',
  };
}

function formOf(row: FieldData, codec: ValueCodec): FieldForm {
  if (listElement(row.t) !== undefined) return 'list';
  if (mapElement(row.t) !== undefined) return 'map';
  if (row.inline) return 'inline';
  return row.ptr || codec.isNilable ? 'optional' : 'value';
}

function jsonField(row: FieldData, wireFields: readonly WireField[]): JsonField {
  const own = wireFields.find((field) => field.name === (row.in ?? row.n));
  const shape = own === undefined ? 'scalar' : shapeOf(own);
  return {
    name: row.n,
    source:
      own === undefined
        ? row.n === 'kind'
          ? 'kind'
          : 'apiVersion'
        : row.in === undefined
          ? 'slot'
          : 'inline',
    slot: own?.slot ?? 0,
    absent: absentOf(row, shape),
    empty: emptyOf(row, shape),
    zero: own?.codec.zero ?? (() => ''),
  };
}

function shapeOf(field: WireField): ValueCodec['shape'] {
  return field.form === 'list' || field.form === 'map' ? field.form : field.codec.shape;
}
