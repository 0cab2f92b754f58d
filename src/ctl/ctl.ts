import { join } from 'node:path';
import type { ConfigLocations, ResolvedContext } from '../client/config/index.ts';
import {
  createDiscoveryCache,
  createResourceMapper,
  type DiscoveredResource,
  type DiscoveryCache,
  type ResourceMapper,
} from '../client/discovery/index.ts';
import type { OpenApiCache } from '../client/openapi/index.ts';
import {
  type Connection,
  createRestClient,
  type RequestTrace,
  type RestClient,
} from '../client/rest/index.ts';
import { type ConfigOf, loadColours } from '../config/index.ts';
import type { Dialect } from '../machinery/dialect.ts';
import { DurationError, parseDurationMs } from '../machinery/go-values/index.ts';
import { requireSameVersion, userAgentOf } from './client-version.ts';
import { CtlError, UnknownNameError } from './errors.ts';
import type { CtlIo } from './io.ts';
import type { GlobalOptions } from './options/global.ts';
import { resolveServer, type ServerSetup } from './server-setup.ts';
import { createWarningPrinter, type WarningPrinter } from './warnings.ts';

/** What verbs work with. Everything is made when first asked for. */
export interface Ctl {
  readonly io: CtlIo;
  readonly dialect: Dialect;
  readonly flags: ConfigOf<GlobalOptions>;
  /** Files of the client configuration. */
  readonly locations: ConfigLocations;
  /** What `--record` writes into objects; undefined when nothing is recorded. */
  readonly changeCause: string | undefined;
  /** Names of all commands. */
  readonly commands: readonly string[];
  /** Server, credentials and namespace as the configuration has them. @throws ClientConfigError */
  context(): Promise<ResolvedContext>;
  /** The way to the server, with credentials of a program or a provider where the configuration asks for that. */
  connection(): Promise<Connection>;
  client(): Promise<RestClient>;
  /** Shows requests as `-v` asks for; undefined when it does not. */
  trace(): Promise<RequestTrace | undefined>;
  discovery(): Promise<DiscoveryCache>;
  /** What the server's document says of kinds and fields. */
  openApi(): Promise<OpenApiCache>;
  /** What users type to a resource; asks the server again when the kept answer has none. @throws CtlError */
  findResource(typed: string): Promise<DiscoveredResource>;
  /** The resource of a manifest's kind. @throws CtlError as release 1.20 words it */
  findKind(apiVersion: string, kind: string, source: string): Promise<DiscoveredResource>;
  /** The resources that a category stands for; undefined when it is none. */
  findCategory(name: string): Promise<readonly DiscoveredResource[] | undefined>;
  /** Name under which this command's writes are recorded: `ctl-create`. */
  fieldManager(verb: string): string;
  /** How many warnings the server sent so far. */
  warningCount(): number;
  close(): void;
}

/** What a context for verbs is made of. */
export interface CtlInputs {
  readonly io: CtlIo;
  readonly setup: ServerSetup;
  readonly flags: ConfigOf<GlobalOptions>;
  readonly commands: readonly string[];
  readonly changeCause?: string | undefined;
  /** Nobody waits for an answer: what is kept counts however old it is, and no request is made that needs a login first. */
  readonly isOffhand?: boolean;
}

/** Makes the context of one command. Its functions may be taken from it and called alone. */
export function createCtl(inputs: CtlInputs): Ctl {
  const { io, setup, flags, commands, changeCause } = inputs;
  const { dialect, locations } = setup;
  const server = new ServerAccess(inputs);
  return {
    io,
    dialect,
    locations,
    flags,
    commands,
    changeCause,
    context: () => server.context(),
    connection: () => server.connection(),
    client: () => server.client(),
    trace: () => server.trace(),
    discovery: () => server.discovery(),
    openApi: () => server.openApi(),
    findResource: async (typed) => findResource(await server.discovery(), typed),
    findKind: async (...named) => findKind(await server.discovery(), ...named),
    findCategory: async (name) => findCategory(await server.discovery(), name),
    fieldManager: (verb) => `${dialect.spell('ctl')}-${verb}`,
    warningCount: () => server.warningCount(),
    close: () => server.close(),
  };
}

/** How one command reaches its server. Each part is made when first asked for, and only once. */
class ServerAccess {
  readonly #inputs: CtlInputs;
  #context: Promise<ResolvedContext> | undefined;
  #connection: Promise<Connection> | undefined;
  #client: Promise<RestClient> | undefined;
  /** The client once it is there, to be closed. */
  #openClient: RestClient | undefined;
  #discovery: Promise<DiscoveryCache> | undefined;
  #openApi: Promise<OpenApiCache> | undefined;
  #warnings: WarningPrinter | undefined;

  constructor(inputs: CtlInputs) {
    this.#inputs = inputs;
  }

  context(): Promise<ResolvedContext> {
    const { io, setup, flags } = this.#inputs;
    this.#context ??= setup
      .config()
      .then((config) => resolveServer({ io, flags, dialect: setup.dialect }, config));
    return this.#context;
  }

  connection(): Promise<Connection> {
    this.#connection ??= this.context().then((resolved) => logIn(this.#inputs, resolved));
    return this.#connection;
  }

  client(): Promise<RestClient> {
    this.#client ??= this.#openRestClient();
    return this.#client;
  }

  async trace(): Promise<RequestTrace | undefined> {
    const { io, flags } = this.#inputs;
    if (flags.verbosity < 6 && !flags.vmodule && flags.logBacktraceAt === ':0') return undefined;
    const [{ createLogLines, requestVerbosity }, { createTrace }] = await Promise.all([
      import('./log-lines.ts'),
      import('./trace.ts'),
    ]);
    const level = requestVerbosity(flags, io);
    return level >= 6 ? createTrace(createLogLines(io, flags), level) : undefined;
  }

  discovery(): Promise<DiscoveryCache> {
    this.#discovery ??= this.client().then((client) =>
      createDiscoveryCache({
        client,
        aggregatedGroup: this.#inputs.setup.dialect.group('apidiscovery'),
        ...this.#cacheIn('discovery'),
      }),
    );
    return this.#discovery;
  }

  openApi(): Promise<OpenApiCache> {
    this.#openApi ??= this.client().then(async (client) => {
      const { createOpenApiCache } = await import('../client/openapi/index.ts');
      return createOpenApiCache({ client, ...this.#cacheIn('openapi') });
    });
    return this.#openApi;
  }

  warningCount(): number {
    return this.#warnings?.count() ?? 0;
  }

  close(): void {
    this.#openClient?.close();
  }

  async #openRestClient(): Promise<RestClient> {
    const { io, setup, flags } = this.#inputs;
    const { dialect } = setup;
    const resolved = await this.context();
    const { isOffhand = false } = this.#inputs;
    // Scripts may know the release's client by where it goes then; in our own dialect people learn what to do.
    if (resolved.isServerUnnamed && (isOffhand || dialect.name === 'orch')) {
      throw new CtlError(
        'no server is configured: start one with orch serve, which writes ~/.orch/config, or name one with --server or --orchconfig',
      );
    }
    const connection = await this.connection();
    const trace = await this.trace();
    const warnings = createWarningPrinter(
      io.stderr,
      await loadColours({ isTerminal: io.stderr.isTerminal, env: io.env }),
    );
    this.#warnings = warnings;
    const client = createRestClient({
      connection,
      trace,
      clock: io.clock,
      timeoutMs: parseTimeout(flags.requestTimeout),
      userAgent: userAgentOf(dialect.spell('ctl')),
      onWarning: warnings.print,
      // Others may have something to take away after an interrupt.
      ...(isOffhand ? { signal: io.signal } : {}),
      ...(isOffhand && needsLogin(resolved) ? { transport: refuseToLogIn } : {}),
    });
    this.#openClient = client;
    if (flags.matchServerVersion) {
      await requireSameVersion(client, dialect, io.signal);
    }
    return client;
  }

  /** The folder of one cache below that of all, and its clock. */
  #cacheIn(name: string): {
    readonly folder: string;
    readonly clock: CtlIo['clock'];
    readonly ttlMs?: number;
  } {
    const { io, flags, isOffhand = false } = this.#inputs;
    const folder = join(flags.cacheDir || join(io.home, '.orch', 'cache'), name);
    return { folder, clock: io.clock, ...(isOffhand ? { ttlMs: Number.POSITIVE_INFINITY } : {}) };
  }
}

async function findResource(cache: DiscoveryCache, typed: string): Promise<DiscoveredResource> {
  const found = await search(cache, (mapper) => mapper.find(typed));
  if (found !== undefined) return found;
  const [name = ''] = typed.split('.');
  throw new UnknownNameError(
    `the server doesn't have a resource type ${JSON.stringify(name)}`,
    name.toLowerCase(),
    createResourceMapper(await cache.get()).names(),
  );
}

async function findKind(
  cache: DiscoveryCache,
  apiVersion: string,
  kind: string,
  source: string,
): Promise<DiscoveredResource> {
  const [version = '', group = ''] = apiVersion.split('/').reverse();
  const found = await search(cache, (mapper) => mapper.findKind({ group, version, kind }));
  if (found !== undefined) return found;
  const where = JSON.stringify(apiVersion);
  const { resources } = await cache.get();
  throw new UnknownNameError(
    `unable to recognize ${JSON.stringify(source)}: no matches for kind ${JSON.stringify(kind)} in version ${where}`,
    kind,
    resources.filter((one) => one.group === group && one.version === version).map((one) => one.kind),
  );
}

async function findCategory(
  cache: DiscoveryCache,
  name: string,
): Promise<readonly DiscoveredResource[] | undefined> {
  const found = createResourceMapper(await cache.get()).findCategory(name);
  return found.length === 0 ? undefined : found;
}

/** Tries the kept discovery, then a new one. */
async function search<T>(
  cache: DiscoveryCache,
  find: (mapper: ResourceMapper) => T | undefined,
): Promise<T | undefined> {
  const kept = await cache.get();
  const found = find(createResourceMapper(kept));
  if (found !== undefined) return found;
  const fresh = await cache.refresh();
  return fresh === kept ? undefined : find(createResourceMapper(fresh));
}

async function logIn(
  { io, setup, isOffhand = false }: CtlInputs,
  resolved: ResolvedContext,
): Promise<Connection> {
  if (isOffhand || !needsLogin(resolved)) return resolved.connection;
  const { obtainConnection } = await import('../client/credentials/index.ts');
  const { env, input, clock } = io;
  const { dialect } = setup;
  return obtainConnection(resolved, { dialect, env, clock, isInteractive: input.isTerminal });
}

/** Whether credentials must be obtained from elsewhere, which may take a program, a provider or a person. */
const needsLogin = ({ connection, exec, authProvider }: ResolvedContext): boolean =>
  (exec !== undefined || authProvider !== undefined) && !connection.auth.token && !connection.auth.username;

/** Stands for the way to a server when credentials would have to be obtained. */
const refuseToLogIn = () => Promise.reject(new CtlError('credentials must be obtained first'));

/** Durations, and bare numbers as seconds. */
function parseTimeout(text: string): number {
  try {
    const durationMs = /^\d+$/.test(text) ? Number(text) * 1000 : parseDurationMs(text);
    if (durationMs >= 0) return durationMs;
  } catch (error) {
    if (!(error instanceof DurationError)) throw error;
  }
  throw new CtlError(
    `Invalid timeout value. Timeout must be a single integer in seconds, or an integer followed by a corresponding time unit (e.g. 1s | 2m | 3h)`,
  );
}
