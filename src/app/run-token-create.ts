import { randomInt } from 'node:crypto';
import { resolve } from 'node:path';
import {
  type ClientConfig,
  type ClusterEntry,
  resolveConnection,
  saveClientConfig,
} from '../client/config/index.ts';
import { createRestClient, type RestClient, readServerDialect, resourcePath } from '../client/rest/index.ts';
import { parseLifetime, tokenCreateOptions, tokenCreateProgram } from '../config/access/index.ts';
import { createDialect, type Dialect } from '../machinery/dialect.ts';
import { isReason } from '../machinery/errors/index.ts';
import { connectAsAdmin } from './admin-client.ts';
import { exitCodes } from './exit-codes.ts';
import type { ProgramIo } from './program-io.ts';
import { readCommand } from './read-command.ts';

const letters = 'abcdefghijklmnopqrstuvwxyz0123456789';
/** `orch token create`. Returns the exit code. @throws OptionsError, ClientConfigError, StatusError, TransportError */
export async function runTokenCreate(argv: readonly string[], io: ProgramIo): Promise<number> {
  const command = await readCommand(argv, io, { program: tokenCreateProgram, specs: tokenCreateOptions });
  if (command === undefined) return exitCodes.success;
  const { flags } = command;
  const { client, config } = await connectAsAdmin(flags, io);
  try {
    const asked = command.given.has('dialect') ? undefined : await readServerDialect(client);
    const dialect = asked ?? createDialect(flags.dialect);
    const token = { id: randomText(6), secret: randomText(16) };
    const expiresAtMs = Date.now() + (parseLifetime(flags.ttl) ?? 0);
    await bindJoiners(client, dialect);
    await client.send({
      method: 'POST',
      path: resourcePath({
        group: '',
        version: 'v1',
        resource: 'secrets',
        namespace: dialect.systemNamespace,
      }),
      body: tokenSecret(dialect, { ...token, expiresAtMs, description: flags.description }),
    });
    const file = flags.output ?? 'bootstrap.orchconfig';
    const text = `${token.id}.${token.secret}`;
    const context = config.contexts.get(flags.context ?? config.currentContext);
    const cluster = { ...config.clusters.get(context?.cluster ?? ''), server: client.server };
    const bootstrap = bootstrapConfig(cluster, text);
    await saveClientConfig(resolve(file), bootstrap);
    const until = new Date(expiresAtMs).toISOString().replace(/\.\d+/, '');
    io.out(`token ${text} counts until ${until}. Copy ${file} to the node, and run there:\n`);
    io.out(`  ${joinLine(dialect, file)}\n`);
    if (!(await isTaken(bootstrap)))
      io.err(
        'warning: the server does not take bootstrap tokens: start it with --enable-bootstrap-token-auth\n',
      );
    return exitCodes.success;
  } finally {
    client.close();
  }
}

/** As a node presents itself with the token, and with nothing else. */
async function isTaken(config: ClientConfig): Promise<boolean> {
  const connection = resolveConnection(config);
  const client = createRestClient({ connection, userAgent: 'orch' });
  try {
    await client.send({ method: 'GET', path: '/api' });
    return true;
  } catch (error) {
    if (isReason(error, 'Unauthorized')) return false;
    throw error;
  } finally {
    client.close();
  }
}

function bootstrapConfig(cluster: ClusterEntry, token: string): ClientConfig {
  const name = 'bootstrap';
  return {
    clusters: new Map([[name, cluster]]),
    users: new Map([[name, { token }]]),
    contexts: new Map([[name, { cluster: name, user: name }]]),
    currentContext: name,
  };
}

function joinLine(dialect: Dialect, file: string): string {
  const flags = [
    `--bootstrap-orchconfig=${file}`,
    '--orchconfig=/var/lib/nodeagent/orchconfig',
    '--rotate-certificates',
  ];
  return ['nodeagent', ...flags].map((word) => dialect.spell(word)).join(' ');
}

interface NewToken {
  readonly id: string;
  readonly secret: string;
  readonly expiresAtMs: number;
  readonly description: string | undefined;
}

/** Source: the documentation page "Authenticating with Bootstrap Tokens". */
function tokenSecret(dialect: Dialect, { id, secret, expiresAtMs, description }: NewToken): object {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: `bootstrap-token-${id}` },
    type: dialect.spell('bootstrap.orch.io/token'),
    stringData: {
      ...(description === undefined ? {} : { description }),
      'token-id': id,
      'token-secret': secret,
      expiration: new Date(expiresAtMs).toISOString().replace(/\.\d+/, ''),
      'usage-bootstrap-authentication': 'true',
      'usage-bootstrap-signing': 'true',
    },
  };
}

/** Who may do what for a node to join and to stay: names of bindings and roles, with the group that has them. */
const joinRoles = [
  { name: 'orch:node-bootstrapper', role: 'system:node-bootstrapper', group: 'system:bootstrappers' },
  {
    name: 'orch:node-autoapprove-bootstrap',
    role: 'system:certificates.orch.io:certificatesigningrequests:nodeclient',
    group: 'system:bootstrappers',
  },
  {
    name: 'orch:node-autoapprove-rotation',
    role: 'system:certificates.orch.io:certificatesigningrequests:selfnodeclient',
    group: 'system:nodes',
  },
] as const;

/** Makes the bindings that are not there. */
async function bindJoiners(client: RestClient, dialect: Dialect): Promise<void> {
  const apiGroup = dialect.group('rbac.authorization');
  for (const { name, role, group } of joinRoles) {
    const body = {
      apiVersion: `${apiGroup}/v1`,
      kind: 'ClusterRoleBinding',
      metadata: { name: dialect.spell(name) },
      roleRef: { apiGroup, kind: 'ClusterRole', name: dialect.spell(role) },
      subjects: [{ apiGroup, kind: 'Group', name: group }],
    };
    const path = resourcePath({ group: apiGroup, version: 'v1', resource: 'clusterrolebindings' });
    try {
      await client.send({ method: 'POST', path, body });
    } catch (error) {
      if (!isReason(error, 'AlreadyExists')) throw error;
    }
  }
}

const randomText = (length: number): string =>
  Array.from({ length }, () => letters[randomInt(letters.length)]).join('');
