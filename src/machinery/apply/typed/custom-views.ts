import { isJsonObject } from '../../../base/index.ts';
import { fieldElement } from '../fieldpath/path-element.ts';
import {
  type ApplySchema,
  atomicListView,
  type FieldView,
  granularView,
  type ListView,
  type MapView,
  mapView,
  scalarView,
  type View,
  wholeView,
} from './view.ts';

/** What the schema of a custom resource does not say itself. */
export interface CustomSchemaOptions {
  /** Structural schema of one version, as the definition has it; without one all is undeclared. */
  readonly schema: unknown;
  /** Prefix of extension fields with its dash (`dialect.extensionPrefix`). */
  readonly extensionPrefix: string;
  /** View of object metadata. */
  readonly metadata: View;
  /** The definition as a whole keeps unknown fields. */
  readonly preservesUnknownFields?: boolean;
  /** Nothing is declared, not even metadata: what is there decides. */
  readonly isUndeclared?: boolean;
  readonly apiVersion: string;
  readonly kind: string;
}

interface Context {
  readonly prefix: string;
  readonly metadata: View;
  readonly isPreserving: boolean;
}

/** The apply schema of objects of which nothing is declared. */
export const createUntypedSchema = (): ApplySchema => ({
  root: mapView(granularView, { isAtomic: false }),
  emptyObject: () => ({}),
});

/** The apply schema of one version of a custom resource, from the markers of its schema. */
export function compileCustomApplySchema(options: CustomSchemaOptions): ApplySchema {
  const emptyObject = () => ({ apiVersion: options.apiVersion, kind: options.kind });
  if (options.isUndeclared === true) return { ...createUntypedSchema(), isDeduced: true, emptyObject };
  if (!isJsonObject(options.schema)) return { ...createUntypedSchema(), emptyObject };
  const context: Context = {
    prefix: options.extensionPrefix,
    metadata: options.metadata,
    isPreserving: options.preservesUnknownFields === true,
  };
  const { schema } = options;
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  return {
    root: structView({ ...schema, properties }, context, { isObject: true }),
    mayMisfit: true,
    emptyObject,
  };
}

function customView(schema: unknown, context: Context): View {
  if (!isJsonObject(schema)) return undeclared(context);
  const { prefix } = context;
  if (schema[`${prefix}int-or-string`] === true) return scalarView('untyped');
  switch (schema.type) {
    case 'object':
      if (isJsonObject(schema.properties) || schema[`${prefix}embedded-resource`] === true) {
        return structView(schema, context, { isObject: schema[`${prefix}embedded-resource`] === true });
      }
      return mapView(customView(schema.additionalProperties, context), {
        isAtomic: schema[`${prefix}map-type`] === 'atomic',
      });
    case 'array':
      return customList(schema, context);
    case 'integer':
    case 'number':
      return scalarView('numeric');
    case 'boolean':
      return scalarView('boolean');
    case 'string':
      return scalarView(
        schema.format === undefined || schema.format === '' || schema.format === 'byte'
          ? 'string'
          : 'untyped',
      );
    default:
      return isJsonObject(schema.properties)
        ? structView(schema, context, { isObject: false })
        : undeclared(context);
  }
}

const undeclared = (context: Context): View => (context.isPreserving ? granularView : wholeView);

function customList(schema: Record<string, unknown>, context: Context): View {
  const element = customView(schema.items, context);
  const keys = schema[`${context.prefix}list-map-keys`];
  const list = (relation: ListView['relation'], names: readonly string[]): ListView => ({
    kind: 'list',
    relation,
    keys: names,
    element,
  });
  switch (schema[`${context.prefix}list-type`]) {
    case 'set':
      return list('set', []);
    case 'map':
      if (!Array.isArray(keys)) return atomicListView(element);
      return list(
        'map',
        keys.filter((key) => typeof key === 'string'),
      );
    default:
      return atomicListView(element);
  }
}

/** `isObject`: apiVersion, kind and metadata belong to it, whatever the schema says. */
function structView(
  schema: Record<string, unknown>,
  outer: Context,
  { isObject }: { isObject: boolean },
): MapView {
  const isPreserving = outer.isPreserving || schema[`${outer.prefix}preserve-unknown-fields`] === true;
  const context = { ...outer, isPreserving };
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  let fields: Map<string, FieldView> | undefined;
  return {
    kind: 'map',
    isAtomic: schema[`${outer.prefix}map-type`] === 'atomic',
    element: isPreserving ? granularView : undefined,
    fields() {
      if (fields !== undefined) return fields;
      fields = new Map();
      for (const [name, property] of Object.entries(properties)) {
        const keyDefault = isJsonObject(property) ? property.default : undefined;
        fields.set(name, { element: fieldElement(name), view: customView(property, context), keyDefault });
      }
      if (isObject) {
        const text = scalarView('string');
        fields.set('apiVersion', { element: 'f:apiVersion', view: text });
        fields.set('kind', { element: 'f:kind', view: text });
        fields.set('metadata', { element: 'f:metadata', view: context.metadata });
      }
      return fields;
    },
  };
}
