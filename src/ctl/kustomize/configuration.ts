import { asJsonObject, asList, asText, isJsonObject, type JsonObject, ownData } from '../../base/index.ts';
import { type Dialect, translateData } from '../../machinery/dialect.ts';
import { CtlError } from '../errors.ts';
import defaults from './default-configuration.json' with { type: 'json' };
import { findField, isSameField } from './field-reader.ts';

/** Objects by kind; what is left out fits all. */
export interface KindSelector {
  readonly group?: string;
  readonly version?: string;
  readonly kind?: string;
}

/** A field of some kinds. */
export interface FieldSpec extends KindSelector {
  /** Names separated by slashes. */
  readonly path: string;
  /** Make the field where it is missing. */
  readonly create?: boolean;
}

/** Fields in which objects of one kind are named. */
export interface NameReference extends KindSelector {
  readonly fieldSpecs: readonly FieldSpec[];
}

const fieldLists = [
  'namePrefix',
  'nameSuffix',
  'namespace',
  'commonLabels',
  'commonAnnotations',
  'varReference',
] as const;

/** Where names, namespaces, labels, annotations and variables stand in objects. */
export interface Configuration extends Readonly<Record<(typeof fieldLists)[number], readonly FieldSpec[]>> {
  readonly nameReference: readonly NameReference[];
}

const empty: Configuration = {
  namePrefix: [],
  nameSuffix: [],
  namespace: [],
  commonLabels: [],
  commonAnnotations: [],
  varReference: [],
  nameReference: [],
};

/** What kustomize 2.0 knows of the built-in kinds. */
export function defaultConfiguration(dialect: Dialect): Configuration {
  return { ...empty, ...translateData(dialect, ownData<Partial<Configuration>>(defaults)) };
}

/** Both together; references to the same kind are joined. */
export function mergeConfigurations(a: Configuration, b: Configuration): Configuration {
  const references = [...a.nameReference];
  for (const reference of b.nameReference) {
    const at = references.findIndex((other) => isSameKind(other, reference));
    const known = references[at];
    if (known === undefined) references.push(reference);
    else references[at] = { ...known, fieldSpecs: joinSpecs(known.fieldSpecs, reference.fieldSpecs) };
  }
  const merged = { ...empty, nameReference: references };
  for (const list of fieldLists) merged[list] = joinSpecs(a[list], b[list]);
  return merged;
}

function joinSpecs(a: readonly FieldSpec[], b: readonly FieldSpec[]): readonly FieldSpec[] {
  const added = b.filter((spec) => !a.some((known) => known.path === spec.path && isSameKind(known, spec)));
  return added.length === 0 ? a : [...a, ...added];
}

const isSameKind = (a: KindSelector, b: KindSelector): boolean =>
  (a.group ?? '') === (b.group ?? '') &&
  (a.version ?? '') === (b.version ?? '') &&
  (a.kind ?? '') === (b.kind ?? '');

/** Reads a file of `configurations`. @throws CtlError with the field that makes no sense */
export function parseConfiguration(value: unknown, source: string): Configuration {
  const parsed = { ...empty };
  for (const [name, list] of Object.entries(asJsonObject(value))) {
    if (!Array.isArray(list)) throw new CtlError(`${source}: ${name}: must be a list`);
    const field = fieldLists.find((known) => isSameField(known, name));
    if (field !== undefined) parsed[field] = list.map((item) => parseSpec(item, `${source}: ${field}`));
    else if (!isSameField(name, 'nameReference')) throw new CtlError(`${source}: ${name}: unknown field`);
    else parsed.nameReference = list.map((item) => parseReference(asJsonObject(item), source));
  }
  return parsed;
}

function parseReference(item: JsonObject, source: string): NameReference {
  const specs = asList(fieldValue(item, 'fieldSpecs'));
  return {
    ...parseKind(item),
    fieldSpecs: specs.map((spec) => parseSpec(spec, `${source}: nameReference`)),
  };
}

function parseSpec(item: unknown, where: string): FieldSpec {
  const path = isJsonObject(item) ? fieldValue(item, 'path') : undefined;
  if (!isJsonObject(item) || typeof path !== 'string') throw new CtlError(`${where}: each item needs a path`);
  return { ...parseKind(item), path, create: fieldValue(item, 'create') === true };
}

const parseKind = (item: JsonObject): KindSelector => ({
  group: asText(fieldValue(item, 'group')),
  version: asText(fieldValue(item, 'version')),
  kind: asText(fieldValue(item, 'kind')),
});

function fieldValue(item: JsonObject, field: string): unknown {
  const written = findField(item, field);
  return written === undefined ? undefined : item[written];
}
