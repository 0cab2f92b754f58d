import { isJsonObject } from '../../../base/index.ts';
import { type ExtensionNames, type SchemaNode, schemaAt, textAt, textsAt } from './schema-names.ts';

const none: ReadonlyMap<string, Structural> = new Map();

/**
 * One place of a structural schema, as what works on objects needs it. Parts are made when an object first has them, so that
 * a large schema costs what is used of it.
 */
export class Structural {
  readonly isNullable: boolean;
  readonly keepsUnknown: boolean;
  readonly isEmbedded: boolean;
  /** Default value, shared: whoever puts it into an object copies it. */
  readonly default: unknown;
  readonly listType: string;
  /** True when fields without a property are allowed; `additional` is their schema, if they have one. */
  readonly hasAdditional: boolean;
  readonly #schema: SchemaNode;
  readonly #names: ExtensionNames;
  #properties: ReadonlyMap<string, Structural> | undefined;
  #additional: Structural | undefined;
  #items: Structural | undefined;
  #defaulted: readonly DefaultedProperty[] | undefined;
  #hasEmbedded: boolean | undefined;
  #hasDistinctItems: boolean | undefined;

  constructor(schema: SchemaNode, names: ExtensionNames) {
    this.#schema = schema;
    this.#names = names;
    this.isNullable = schema.nullable === true;
    this.keepsUnknown = schema[names.preserve] === true;
    this.isEmbedded = schema[names.embedded] === true;
    this.default = schema.default;
    this.listType = textAt(schema, names.listType);
    this.hasAdditional = schema.additionalProperties !== undefined;
  }

  get listMapKeys(): readonly string[] {
    return textsAt(this.#schema, this.#names.listMapKeys);
  }

  get properties(): ReadonlyMap<string, Structural> {
    this.#properties ??= this.#makeProperties();
    return this.#properties;
  }

  get additional(): Structural | undefined {
    this.#additional ??= this.#make(schemaAt(this.#schema, 'additionalProperties'));
    return this.#additional;
  }

  get items(): Structural | undefined {
    this.#items ??= this.#make(schemaAt(this.#schema, 'items'));
    return this.#items;
  }

  /** Properties with a default, for objects that do not have them. */
  get defaulted(): readonly DefaultedProperty[] {
    this.#defaulted ??= [...this.properties]
      .filter(([, { default: value }]) => value !== undefined && value !== null)
      .map(([name, schema]) => ({ name, schema }));
    return this.#defaulted;
  }

  /** True when there are embedded objects here or below. Where there are none, nobody needs to look for them. */
  get hasEmbedded(): boolean {
    const { embedded } = this.#names;
    this.#hasEmbedded ??= hasBelow(this.#schema, (node) => node[embedded] === true);
    return this.#hasEmbedded;
  }

  /** True when there are lists here or below whose items must differ. */
  get hasDistinctItems(): boolean {
    const { listType } = this.#names;
    this.#hasDistinctItems ??= hasBelow(
      this.#schema,
      (node) => node[listType] === 'set' || node[listType] === 'map',
    );
    return this.#hasDistinctItems;
  }

  /** The schema of a member of an object; undefined where nothing is said of it. */
  member(name: string): Structural | undefined {
    return this.properties.get(name) ?? this.additional;
  }

  #make(schema: SchemaNode | undefined): Structural | undefined {
    return schema === undefined ? undefined : new Structural(schema, this.#names);
  }

  #makeProperties(): ReadonlyMap<string, Structural> {
    const declared = this.#schema.properties;
    if (!isJsonObject(declared)) return none;
    const made = new Map<string, Structural>();
    for (const [name, schema] of Object.entries(declared)) {
      made.set(name, new Structural(isJsonObject(schema) ? schema : {}, this.#names));
    }
    return made;
  }
}

/** A property with a default. */
export interface DefaultedProperty {
  readonly name: string;
  readonly schema: Structural;
}

/** True when a schema, or one of those that `Structural` makes of its parts, is such. */
function hasBelow(root: SchemaNode, isSuch: (node: SchemaNode) => boolean): boolean {
  const open: unknown[] = [root];
  while (open.length > 0) {
    const node = open.pop();
    if (!isJsonObject(node)) continue;
    if (isSuch(node)) return true;
    open.push(node.items, node.additionalProperties);
    if (!isJsonObject(node.properties)) continue;
    for (const name in node.properties) open.push(node.properties[name]);
  }
  return false;
}

/** The members of an object that any object has, and that no schema says anything about. */
export const isObjectField = (name: string): boolean =>
  name === 'metadata' || name === 'kind' || name === 'apiVersion';
