import { asJsonObject, asList, asText, isJsonObject, ownData } from '../../base/index.ts';
import { type Dialect, translateData } from '../../machinery/dialect.ts';
import { CtlError } from '../errors.ts';
import defaults from './default-configuration.json' with { type: 'json' };

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
  for (const [field, list] of Object.entries(asJsonObject(value))) {
    if (!Array.isArray(list)) throw new CtlError(`${source}: ${field}: must be a list`);
    if (field === 'nameReference') parsed.nameReference = list.map((item) => parseReference(item, source));
    else if (isFieldList(field)) parsed[field] = list.map((item) => parseSpec(item, `${source}: ${field}`));
    else throw new CtlError(`${source}: ${field}: unknown field`);
  }
  return parsed;
}

const isFieldList = (field: string): field is (typeof fieldLists)[number] =>
  fieldLists.some((known) => known === field);

function parseReference(item: unknown, source: string): NameReference {
  const { group, version, kind, fieldSpecs } = asJsonObject(item);
  return {
    ...parseKind({ group, version, kind }),
    fieldSpecs: asList(fieldSpecs).map((spec) => parseSpec(spec, `${source}: nameReference`)),
  };
}

function parseSpec(item: unknown, where: string): FieldSpec {
  if (!isJsonObject(item) || typeof item.path !== 'string') {
    throw new CtlError(`${where}: each item needs a path`);
  }
  return { ...parseKind(item), path: item.path, create: item.create === true };
}

const parseKind = ({ group, version, kind }: Readonly<Record<string, unknown>>): KindSelector => ({
  group: asText(group),
  version: asText(version),
  kind: asText(kind),
});
