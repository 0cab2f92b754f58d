import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type EmbeddedServer, startServer } from '../../src/app/index.ts';
import type { Logger } from '../../src/base/index.ts';
import { ApiClient } from './api-client.ts';
import { keptLogger } from './kept-logs.ts';
import { makeTemporaryDirectory } from './temporary-directory.ts';

/** Tokens that test servers know, by user. */
export const tokens = { admin: 'admin-token-59c2e1', alice: 'alice-token-7d10f4' } as const;

const tokenFile = [
  `${tokens.admin},admin,admin,system:masters`,
  `${tokens.alice},alice,alice-uid,"devs,testers"`,
].join('\n');

/** A server inside this process, with clients for it. */
export interface TestServer {
  readonly server: EmbeddedServer;
  /** The administrator, by client certificate. */
  readonly admin: ApiClient;
  /** Somebody with a bearer token. */
  withToken(token: string): ApiClient;
  /** Somebody without credentials. */
  readonly anonymous: ApiClient;
  /** Stops the server, closes the clients and removes what was written. */
  stop(): Promise<void>;
}

/** Nothing makes objects by itself, pods need no service account that nobody makes, and namespaces end at once. */
const quietFlags = [
  '--controllers=none',
  '--disable-admission-plugins=ServiceAccount',
  '--namespace-deletion-delay=0s',
];

/**
 * Starts a server on a free port, in memory unless the flags say otherwise. It knows the tokens above; controllers do
 * not run unless the flags ask for them.
 */
export async function startTestServer(
  options: { readonly flags?: readonly string[]; readonly logger?: Logger } = {},
): Promise<TestServer> {
  const directory = await makeTemporaryDirectory();
  const tokenPath = join(directory.path, 'tokens.csv');
  await writeFile(tokenPath, tokenFile);
  const { flags = [] } = options;
  const isGiven = (flag: string) => flags.some((given) => given.split('=')[0] === flag.split('=')[0]);
  const defaults = [`--token-auth-file=${tokenPath}`, ...quietFlags].filter((flag) => !isGiven(flag));
  const logger = keptLogger(options.logger);
  const server = await startServer({ logger, flags: [...defaults, ...flags] }).catch(async (error) => {
    await directory.remove();
    throw error;
  });
  const { url, authorityPem, adminCertificatePem: certificatePem, adminKeyPem: keyPem } = server;
  const clients: ApiClient[] = [];
  const connect = (client: ApiClient): ApiClient => {
    clients.push(client);
    return client;
  };
  return {
    server,
    admin: connect(new ApiClient({ url, authorityPem, certificatePem, keyPem })),
    withToken: (token) => connect(new ApiClient({ url, authorityPem, token })),
    anonymous: connect(new ApiClient({ url, authorityPem })),
    async stop() {
      await server.stop();
      for (const client of clients) client.close();
      await directory.remove();
    },
  };
}
