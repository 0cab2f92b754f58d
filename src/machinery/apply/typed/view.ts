/**
 * Values together with their types: which fields a value names, whether it fits, what merging, comparing and
 * taking items away gives. Types come from the catalog or from schemas of custom resources. Knows no managers.
 */

import { isJsonObject } from '../../../base/index.ts';
import type { PathElement } from '../fieldpath/path-element.ts';

/** How apply sees the values of a type: which are owned as a whole, which part by part. */
export type View = ScalarView | MapView | ListView | AnyView;

export interface ScalarView {
  readonly kind: 'scalar';
  readonly scalar: 'string' | 'numeric' | 'boolean' | 'untyped';
}

/** An object: a struct (`fields`), a map (`element`), or a struct that takes other fields too (both). */
export interface MapView {
  readonly kind: 'map';
  readonly isAtomic: boolean;
  /** Computed when first asked for, types may contain themselves. */
  readonly fields: () => ReadonlyMap<string, FieldView>;
  readonly element: View | undefined;
}

export interface FieldView {
  readonly element: PathElement;
  readonly view: View;
  /** Value of the field as a key of list items that leave it out. */
  readonly keyDefault?: unknown;
}

export interface ListView {
  readonly kind: 'list';
  readonly relation: 'atomic' | 'set' | 'map';
  /** Fields that tell items apart, for `map`. */
  readonly keys: readonly string[];
  readonly element: View;
}

/** A value without a declared type: what it is decides. */
export interface AnyView {
  readonly kind: 'any';
  /** False: the value is one leaf. True: objects are taken apart, lists are leaves. */
  readonly isGranular: boolean;
}

const noFields: ReadonlyMap<string, FieldView> = new Map();

/** An undeclared value that is owned as a whole. */
export const wholeView: AnyView = { kind: 'any', isGranular: false };
/** An undeclared value whose objects are owned field by field. */
export const granularView: AnyView = { kind: 'any', isGranular: true };

export const scalarView = (scalar: ScalarView['scalar']): ScalarView => ({ kind: 'scalar', scalar });
export const mapView = (element: View, { isAtomic }: { isAtomic: boolean }): MapView => ({
  kind: 'map',
  isAtomic,
  fields: () => noFields,
  element,
});
export const atomicListView = (element: View): ListView => ({
  kind: 'list',
  relation: 'atomic',
  keys: [],
  element,
});

const untyped = scalarView('untyped');
const wholeMap = mapView(wholeView, { isAtomic: true });
const granularMap = mapView(granularView, { isAtomic: false });
const wholeList = atomicListView(wholeView);

/** The declared view of a value; an undeclared one is seen as what it is (null as an empty object). */
export function resolveView(view: View, value: unknown): Exclude<View, AnyView> {
  if (view.kind !== 'any') return view;
  if (Array.isArray(value)) return wholeList;
  if (value === null || value === undefined || isJsonObject(value)) {
    return view.isGranular ? granularMap : wholeMap;
  }
  return untyped;
}

/** The view of a member of an object, if the type has it. */
export const memberView = (view: MapView, name: string): View | undefined =>
  view.fields().get(name)?.view ?? view.element;

/** A type as apply needs it; made once per type and reused. */
export interface ApplySchema {
  readonly root: View;
  /** Nothing of the type is declared: what is there decides. */
  readonly isDeduced?: boolean;
  /** Objects of the type may not fit it. Those of built-in types always do. */
  readonly mayMisfit?: boolean;
  /** A fresh object before anything was set, as a create starts from. */
  emptyObject(): Record<string, unknown>;
}
