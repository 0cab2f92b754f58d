/**
 * The composition roots, and what other programs may import from the package: a server that starts inside their tests.
 * Nothing of the project imports this folder but `commands`.
 */
import { type Logger, silentLogger } from '../base/index.ts';
import type { ClientConfig } from '../client/config/index.ts';
import { layerServeConfig } from '../config/serve/index.ts';
import { createDialect } from '../machinery/dialect.ts';
import { previewArguments } from './run-serve.ts';
import { servePaths } from './serve-paths.ts';
import { startServer as start } from './start-server.ts';

export type { ClientConfig, Logger };

/** How a server inside another program is to be. */
export interface EmbeddedServerOptions {
  /** Flags of `orch serve`, for example `['--controllers=none', '--token-auth-file=tokens.csv']`. */
  readonly flags?: readonly string[];
  /** Where log lines go; nowhere when left out. */
  readonly logger?: Logger;
}

/** A server that runs inside this process. */
export interface EmbeddedServer extends AsyncDisposable {
  /** `https://127.0.0.1:PORT`. */
  readonly url: string;
  /** The administrator's access: cluster, user and context. */
  readonly clientConfig: ClientConfig;
  /** PEM certificate of the authority that signed the server's certificate. */
  readonly authorityPem: string;
  /** PEM client certificate and key of the administrator. */
  readonly adminCertificatePem: string;
  readonly adminKeyPem: string;
  /** Finishes running requests and frees everything. */
  stop(): Promise<void>;
}

/**
 * Starts the server of `orch serve` inside this process: in memory, on a free port of 127.0.0.1, unless the flags
 * say otherwise. It is ready when the promise resolves.
 *
 * @throws OptionsError with all that is wrong with the flags.
 */
export async function startServer(options: EmbeddedServerOptions = {}): Promise<EmbeddedServer> {
  const { flags = [], logger = silentLogger } = options;
  const dialect = createDialect(previewArguments(flags).dialect);
  const keepsData = flags.some((flag) => /^--(data-dir|storage|etcd-servers)(=|$)/.test(flag));
  const base = keepsData ? ['--secure-port=0'] : ['--ephemeral', '--secure-port=0'];
  const { config } = layerServeConfig({
    argv: [...base, ...flags],
    unspell: (text) => dialect.unspell(text),
  });
  const io = { env: {}, home: undefined, isRoot: false, out() {}, err() {} };
  const server = await start({ config, dialect, paths: servePaths(config, io), logger });
  const stop = () => server.stop();
  return { ...server, stop, [Symbol.asyncDispose]: stop };
}
