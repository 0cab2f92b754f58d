import { quoteGo } from '../../errors/index.ts';
import type { CompiledField, CompiledType, TypeCatalog } from '../../schema/catalog.ts';
import { listElement, mapElement } from '../../schema/go-names.ts';
import { PatchError } from '../patch-error.ts';

/** Members that a type lists, members that are all of one type, or anything. */
export type Shape =
  | { readonly kind: 'struct'; readonly type: CompiledType; readonly isPointer?: boolean }
  | { readonly kind: 'map'; readonly element: string }
  | { readonly kind: 'any' };

const anything: Shape = { kind: 'any' };

/** Shape of the values of a type, or of the items of a list. */
export function shapeOf(typeText: string, catalog: TypeCatalog, isPointer = false): Shape {
  const type = listElement(typeText) ?? typeText;
  const element = mapElement(type);
  if (element !== undefined) return { kind: 'map', element };
  // Types have a package; scalars, lists of lists and `any` do not, and nothing in them has a strategy.
  if (!type.includes('.') || type.includes('<')) return anything;
  return { kind: 'struct', type: catalog.type(type), isPointer };
}

/** What Go calls values of a shape. */
export const goKindOf = ({ kind }: Shape): string => (kind === 'any' ? 'interface' : kind);

/** Shape of a member: of all that a map has, or of the field that was found. */
export function memberShape(shape: Shape, field: CompiledField | undefined, catalog: TypeCatalog): Shape {
  if (shape.kind === 'map') return shapeOf(shape.element, catalog);
  return field === undefined ? anything : shapeOf(field.type, catalog, field.isPointer);
}

/** The field of a name, whose case counts only where another field has the exact name. */
export function findField(shape: Shape, name: string): CompiledField | undefined {
  if (shape.kind !== 'struct') return undefined;
  const { fields } = shape.type;
  const folded = name.toLowerCase();
  return (
    fields.find((field) => field.name === name) ?? fields.find((field) => field.name.toLowerCase() === folded)
  );
}

/**
 * Looks up how a member merges, as strategicpatch does, which knows the fields of structs only.
 *
 * @throws PatchError `not-mergeable` for members of anything else, unknown ones, and lists where the field is none.
 */
export function checkMember(shape: Shape, name: string, value: 'object' | 'list'): void {
  if (shape.kind !== 'struct') throw noStruct(goKindOf(shape));
  const field = findField(shape, name);
  if (field === undefined) throw unknownField(shape.type, name);
  if (value === 'object' || field.isPointer || field.type === 'bytes') return;
  const item = listElement(field.type);
  if (item === undefined) throw noList(shape.isPointer === true ? 'ptr' : 'struct');
  if (listElement(item) !== undefined) throw new PatchError('not-mergeable', 'unexpected slice of slice');
}

const noStruct = (goKind: string): PatchError =>
  new PatchError(
    'not-mergeable',
    `merging an object in json but data type is not struct, instead is: ${goKind}`,
  );

function unknownField({ name: type }: CompiledType, name: string): PatchError {
  const goName = type.slice(type.lastIndexOf('.') + 1);
  return new PatchError(
    'not-mergeable',
    `unable to find api field in struct ${goName} for the json field ${quoteGo(name)}`,
  );
}

/** It names the struct around the field. */
const noList = (goKind: string): PatchError =>
  new PatchError('not-mergeable', `expected slice or array type, but got: ${goKind}`);
