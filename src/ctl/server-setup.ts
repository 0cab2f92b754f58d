import {
  type ClientConfig,
  type ConfigLocations,
  loadClientConfig,
  locateAnyClientConfig,
  locateClientConfig,
  type ResolvedContext,
  resolveContext,
  resolveInCluster,
} from '../client/config/index.ts';
import type { ConfigOf } from '../config/index.ts';
import { createDialect, type Dialect } from '../machinery/dialect.ts';
import type { CtlIo } from './io.ts';
import { learnDialect } from './learn-dialect.ts';
import type { GlobalOptions } from './options/global.ts';

/** What a command line says of its server. */
export interface ServerSetup {
  readonly dialect: Dialect;
  readonly locations: ConfigLocations;
  /** What the files say, read once. @throws ClientConfigError */
  config(): Promise<ClientConfig>;
}

/** What decides about the server. */
export interface SetupInputs {
  readonly io: CtlIo;
  readonly flags: ConfigOf<GlobalOptions>;
  /** How much may be done to find the dialect: nothing, look into what is kept, or ask the server. */
  readonly effort: 'none' | 'kept' | 'ask';
}

/**
 * Finds the configuration and the dialect: the one that was given, else that of the server. Where that cannot be known,
 * the dialect is that of the product whose files name the server. What is wrong with the configuration shows when it is
 * used.
 */
export async function setUpServer({ io, flags, effort }: SetupInputs): Promise<ServerSetup> {
  const where = { flag: flags.orchconfig, env: io.env, home: io.home };
  const { dialect: name } = flags;
  const given = name === 'orch' || name === 'kubernetes' ? createDialect(name) : undefined;
  const locations =
    given === undefined ? locateAnyClientConfig(where) : locateClientConfig({ ...where, dialect: given });
  let read: Promise<ClientConfig> | undefined;
  const config = (): Promise<ClientConfig> => {
    read ??= loadClientConfig(locations);
    return read;
  };
  if (given !== undefined) return { dialect: given, locations, config };
  const ofFiles = createDialect(locations.isForeign === true ? 'kubernetes' : 'orch');
  if (effort === 'none') return { dialect: ofFiles, locations, config };
  const learned = await config()
    .then((read) => findDialect({ io, flags, effort }, read))
    .catch(() => undefined);
  return { dialect: learned ?? ofFiles, locations, config };
}

async function findDialect(
  { io, flags, effort }: SetupInputs,
  config: ClientConfig,
): Promise<Dialect | undefined> {
  const dialects = [createDialect('orch'), createDialect('kubernetes')];
  const ofPod = dialects.find((dialect) => podContext({ io, flags, dialect }, config) !== undefined);
  if (ofPod !== undefined) return ofPod;
  const { connection, isServerUnnamed } = resolveContext(config, overridesOf(flags));
  if (isServerUnnamed === true) return undefined;
  return learnDialect({ io, connection, cacheDir: flags.cacheDir, mayAsk: effort === 'ask' });
}

/** Flags over configuration; inside a pod, with neither, the service account. @throws ClientConfigError */
export function resolveServer(
  inputs: Pick<SetupInputs, 'io' | 'flags'> & { readonly dialect: Dialect },
  config: ClientConfig,
): ResolvedContext {
  const toleratesMissing = inputs.dialect.name === 'kubernetes';
  return (
    podContext(inputs, config) ?? resolveContext(config, { ...overridesOf(inputs.flags), toleratesMissing })
  );
}

function podContext(
  { io, flags, dialect }: Pick<SetupInputs, 'io' | 'flags'> & { readonly dialect: Dialect },
  config: ClientConfig,
): ResolvedContext | undefined {
  const isEmpty = config.contexts.size === 0 && config.clusters.size === 0;
  if (!isEmpty || flags.server || flags.orchconfig) return undefined;
  const inCluster = resolveInCluster({ env: io.env, dialect });
  if (inCluster === undefined) return undefined;
  const namespace = flags.namespace || inCluster.namespace;
  return { ...inCluster, namespace, isNamespaceEnforced: Boolean(flags.namespace) };
}

const overridesOf = (flags: ConfigOf<GlobalOptions>) => ({
  context: flags.context,
  cluster: flags.cluster,
  user: flags.user,
  namespace: flags.namespace,
  server: flags.server,
  tlsServerName: flags.tlsServerName,
  insecureSkipTlsVerify: flags.insecureSkipTlsVerify || undefined,
  certificateAuthority: flags.certificateAuthority,
  clientCertificate: flags.clientCertificate,
  clientKey: flags.clientKey,
  token: flags.token,
  username: flags.username,
  password: flags.password,
  impersonate: flags.as,
  impersonateGroups: flags.asGroup,
});
