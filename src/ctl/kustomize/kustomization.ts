import { isJsonObject } from '../../base/index.ts';
import { parseYaml } from '../../machinery/codec/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import { CtlError } from '../errors.ts';
import { FieldReader } from './field-reader.ts';
import type { Folder } from './folder.ts';

/** Keys and values for a generated config map or secret. */
export interface GeneratorArgs {
  readonly name: string;
  readonly namespace: string;
  readonly behavior: string;
  readonly literals: readonly string[];
  readonly files: readonly string[];
  readonly envFiles: readonly string[];
  /** Of secrets only. */
  readonly type: string;
}

/** A patch of JSON operations and the object that it is for. */
export interface JsonPatchSource {
  readonly target: {
    readonly group: string;
    readonly version: string;
    readonly kind: string;
    readonly namespace: string;
    readonly name: string;
  };
  /** The file, or the patch itself. */
  readonly path: string;
  readonly patch: string;
}

/** A new name, tag or digest for an image. */
export interface ImageChange {
  readonly name: string;
  readonly newName: string;
  readonly newTag: string;
  readonly digest: string;
}

/** A value of one object that others name as `$(NAME)`. */
export interface Variable {
  readonly name: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly objectName: string;
  readonly fieldPath: string;
}

export type Kustomization = ReturnType<typeof readFields>;

const fileNames = ['kustomization.yaml', 'kustomization.yml', 'Kustomization'];

/** Reads the kustomization of a folder. @throws CtlError that names the file and the field */
export function readKustomization(folder: Folder, dialect: Dialect): Kustomization {
  const found = fileNames.filter((name) => folder.hasFile(name));
  const [name] = found;
  if (name === undefined) {
    const names = `'kustomization.yaml', 'kustomization.yml' or 'Kustomization'`;
    throw new CtlError(`unable to find one of ${names} in directory '${folder.path}'`);
  }
  if (found.length > 1) throw new CtlError(`Found multiple kustomization files under: ${folder.path}`);
  const source = `${folder.path}/${name}`;
  let value: unknown;
  try {
    value = parseYaml(folder.read(name)) ?? {};
  } catch (cause) {
    if (!(cause instanceof Error)) throw cause;
    throw new CtlError(`${source}: ${cause.message}`, { cause });
  }
  if (!isJsonObject(value)) throw new CtlError(`${source}: must be a map`);
  const reader = new FieldReader(value, source);
  const kustomization = readFields(reader);
  reader.refuseOthers();
  const { apiVersion, kind } = kustomization;
  const group = dialect.group('kustomize.config');
  if (kind !== '' && kind !== 'Kustomization') throw new CtlError(`${source}: kind should be Kustomization`);
  if (apiVersion !== '' && apiVersion !== `${group}/v1beta1`) {
    throw new CtlError(`${source}: apiVersion should be ${group}/v1beta1`);
  }
  return kustomization;
}

function readFields(reader: FieldReader) {
  return {
    apiVersion: reader.text('apiVersion'),
    kind: reader.text('kind'),
    namePrefix: reader.text('namePrefix'),
    nameSuffix: reader.text('nameSuffix'),
    namespace: reader.text('namespace'),
    commonLabels: reader.textMap('commonLabels'),
    commonAnnotations: reader.textMap('commonAnnotations'),
    resources: reader.texts('resources'),
    bases: reader.texts('bases'),
    crds: reader.texts('crds'),
    configurations: reader.texts('configurations'),
    // `patches` and `imageTags` are names of before.
    strategicPatches: [...reader.texts('patchesStrategicMerge'), ...reader.texts('patches')],
    jsonPatches: reader.list('patchesJson6902', readJsonPatch),
    images: [...reader.list('images', readImage), ...reader.list('imageTags', readImage)],
    replicas: reader.list('replicas', (item) => ({ name: item.text('name'), count: item.integer('count') })),
    variables: reader.list('vars', readVariable),
    configMaps: reader.list('configMapGenerator', (item) => readGenerator(item, false)),
    secrets: reader.list('secretGenerator', (item) => readGenerator(item, true)),
    generatorOptions: reader.object('generatorOptions', (item) => ({
      labels: item.textMap('labels'),
      annotations: item.textMap('annotations'),
      disableNameSuffixHash: item.bool('disableNameSuffixHash'),
    })),
  };
}

const readGenerator = (item: FieldReader, isSecret: boolean): GeneratorArgs => ({
  name: item.text('name'),
  namespace: item.text('namespace'),
  behavior: item.text('behavior'),
  literals: item.texts('literals'),
  files: item.texts('files'),
  envFiles: [item.text('env'), ...item.texts('envs')].filter((file) => file !== ''),
  type: isSecret ? item.text('type') : '',
});

function readJsonPatch(item: FieldReader): JsonPatchSource {
  const target = item.object('target', (fields) => ({
    group: fields.text('group'),
    version: fields.text('version'),
    kind: fields.text('kind'),
    namespace: fields.text('namespace'),
    name: fields.text('name'),
  }));
  if (target.name === '' || target.kind === '') {
    throw new CtlError(`${item.where}: must specify the target field with its kind and name`);
  }
  return { target, path: item.text('path'), patch: item.text('patch') };
}

const readImage = (item: FieldReader): ImageChange => ({
  name: item.text('name'),
  newName: item.text('newName'),
  newTag: item.text('newTag'),
  digest: item.text('digest'),
});

function readVariable(item: FieldReader): Variable {
  const object = item.object('objref', (fields) => ({
    apiVersion: fields.text('apiVersion'),
    kind: fields.text('kind'),
    objectName: fields.text('name'),
  }));
  const { fieldPath } = item.object('fieldref', (fields) => ({ fieldPath: fields.text('fieldpath') }));
  return { name: item.text('name'), ...object, fieldPath: fieldPath || 'metadata.name' };
}
