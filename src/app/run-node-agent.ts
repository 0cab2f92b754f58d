import { existsSync, readFileSync } from 'node:fs';
import { fileErrorText } from '../base/index.ts';
import { apiRelease, orchVersion } from '../machinery/api-release.ts';
import type { Dialect } from '../machinery/dialect.ts';
import {
  AgentOptionsError,
  type AgentProblem,
  type AgentRequest,
  checkStart,
  formatProblem,
  type LoadedAgentConfig,
  nodeAgentProgram,
  printConfig,
  readAgentRequest,
  type StartProbe,
} from '../nodeagent/options/index.ts';
import { exitCodes } from './exit-codes.ts';
import type { NodeAgentRun } from './node-agent/node-agent-run.ts';
import { printHelp } from './print-help.ts';
import type { ProgramIo } from './program-io.ts';

/** What the agent asks of the machine before it starts. */
export interface NodeAgentOptions extends StartProbe {
  readonly workingDirectory: string;
  /** Runs the agent until it is told to stop; gives the exit code. */
  readonly run: (request: NodeAgentRun, io: ProgramIo) => Promise<number>;
}

/** Release 1.20 ends with this code when its command line or configuration is wrong. */
const wrongConfiguration = 255;

/** `nodeagent`: reads and checks its options, says what is worth saying about them, and runs. Returns the exit code. */
export async function runNodeAgent(
  argv: readonly string[],
  io: ProgramIo,
  options: NodeAgentOptions = machine(),
): Promise<number> {
  try {
    return await answer(argv, io, options);
  } catch (error) {
    if (!(error instanceof AgentOptionsError)) throw error;
    for (const notice of error.notices) io.err(`${notice}\n`);
    return fail(error.problems, io, error.dialect);
  }
}

async function answer(argv: readonly string[], io: ProgramIo, options: NodeAgentOptions): Promise<number> {
  const request: AgentRequest = readAgentRequest({ argv, ...options });
  if (request.kind === 'help') {
    await printHelp(nodeAgentProgram(request.dialect), io);
    return exitCodes.success;
  }
  if (request.kind === 'version') {
    io.out(request.isRaw ? rawVersion() : `${request.dialect.spell('Orch')} ${apiRelease.version}\n`);
    return exitCodes.success;
  }
  if (request.kind === 'print-config') {
    printNotices(request, io);
    io.out(printConfig(request));
    return exitCodes.success;
  }
  const chosen = await takeAssigned(request, argv, options);
  printNotices(chosen, io);
  const problems = await checkStart(chosen.config, options, chosen.dialect);
  if (problems.length > 0) return fail(problems, io, chosen.dialect);
  return options.run({ ...chosen, version: apiRelease.version }, io);
}

/** The local configuration is always read and checked: it is what the last resort is. */
async function takeAssigned(
  local: LoadedAgentConfig,
  argv: readonly string[],
  options: NodeAgentOptions,
): Promise<Omit<NodeAgentRun, 'version'>> {
  if (local.config.dynamicConfigDir === '') return local;
  const { chooseAssignedConfig } = await import('./node-agent/choose-assigned-config.ts');
  return chooseAssignedConfig(local, { ...options, argv });
}

function printNotices({ notices, warnings, hints }: LoadedAgentConfig, io: ProgramIo): void {
  for (const notice of notices) io.err(`${notice}\n`);
  for (const warning of warnings) io.err(`warning: ${warning}\n`);
  for (const hint of hints) io.err(`hint: ${hint}\n`);
}

function fail(problems: readonly AgentProblem[], io: ProgramIo, dialect: Dialect): number {
  const usage = 'Usage:\n  nodeagent [flags]\nSee nodeagent --help\n\n';
  if (problems.some(({ isUsage }) => isUsage)) io.err(dialect.spell(usage));
  for (const problem of problems) io.err(`${formatProblem(problem)}\n`);
  return wrongConfiguration;
}

function rawVersion(): string {
  const version = { api: apiRelease.version, nodeagent: orchVersion, runtime: process.version };
  return `${JSON.stringify(version)}\n`;
}

/** Loaded only when an agent really starts: help and refusals need none of it. */
async function run(request: NodeAgentRun, io: ProgramIo): Promise<number> {
  const { serveNode } = await import('./node-agent/serve-node.ts');
  return serveNode(request, io);
}

function machine(): NodeAgentOptions {
  return { workingDirectory: process.cwd(), readFile: readWholeFile, exists: existsSync, hasCgroup, run };
}

/** Reads a file, or fails with the words that release 1.20 has for it. */
function readWholeFile(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new Error(fileErrorText(error, path), { cause: error });
  }
}

/** In the unified hierarchy, or in those of the controllers that hold limits. */
function hasCgroup(name: string): boolean {
  const folders = ['', '/cpu', '/memory'].map((controller) => `/sys/fs/cgroup${controller}/${name}`);
  return folders.some((folder) => existsSync(folder));
}
