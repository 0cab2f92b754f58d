import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Logger, makeDirectory, reasonText } from '../base/index.ts';
import { type ClientConfig, saveClientConfig } from '../client/config/index.ts';
import { type KeySet, OptionsError, parseArguments, spellProgram } from '../config/index.ts';
import { layerServeConfig, type ServeConfig, serveOptions, serveProgram } from '../config/serve/index.ts';
import { orchVersion } from '../machinery/api-release.ts';
import { createDialect, type Dialect } from '../machinery/dialect.ts';
import { mergeAdminConfig } from './admin-config.ts';
import { exitCodes } from './exit-codes.ts';
import { createLogger } from './logging.ts';
import { printHelp } from './print-help.ts';
import type { ProgramIo } from './program-io.ts';
import { releaseIdleMemory } from './release-idle-memory.ts';
import { nameHolder, noteRunning } from './running-server.ts';
import { type ServePaths, servePaths, sqlitePath } from './serve-paths.ts';
import { watchRejections } from './unhandled-rejections.ts';

/** What a server is started with. */
export interface ServerStart {
  readonly config: ServeConfig;
  readonly dialect: Dialect;
  readonly paths: ServePaths;
  readonly logger: Logger;
  /** Rejections that nobody handled so far, for the metrics. */
  readonly unhandledRejections?: (() => number) | undefined;
}

/** A server that is ready. */
export interface RunningServer {
  /** `https://host:port`, with the port that was really taken. */
  readonly url: string;
  /** The administrator's access. */
  readonly clientConfig: ClientConfig;
  /** Finishes running requests, then closes storage. */
  stop(): Promise<void>;
}

/** What `runServe` needs besides the command line. */
export interface ServeOptions {
  readonly io: ProgramIo;
  readonly start: (options: ServerStart) => Promise<RunningServer>;
  /** Resolves with the reason when the server is to stop. */
  readonly untilStopped: () => Promise<string>;
}

const unverifiedAgents =
  'certificates of agents are not verified, because --nodeagent-certificate-authority is not set';

/**
 * `orch serve`: completes the configuration, starts the server, says when it is ready and stops it when told to.
 * Returns the exit code.
 * @throws OptionsError when the command line or file is wrong, and whatever keeps the server from starting
 */
export async function runServe(
  argv: readonly string[],
  { io, start, untilStopped }: ServeOptions,
): Promise<number> {
  const preview = previewArguments(argv);
  const dialect = createDialect(preview.dialect);
  if (preview.isHelp) {
    await printHelp(
      spellProgram(serveProgram, (text) => dialect.spell(text)),
      io,
    );
    return exitCodes.success;
  }
  const { config, given, warnings } = layerServeConfig({
    argv,
    env: io.env,
    ...(await readConfigFile(preview.file ?? io.env.ORCH_SERVE_CONFIG)),
    unspell: (text) => dialect.unspell(text),
    spell: (text) => dialect.spell(text),
  });
  const logger = createLogger({ format: config.loggingFormat, verbosity: config.verbosity });
  for (const warning of warnings) io.err(`warning: ${warning}\n`);
  if (config.nodeagentCertificateAuthority === undefined)
    io.err(`warning: ${dialect.spell(unverifiedAgents)}\n`);
  using rejections = watchRejections(logger);
  using _memory = releaseIdleMemory();
  const paths = servePaths(config, io);
  if (paths.dataDirectory !== undefined) await makeDirectory(paths.dataDirectory);
  logger.info('starting', { version: orchVersion, dialect: dialect.name, storage: paths.storageUrl });

  // A signal counts from here on: one that comes while the server starts stops it as soon as it can be stopped.
  const stopped = untilStopped();
  const databasePath = sqlitePath(paths.storageUrl);
  const server = await start({ config, dialect, paths, logger, unhandledRejections: rejections.count }).catch(
    async (error) => {
      throw await nameHolder(error, databasePath);
    },
  );
  const forgetRunning =
    databasePath === undefined
      ? undefined
      : await noteRunning(databasePath, { pid: process.pid, url: server.url });
  const access = await publishAccess({ server, paths, io, mayMerge: mayMerge(config, given) });
  io.out(readyLine(server.url, paths, access.flags));
  const reason = await stopped;
  logger.info('stopping', { reason });
  await server.stop();
  await forgetRunning?.();
  await access.remove();
  logger.info('stopped');
  return exitCodes.success;
}

/** The few options that decide how the others are read. */
export function previewArguments(argv: readonly string[]) {
  const isHelp = argv.some((argument) => argument === '--help' || argument === '-h');
  const own = serveOptions.filter(({ name }) => name === 'config' || name === 'dialect');
  const relevant = argv.flatMap((argument, index) => {
    const match = /^--(config|dialect)(=|$)/.exec(argument);
    if (match === null) return [];
    return match[2] === '=' ? [argument] : argv.slice(index, index + 2);
  });
  const { values } = parseArguments(own, relevant);
  return {
    isHelp,
    dialect: values.dialect === 'kubernetes' ? ('kubernetes' as const) : ('orch' as const),
    file: typeof values.config === 'string' ? values.config : undefined,
  };
}

/** @throws OptionsError when the file cannot be read or is no YAML */
async function readConfigFile(fileName: string | undefined): Promise<{ file?: unknown; fileName?: string }> {
  if (fileName === undefined || fileName === '') return {};
  try {
    const text = await readFile(fileName, 'utf8');
    const { CORE_SCHEMA, load } = await import('js-yaml');
    return { file: text.trim() === '' ? undefined : load(text, { schema: CORE_SCHEMA }), fileName };
  } catch (error) {
    throw new OptionsError([`--config: read ${fileName}: ${reasonText(error)}`]);
  }
}

/** A throw-away server leaves the user's file alone unless it is asked for by name. */
function mayMerge(config: ServeConfig, given: KeySet<keyof ServeConfig>): boolean {
  return config.writeOrchconfig && (!config.ephemeral || given.has('writeOrchconfig'));
}

/** Writes the administrator's access where `ctl` finds it. */
async function publishAccess(options: {
  readonly server: RunningServer;
  readonly paths: ServePaths;
  readonly io: ProgramIo;
  readonly mayMerge: boolean;
}): Promise<{ readonly flags: readonly string[]; remove(): Promise<void> }> {
  const { server, paths, io } = options;
  const temporary = paths.dataDirectory === undefined ? await mkdtemp(join(tmpdir(), 'orch-')) : undefined;
  const file = join(temporary ?? paths.dataDirectory ?? '', 'admin.orchconfig');
  await saveClientConfig(file, server.clientConfig);
  const merged = options.mayMerge ? await mergeAdminConfig(server.clientConfig, io) : undefined;
  return {
    flags: merged ?? [`--orchconfig=${file}`],
    remove: async () => {
      if (temporary !== undefined) await rm(temporary, { recursive: true, force: true });
    },
  };
}

function readyLine(
  url: string,
  { dataDirectory, storageUrl }: ServePaths,
  ctlFlags: readonly string[],
): string {
  const data =
    dataDirectory === undefined ? 'nothing is kept after it stops' : placeOf(dataDirectory, storageUrl);
  return `orch is ready at ${url} (${data}). Next: ${['ctl', ...ctlFlags, 'get namespaces'].join(' ')}\n`;
}

/** Says apart what servers of one etcd share, and what each has for itself. */
function placeOf(dataDirectory: string, storageUrl: string): string {
  if (!storageUrl.startsWith('etcd:')) return `data in ${dataDirectory}`;
  return `objects in etcd at ${storageUrl.slice('etcd:'.length)}, keys in ${dataDirectory}`;
}
