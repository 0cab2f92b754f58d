import { join } from 'node:path';
import {
  type ClientConfig,
  ClientConfigError,
  type ConfigEdit,
  editClientConfigFile,
  mergeClientConfigs,
  readClientConfigFile,
} from '../client/config/index.ts';
import type { ProgramIo } from './program-io.ts';

/** Name of the context, cluster and prefix of the user that a server writes. */
const contextName = 'orch';

/** What an administrator needs to reach a server. */
export interface AdminAccess {
  readonly url: string;
  readonly authorityPem: string;
  readonly certificatePem: string;
  readonly privateKeyPem: string;
}

/** A client configuration with everything inside it, so that the file may be copied elsewhere. */
export function adminClientConfig({
  url,
  authorityPem,
  certificatePem,
  privateKeyPem,
}: AdminAccess): ClientConfig {
  const user = `${contextName}-admin`;
  return {
    clusters: new Map([[contextName, { server: url, certificateAuthorityData: toBase64(authorityPem) }]]),
    users: new Map([
      [user, { clientCertificateData: toBase64(certificatePem), clientKeyData: toBase64(privateKeyPem) }],
    ]),
    contexts: new Map([[contextName, { cluster: contextName, user }]]),
    currentContext: contextName,
  };
}

/** How the administrator reaches the server from a shell: the flags that `ctl` needs, none when it just works. */
export type CtlFlags = readonly string[];

/**
 * Merges the administrator's context into the user's own client configuration, when that has nothing under its name or
 * only an older entry for the same server; another server's entry is never touched, nor is the user's current context.
 * Returns the flags with which `ctl` uses it, or `undefined` when the user's file was left alone.
 */
export async function mergeAdminConfig(admin: ClientConfig, io: ProgramIo): Promise<CtlFlags | undefined> {
  if (io.home === undefined || io.home === '' || (io.env.ORCHCONFIG ?? '') !== '') return undefined;
  const file = join(io.home, '.orch/config');
  const existing = await readExisting(file);
  if (existing === undefined || !mayReplace(existing, admin)) return undefined;
  const currentContext = existing.contexts.has(existing.currentContext)
    ? existing.currentContext
    : contextName;
  await editClientConfigFile(file, [...entryEdits(admin), { kind: 'current-context', name: currentContext }]);
  return currentContext === contextName ? [] : [`--context=${contextName}`];
}

/** Puts the administrator's entries in the place of older ones; what else the file holds stays as it is. */
function entryEdits(admin: ClientConfig): ConfigEdit[] {
  const user = `${contextName}-admin`;
  const cluster = admin.clusters.get(contextName);
  const credentials = admin.users.get(user);
  const entries = [
    {
      section: 'clusters' as const,
      name: contextName,
      fields: { server: cluster?.server, 'certificate-authority-data': cluster?.certificateAuthorityData },
    },
    {
      section: 'users' as const,
      name: user,
      fields: {
        'client-certificate-data': credentials?.clientCertificateData,
        'client-key-data': credentials?.clientKeyData,
      },
    },
    { section: 'contexts' as const, name: contextName, fields: { cluster: contextName, user } },
  ];
  return entries.flatMap(({ section, name, fields }): ConfigEdit[] => [
    { kind: 'remove', section, name },
    { kind: 'set', section, name, fields },
  ]);
}

/** A file that cannot be understood is somebody's: it is left alone. */
async function readExisting(file: string): Promise<ClientConfig | undefined> {
  try {
    return (await readClientConfigFile(file)) ?? mergeClientConfigs([]);
  } catch (error) {
    if (error instanceof ClientConfigError) return undefined;
    throw error;
  }
}

function mayReplace(existing: ClientConfig, admin: ClientConfig): boolean {
  const theirs = existing.clusters.get(contextName);
  const ours = admin.clusters.get(contextName);
  const context = existing.contexts.get(contextName);
  if (theirs === undefined) return context === undefined && !existing.users.has(`${contextName}-admin`);
  return theirs.server === ours?.server || theirs.certificateAuthorityData === ours?.certificateAuthorityData;
}

function toBase64(text: string): string {
  return Buffer.from(text).toString('base64');
}
