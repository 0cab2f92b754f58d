import { errorText, isJsonObject } from '../../base/index.ts';
import { parseDurationText } from '../../config/index.ts';
import { BodySyntaxError, parseYaml } from '../../machinery/codec/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import type { AgentConfig } from './agent-config.ts';
import { agentPhrases } from './phrases.ts';
import type { AgentProblem } from './problem.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What is wrong with the file of `--image-credential-provider-config`; nothing while its feature is off. */
export function createCredentialProblems(
  { imageCredentialProviderConfig: path, features }: AgentConfig,
  readFile: (path: string) => Buffer,
  dialect: Dialect,
): AgentProblem[] {
  if (path === '' || !features.NodeAgentCredentialProviders) return [];
  const detail = describeFile(path, readFile, dialect);
  const text = `Failed to register CRI auth plugins: ${detail}`;
  return detail === undefined ? [] : [{ text, names: ['--image-credential-provider-config'] }];
}

function describeFile(
  path: string,
  readFile: (path: string) => Buffer,
  dialect: Dialect,
): string | undefined {
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
  return problems.length === 0
    ? undefined
    : `failed to validate credential provider config: ${problems.length === 1 ? problems[0] : `[${problems.join(', ')}]`}`;
}

function describeProviders(providers: unknown, dialect: Dialect): string[] {
  if (!Array.isArray(providers) || providers.length === 0) {
    return ['providers: Required value: at least 1 item in plugins is required'];
  }
  const all = providers.filter(isJsonObject);
  const names = all.map(({ name }) => String(name ?? ''));
  const repeated = names.filter((name, index) => names.indexOf(name) !== index);
  return [
    ...all.flatMap((provider) => describeProvider(provider, dialect)),
    ...repeated.map((name) => `providers.name: Duplicate value: ${JSON.stringify(name)}`),
  ];
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
