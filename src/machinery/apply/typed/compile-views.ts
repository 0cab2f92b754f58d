import { type CompiledField, type CompiledType, listElement, mapElement } from '../../schema/index.ts';
import { fieldElement } from '../fieldpath/path-element.ts';
import keyDefaults from './key-defaults.json' with { type: 'json' };
import {
  type ApplySchema,
  atomicListView,
  type FieldView,
  type ListView,
  type MapView,
  mapView,
  scalarView,
  type View,
  wholeView,
} from './view.ts';

/** Types with their own JSON form, by the last part of their key, as the published schema describes them. */
const specialViews: Readonly<Record<string, View>> = {
  string: scalarView('string'),
  bytes: scalarView('string'),
  bool: scalarView('boolean'),
  int32: scalarView('numeric'),
  int64: scalarView('numeric'),
  double: scalarView('numeric'),
  any: wholeView,
  Quantity: scalarView('string'),
  Duration: scalarView('string'),
  Time: scalarView('untyped'),
  MicroTime: scalarView('untyped'),
  IntOrString: scalarView('untyped'),
  FieldsV1: mapView(wholeView, { isAtomic: false }),
  RawExtension: wholeView,
  TypeMeta: wholeView,
  Unknown: wholeView,
  JSON: wholeView,
  JSONSchemaPropsOrArray: wholeView,
  JSONSchemaPropsOrBool: wholeView,
  JSONSchemaPropsOrStringArray: wholeView,
  Verbs: atomicListView(scalarView('string')),
  ExtraValue: atomicListView(scalarView('string')),
};

/** Makes schemas of built-in types; parts that types share are made once. */
export interface ApplySchemaCompiler {
  compile(type: CompiledType): ApplySchema;
  /** The view of a type by catalog key, for schemas that refer to it. */
  viewOf(typeName: string): View;
}

/**
 * A compiler over a catalog of types.
 *
 * The list markers count first, then the merge keys of patches, as in the release's schemaconv.
 */
export function createApplySchemaCompiler(catalog: {
  type(name: string): CompiledType;
}): ApplySchemaCompiler {
  const views = new Map<string, View>();
  const viewOf = (name: string): View => {
    let view = views.get(name);
    if (view === undefined) {
      view = makeView(name);
      views.set(name, view);
    }
    return view;
  };
  const makeView = (name: string): View => {
    const item = listElement(name);
    if (item !== undefined) return atomicListView(viewOf(item));
    const value = mapElement(name);
    if (value !== undefined) return mapView(viewOf(value), { isAtomic: false });
    const special = specialViews[name] ?? specialViews[name.slice(name.lastIndexOf('.') + 1)];
    return special ?? structView(catalog.type(name), viewOf);
  };
  const compile = (type: CompiledType): ApplySchema => ({
    root: viewOf(type.name),
    emptyObject: () => type.decode({}),
  });
  return { compile, viewOf };
}

function structView(type: CompiledType, viewOf: (name: string) => View): MapView {
  let fields: ReadonlyMap<string, FieldView> | undefined;
  // The file maps types to constants of their fields.
  const defaults = (keyDefaults as Record<string, Record<string, unknown>>)[type.name] ?? {};
  return {
    kind: 'map',
    isAtomic: type.isAtomic === true,
    element: undefined,
    fields() {
      fields ??= new Map(
        type.fields.map((field) => [
          field.name,
          {
            element: fieldElement(field.name),
            view: fieldView(field, viewOf),
            keyDefault: defaults[field.name] ?? zeroOf(field),
          },
        ]),
      );
      return fields;
    },
  };
}

/** What the release's published types give as default of fields that are always written: the zero of their type. */
const zeros: Readonly<Record<string, unknown>> = { string: '', bool: false, int32: 0, int64: 0, double: 0 };

const zeroOf = ({ type, isPointer, omitsEmpty }: CompiledField): unknown =>
  isPointer || omitsEmpty ? undefined : zeros[type];

function fieldView(field: CompiledField, viewOf: (name: string) => View): View {
  const item = listElement(field.type);
  if (item === undefined) return viewOf(field.type);
  const element = viewOf(item);
  const list = (relation: ListView['relation'], keys: readonly string[]): ListView => ({
    kind: 'list',
    relation,
    keys,
    element,
  });
  if (field.listType !== undefined) return list(field.listType, field.listMapKeys ?? []);
  if (!field.patchStrategies.includes('merge')) return list('atomic', []);
  return field.patchMergeKey === undefined ? list('set', []) : list('map', [field.patchMergeKey]);
}
