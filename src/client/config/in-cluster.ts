import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Dialect } from '../../machinery/dialect.ts';
import type { ResolvedContext } from './resolve.ts';

/** What a pod's process sees of its cluster. */
export interface InClusterInputs {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly dialect: Dialect;
  /** Folder of the service account's files; default: where the agent mounts them. */
  readonly folder?: string | undefined;
}

/** The connection of a process inside a pod, from its environment and service account; undefined outside. */
export function resolveInCluster({ env, dialect, folder }: InClusterInputs): ResolvedContext | undefined {
  const host = env[dialect.spell('ORCH_SERVICE_HOST')];
  const port = env[dialect.spell('ORCH_SERVICE_PORT')];
  if (!host || !port) return undefined;
  const mount = folder ?? dialect.spell('/var/run/secrets/orch.io/serviceaccount');
  const token = readIfThere(join(mount, 'token'))?.toString('utf8').trim();
  if (!token) return undefined;
  const ca = readIfThere(join(mount, 'ca.crt'));
  const namespace = readIfThere(join(mount, 'namespace'))?.toString('utf8').trim();
  return {
    connection: {
      server: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
      tls: { ca },
      auth: { token },
    },
    namespace: namespace || 'default',
    isNamespaceEnforced: false,
  };
}

function readIfThere(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined; // outside a pod, or a pod without a service account
  }
}
