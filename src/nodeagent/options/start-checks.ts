import { errorText } from '../../base/index.ts';
import { ClientConfigError, loadClientConfig } from '../../client/config/index.ts';
import { BodySyntaxError, parseYaml } from '../../machinery/codec/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import type { AgentConfig } from './agent-config.ts';
import { createCredentialProblems } from './credential-config.ts';
import { agentOptions } from './option-table.ts';
import type { AgentProblem } from './problem.ts';

/** What the checks before a start ask of the machine. */
export interface StartProbe {
  /** Reads a whole file; a failure is told by its message (`open PATH: no such file or directory`). */
  readonly readFile: (path: string) => Buffer;
  /** Whether there is a file or folder. */
  readonly exists: (path: string) => boolean;
  /** Whether a control group such as `/system` exists. */
  readonly hasCgroup: (name: string) => boolean;
}

/** What keeps a correct configuration from starting on this machine: files and control groups that are not there. */
export async function checkStart(
  config: AgentConfig,
  probe: StartProbe,
  dialect: Dialect,
): Promise<readonly AgentProblem[]> {
  return [
    ...checkFiles(config, probe),
    ...(await checkClientConfig(config, probe, dialect)),
    ...createCredentialProblems(config, probe, dialect),
    ...checkRuntime(config, probe, dialect),
    ...checkCgroups(config, probe, dialect),
  ];
}

function checkFiles(
  { clientCaFile, tlsCertFile, tlsPrivateKeyFile }: AgentConfig,
  { readFile }: StartProbe,
): AgentProblem[] {
  const problems: AgentProblem[] = [];
  const check = (path: string, flag: string, sentence: (detail: string) => string) => {
    const detail = path === '' ? undefined : failureOf(() => readFile(path));
    if (detail !== undefined) problems.push({ text: sentence(detail), names: [flag] });
  };
  check(
    clientCaFile,
    '--client-ca-file',
    (detail) => `unable to load client CA file ${clientCaFile}: ${detail}`,
  );
  check(tlsCertFile, '--tls-cert-file', (detail) => detail);
  check(tlsPrivateKeyFile, '--tls-private-key-file', (detail) => detail);
  return problems;
}

function failureOf(act: () => unknown): string | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    return errorText(error);
  }
}

async function checkClientConfig(
  { orchconfigPath, bootstrapOrchconfigPath }: AgentConfig,
  { readFile }: StartProbe,
  dialect: Dialect,
): Promise<AgentProblem[]> {
  if (orchconfigPath === '' && bootstrapOrchconfigPath === '') return [];
  const found =
    orchconfigPath === ''
      ? 'stat : no such file or directory'
      : await clientConfigProblem(orchconfigPath, readFile, dialect);
  const isMissing = found?.startsWith('stat ') === true;
  if (isMissing && bootstrapOrchconfigPath !== '') {
    const detail = await clientConfigProblem(bootstrapOrchconfigPath, readFile, dialect);
    const text = `failed to run NodeAgent: unable to load bootstrap orchconfig: ${detail}`;
    return detail === undefined ? [] : [{ text, names: ['--bootstrap-orchconfig'] }];
  }
  return found === undefined
    ? []
    : [{ text: `failed to run NodeAgent: invalid orchconfig: ${found}`, names: ['--orchconfig'] }];
}

async function clientConfigProblem(
  path: string,
  readFile: StartProbe['readFile'],
  dialect: Dialect,
): Promise<string | undefined> {
  try {
    const { clusters, contexts } = await loadClientConfig({
      files: [path],
      isExplicit: true,
      isFromEnvironment: false,
    });
    if (clusters.size > 0 || contexts.size > 0) return undefined;
    const variable = dialect.name === 'orch' ? 'ORCH_MASTER' : dialect.spell('ORCH_MASTER');
    return `invalid configuration: no configuration has been provided, try setting ${variable} environment variable`;
  } catch (error) {
    if (error instanceof ClientConfigError) return syntaxProblem(path, readFile) ?? error.message;
    throw error;
  }
}

/** The same in the words that release 1.20's YAML reader has for it. */
function syntaxProblem(path: string, readFile: StartProbe['readFile']): string | undefined {
  try {
    parseYaml(readFile(path));
    return undefined;
  } catch (error) {
    return error instanceof BodySyntaxError
      ? `error loading config file "${path}": ${error.message}`
      : undefined;
  }
}

const containerdSocket = '/run/containerd/containerd.sock';

/**
 * Nobody has said where a runtime listens, and there is none where it would be by default. One that was named is waited
 * for instead: it may start later than the agent.
 */
function checkRuntime(
  { containerRuntime, containerRuntimeEndpoint, legacyrtEndpoint }: AgentConfig,
  { exists }: StartProbe,
  dialect: Dialect,
): AgentProblem[] {
  const isRemote = containerRuntime === 'remote';
  const flag = isRemote ? 'container-runtime-endpoint' : 'legacyrt-endpoint';
  const endpoint = isRemote ? containerRuntimeEndpoint : legacyrtEndpoint;
  const usual = agentOptions.find((option) => option.flag === flag)?.default;
  const path = endpoint.replace(/^unix:\/\//, '');
  if (endpoint !== usual || exists(path)) return [];
  const flags = `--container-runtime=remote --container-runtime-endpoint=unix://${containerdSocket}`;
  const advice = exists(containerdSocket)
    ? `for containerd, which is there, give ${flags}`
    : `install one (apt-get install containerd runc containernetworking-plugins) and give ${flags}`;
  const names = [dialect.spell(`--${flag}`)];
  return [{ text: `no container runtime: ${path} does not exist`, names, advice }];
}

const levels = [
  { level: 'system-reserved', key: 'systemReservedCgroup', title: 'System' },
  { level: 'orch-reserved', key: 'orchReservedCgroup', title: 'Orch' },
] as const;

function checkCgroups(config: AgentConfig, { hasCgroup }: StartProbe, dialect: Dialect): AgentProblem[] {
  return levels
    .filter(({ level, key }) => config.enforceNodeAllocatable.includes(level) && !hasCgroup(config[key]))
    .map(({ level, key, title }) => {
      const parts = config[key].split('/').filter((part) => part !== '');
      const list = parts.map((part) => JSON.stringify(part)).join(' ');
      const text = `Failed to start ContainerManager Failed to enforce ${title} Reserved Cgroup Limits on ${JSON.stringify(config[key])}: [${list}] cgroup does not exist`;
      return { text, names: [dialect.spell(`--${level}-cgroup`)] };
    });
}
