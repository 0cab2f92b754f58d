import { parseYaml, writeYaml } from '../../machinery/codec/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import type { FindBuiltInType } from '../changes/built-in-type.ts';
import { CtlError } from '../errors.ts';
import { applyJsonPatches, applyStrategicPatches, readStrategicPatches } from './apply-patches.ts';
import {
  type Configuration,
  defaultConfiguration,
  mergeConfigurations,
  parseConfiguration,
} from './configuration.ts';
import { readDefinitions } from './definition-references.ts';
import { Folder, type OnRead } from './folder.ts';
import { addContentHashes, type Environment, generateData } from './generate-data.ts';
import { readKustomization, type Variable } from './kustomization.ts';
import { fixNameReferences } from './name-references.ts';
import { readObjects } from './read-objects.ts';
import { replaceImages } from './replace-images.ts';
import { compareResources, Resource } from './resource.ts';
import { ResourceMap } from './resource-map.ts';
import { addTexts, setNamespace, setReplicas, wrapNames } from './transform.ts';
import { resolveVariables } from './variables.ts';

/** What a build needs beside the folder. */
export interface BuildOptions {
  readonly dialect: Dialect;
  readonly env: Environment;
  readonly findType: FindBuiltInType;
  readonly onRead?: OnRead | undefined;
}

/** Objects of a kustomization as YAML documents, and what the user should know about it. */
export interface Built {
  readonly text: string;
  readonly warnings: readonly string[];
}

/**
 * Builds the objects of a folder's kustomization, as kustomize 2.0 does; beyond it, folders may stand among the
 * resources, patches may stand in the kustomization itself, and `replicas` and `envs` are known.
 *
 * @throws CtlError that names the file and what is wrong with it.
 */
export async function buildKustomization(path: string, options: BuildOptions): Promise<Built> {
  const { resources, configuration, variables } = await accumulate(
    Folder.open(path, options.onRead),
    options,
  );
  addContentHashes(resources.all);
  fixNameReferences(resources.all, configuration);
  const unused = resolveVariables(resources, variables, configuration);
  const documents = resources.all.toSorted(compareResources).map(({ object }) => writeYaml(object));
  return {
    text: documents.join('---\n'),
    warnings: unused.length === 0 ? [] : [`well-defined vars that were never replaced: ${unused.join(',')}`],
  };
}

/** What a folder and its bases come to, before names are fixed. */
interface Accumulated {
  readonly resources: ResourceMap;
  readonly configuration: Configuration;
  readonly variables: readonly Variable[];
}

async function accumulate(folder: Folder, options: BuildOptions): Promise<Accumulated> {
  const kustomization = readKustomization(folder, options.dialect);
  const resources = new ResourceMap();
  const variables: Variable[] = [];
  let configuration = defaultConfiguration(options.dialect);
  const isBase = (path: string) => folder.hasFolder(path);
  for (const path of [...kustomization.bases, ...kustomization.resources.filter(isBase)]) {
    const base = await accumulate(folder.openBase(path), options);
    resources.add(base.resources.all);
    configuration = mergeConfigurations(configuration, base.configuration);
    addVariables(variables, base.variables);
  }
  for (const path of kustomization.resources) {
    if (!isBase(path)) resources.add(readResources(folder, path));
  }
  configuration = mergeConfigurations(configuration, readConfigurations(folder, kustomization, options));
  resources.addGenerated(generateData(folder, kustomization, options.env));
  const patches = readStrategicPatches(folder, kustomization.strategicPatches);
  await applyStrategicPatches(resources, patches, options.findType);
  setNamespace(resources.all, kustomization.namespace, configuration);
  wrapNames(resources.all, kustomization, configuration);
  addTexts(resources.all, kustomization.commonLabels, configuration.commonLabels);
  addTexts(resources.all, kustomization.commonAnnotations, configuration.commonAnnotations);
  applyJsonPatches(resources, kustomization.jsonPatches, folder);
  setReplicas(resources.all, kustomization.replicas);
  replaceImages(resources.all, kustomization.images);
  addVariables(variables, kustomization.variables);
  return { resources, configuration, variables };
}

function readResources(folder: Folder, path: string): readonly Resource[] {
  const load = (): string => folder.read(path).toString('utf8');
  try {
    return readObjects(load(), path).map((object) => new Resource(object));
  } catch (error) {
    if (!(error instanceof CtlError)) throw error;
    throw new CtlError(
      `rawResources failed to read Resources: Load from path ${path} failed: ${error.message}`,
      {
        cause: error,
      },
    );
  }
}

function readConfigurations(
  folder: Folder,
  { configurations, crds }: { readonly configurations: readonly string[]; readonly crds: readonly string[] },
  { dialect }: BuildOptions,
): Configuration {
  const own = configurations.map((path) => parseConfiguration(readValue(folder, path), path));
  const defined = crds.map((path) => readDefinitions(readValue(folder, path), path, dialect));
  return [...own, ...defined].reduce(mergeConfigurations, parseConfiguration({}, ''));
}

function readValue(folder: Folder, path: string): unknown {
  const bytes = folder.read(path);
  try {
    return parseYaml(bytes) ?? {};
  } catch (cause) {
    if (!(cause instanceof Error)) throw cause;
    throw new CtlError(`${path}: ${cause.message}`, { cause });
  }
}

function addVariables(known: Variable[], added: readonly Variable[]): void {
  for (const variable of added) {
    if (known.some(({ name }) => name === variable.name)) {
      throw new CtlError(`MergeVars: var ${variable.name} already encountered`);
    }
    known.push(variable);
  }
}
