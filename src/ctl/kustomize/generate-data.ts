import { isUtf8 } from 'node:buffer';
import { basename } from 'node:path';
import type { JsonObject } from '../../base/index.ts';
import { isConfigMapKey } from '../../machinery/formats/index.ts';
import { hashConfigMap, hashSecret } from '../create/content-hash.ts';
import { parseEnvLines, splitLiteral } from '../create/key-values.ts';
import { CtlError } from '../errors.ts';
import type { Folder } from './folder.ts';
import type { GeneratorArgs, Kustomization } from './kustomization.ts';
import { type Behavior, Resource } from './resource.ts';

type GeneratorOptions = Kustomization['generatorOptions'];

/** The config maps and secrets that a kustomization makes. @throws CtlError */
export function generateData(folder: Folder, kustomization: Kustomization, env: Environment): Resource[] {
  const { configMaps, secrets, generatorOptions } = kustomization;
  const make = (args: GeneratorArgs, content: JsonObject) =>
    new Resource(content, {
      behavior: readBehavior(args),
      needsHash: !generatorOptions.disableNameSuffixHash,
    });
  return [
    ...configMaps.map((args) =>
      make(args, makeConfigMap(readValues(folder, args, env), args, generatorOptions)),
    ),
    ...secrets.map((args) => make(args, makeSecret(readValues(folder, args, env), args, generatorOptions))),
  ];
}

/** Values for the lines of env files that name a variable only. */
export type Environment = Readonly<Record<string, string | undefined>>;

type Values = ReadonlyMap<string, Buffer>;

function makeConfigMap(values: Values, args: GeneratorArgs, options: GeneratorOptions): JsonObject {
  const texts = [...values].filter(([, value]) => isUtf8(value));
  const binaries = [...values].filter(([, value]) => !isUtf8(value));
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: makeMetadata(args, options),
    ...(texts.length > 0 && {
      data: Object.fromEntries(texts.map(([key, value]) => [key, value.toString('utf8')])),
    }),
    ...(binaries.length > 0 && {
      binaryData: Object.fromEntries(binaries.map(([key, value]) => [key, value.toString('base64')])),
    }),
  };
}

function makeSecret(values: Values, args: GeneratorArgs, options: GeneratorOptions): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: makeMetadata(args, options),
    type: args.type || 'Opaque',
    ...(values.size > 0 && {
      data: Object.fromEntries([...values].map(([key, value]) => [key, value.toString('base64')])),
    }),
  };
}

const makeMetadata = (
  { name, namespace }: GeneratorArgs,
  { labels, annotations }: GeneratorOptions,
): JsonObject => ({
  name,
  ...(namespace !== '' && { namespace }),
  ...(Object.keys(labels).length > 0 && { labels: { ...labels } }),
  ...(Object.keys(annotations).length > 0 && { annotations: { ...annotations } }),
});

function readBehavior({ name, behavior }: GeneratorArgs): Behavior {
  if (behavior === 'merge' || behavior === 'replace') return behavior;
  if (behavior === '' || behavior === 'create') return 'create';
  throw new CtlError(
    `generator ${JSON.stringify(name)}: behavior must be create, merge or replace, not ${JSON.stringify(behavior)}`,
  );
}

function readValues(folder: Folder, args: GeneratorArgs, env: Environment): Values {
  const values = new Map<string, Buffer>();
  const add = (key: string, value: Buffer): void => {
    if (isConfigMapKey(key).length > 0) {
      throw new CtlError(
        `generator ${JSON.stringify(args.name)}: ${JSON.stringify(key)} is not a valid key name`,
      );
    }
    if (values.has(key)) {
      throw new CtlError(
        `generator ${JSON.stringify(args.name)}: cannot add key ${key}, another key by that name already exists`,
      );
    }
    values.set(key, value);
  };
  for (const file of args.envFiles) {
    for (const { key, value } of parseEnvLines(folder.read(file).toString('utf8'))) {
      add(key, Buffer.from(value ?? env[key] ?? '', 'utf8'));
    }
  }
  for (const literal of args.literals) {
    const [key, value] = splitLiteral(literal);
    add(key, Buffer.from(trimQuotes(value.toString('utf8')), 'utf8'));
  }
  for (const source of args.files) {
    const [key, path] = splitFile(source);
    add(key, folder.read(path));
  }
  return values;
}

/** Quotes around a literal are the shell's and not meant, as kustomize 2.0 has it. */
const trimQuotes = (text: string): string => text.replace(/^["']+/, '').replace(/["']+$/, '');

function splitFile(source: string): readonly [key: string, path: string] {
  const parts = source.split('=');
  const [first = '', second] = parts;
  if (second === undefined) return [basename(first), first];
  if (parts.length > 2 || first === '' || second === '') {
    throw new CtlError(`file source ${source}: expected KEY=FILE or FILE`);
  }
  return [first, second];
}

/** Ends the names of generated objects in a hash of their content, so that a new content is a new object. */
export function addContentHashes(resources: readonly Resource[]): void {
  for (const resource of resources) {
    if (!resource.needsHash) continue;
    const { data, binaryData, type } = resource.object;
    const hash =
      resource.kind === 'ConfigMap'
        ? hashConfigMap(resource.name, { data: asMap(data) ?? null, binaryData: asMap(binaryData) })
        : hashSecret(resource.name, { data: asMap(data) ?? null, type: String(type ?? '') });
    resource.name = `${resource.name}-${hash}`;
  }
}

const asMap = (value: unknown): object | undefined =>
  typeof value === 'object' && value !== null ? value : undefined;
