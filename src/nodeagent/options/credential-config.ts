import { posix } from 'node:path';
import { errorText, isJsonObject } from '../../base/index.ts';
import { parseDurationText } from '../../config/index.ts';
import { BodySyntaxError, parseYaml } from '../../machinery/codec/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import type { AgentConfig } from './agent-config.ts';
import { agentPhrases } from './phrases.ts';
import type { AgentProblem } from './problem.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * What is wrong with the file of `--image-credential-provider-config` and the programs that it names; nothing while its
 * feature is off.
 */
export function createCredentialProblems(
  { imageCredentialProviderConfig: path, imageCredentialProviderBinDir: folder, features }: AgentConfig,
  {
    readFile,
    exists,
  }: { readonly readFile: (path: string) => Buffer; readonly exists: (path: string) => boolean },
  dialect: Dialect,
): AgentProblem[] {
  if (path === '' || !features.NodeAgentCredentialProviders) return [];
  const problem = (detail: string, name: string): AgentProblem[] => [
    { text: `Failed to register CRI auth plugins: ${detail}`, names: [name] },
  ];
  const found = readProviders(path, readFile, dialect);
  if (typeof found === 'string') return problem(found, '--image-credential-provider-config');
  const flag = '--image-credential-provider-bin-dir';
  if (!exists(folder)) return problem(`plugin binary directory ${folder} did not exist`, flag);
  const missing = found.map((name) => posix.join(folder, name)).find((program) => !exists(program));
  return missing === undefined ? [] : problem(`plugin binary executable ${missing} did not exist`, flag);
}

/** Names of the providers, or what is wrong with the file. */
function readProviders(
  path: string,
  readFile: (path: string) => Buffer,
  dialect: Dialect,
): readonly string[] | string {
  let document: unknown;
  try {
    document = parseYaml(readFile(path));
  } catch (error) {
    const detail = errorText(error);
    if (error instanceof BodySyntaxError) return `error decoding config file "${path}": ${detail}`;
    return `unable to read external registry credential provider configuration from "${path}": ${detail}`;
  }
  const group = dialect.spell('nodeagent.config.orch.io/v1alpha1');
  if (
    !isJsonObject(document) ||
    document.kind !== 'CredentialProviderConfig' ||
    document.apiVersion !== group
  ) {
    return `error decoding config file "${path}": expected kind CredentialProviderConfig of ${group}`;
  }
  // Release 1.20 says each sentence once.
  const problems = [...new Set(describeProviders(document.providers, dialect))];
  if (problems.length === 0) return namesOf(document.providers);
  return `failed to validate credential provider config: ${problems.length === 1 ? problems[0] : `[${problems.join(', ')}]`}`;
}

function describeProviders(providers: unknown, dialect: Dialect): string[] {
  if (!Array.isArray(providers) || providers.length === 0) {
    return ['providers: Required value: at least 1 item in plugins is required'];
  }
  const all = providers.filter(isJsonObject);
  const names = namesOf(providers);
  const repeated = names.filter((name, index) => names.indexOf(name) !== index);
  return [
    ...all.flatMap((provider) => describeProvider(provider, dialect)),
    ...repeated.map((name) => `providers.name: Duplicate value: ${JSON.stringify(name)}`),
  ];
}

function namesOf(providers: unknown): readonly string[] {
  const all: readonly unknown[] = Array.isArray(providers) ? providers : [];
  return all.filter(isJsonObject).map(({ name }) => String(name ?? ''));
}

function describeProvider(provider: Fields, dialect: Dialect): string[] {
  const images = Array.isArray(provider.matchImages) ? provider.matchImages.map(String) : [];
  return [
    ...describeName(String(provider.name ?? '')),
    ...describeVersion(String(provider.apiVersion ?? ''), dialect),
    ...(images.length === 0
      ? ['providers.matchImages: Required value: at least 1 item in matchImages is required']
      : images.flatMap(describeImage)),
    ...describeCacheDuration(provider.defaultCacheDuration),
  ];
}

function describeName(name: string): string[] {
  if (name === '') return ['providers.name: Required value: name is required'];
  const invalid = (reason: string) => [
    `providers.name: Invalid value: ${JSON.stringify(name)}: provider name cannot ${reason}`,
  ];
  if (name.includes('/')) return invalid("contain '/'");
  if (name.includes(' ')) return invalid('contain spaces');
  return name === '.' || name === '..' ? invalid("be '.' or '..'") : [];
}

function describeVersion(version: string, dialect: Dialect): string[] {
  const supported = dialect.spell('credentialprovider.nodeagent.orch.io/v1alpha1');
  if (version === '') return ['providers.apiVersion: Required value: apiVersion is required'];
  return version === supported
    ? []
    : [
        `providers.apiVersion: Unsupported value: ${JSON.stringify(version)}: supported values: ${JSON.stringify(supported)}`,
      ];
}

function describeImage(image: string): string[] {
  const port = /^[^/]*:([^/]*)/.exec(image)?.[1];
  if (port === undefined || /^\d*$/.test(port)) return [];
  return [
    `providers.matchImages: Invalid value: ${JSON.stringify(image)}: match image is invalid: parse ${JSON.stringify(`https://${image}`)}: invalid port ${JSON.stringify(`:${port}`)} after host`,
  ];
}

function describeCacheDuration(duration: unknown): string[] {
  if (duration === undefined || duration === null) {
    return ['providers.defaultCacheDuration: Required value: defaultCacheDuration is required'];
  }
  const parsed = parseDurationText(String(duration), agentPhrases);
  const isBad = 'problem' in parsed || parsed.value < 0;
  return isBad
    ? [
        `providers.defaultCacheDuration: Invalid value: ${JSON.stringify(duration)}: defaultCacheDuration must be greater than or equal to 0`,
      ]
    : [];
}
