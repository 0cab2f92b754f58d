import { execFile } from 'node:child_process';
import { lstat, readdir, readFile, readlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { load } from 'js-yaml';
import type { CertificateSigningRequest } from '../../src/apis/types/certificates-v1.ts';
import { ApiClient } from '../support/api-client.ts';
import { CertificateSigner } from '../support/certificate-signer.ts';
import type { Containerd } from '../support/containerd.ts';
import { eventually } from '../support/eventually.ts';
import type { ApiServer } from './api-server.ts';
import type { Case, Rig } from './rig.ts';

/** A recording of certificates, and what it is played with. */
export interface CertificateCase {
  readonly one: Case;
  readonly rig: Rig;
  readonly containerd: Containerd;
}

/** A server that trusts an authority of the case's own and lets everybody do all, and somebody who signs with it. */
export async function startSigningServer({ one, rig }: CertificateCase): Promise<{
  readonly server: ApiServer;
  readonly signer: CertificateSigner;
}> {
  const authority = await CertificateSigner.makeAuthority();
  const authorityPath = join(await rig.folder('authorities', one.name), 'ca.pem');
  await writeFile(authorityPath, authority.certificatePem);
  const server = await rig.startServer(one.name, [
    '--controllers=none',
    '--authorization-mode=AlwaysAllow',
    `--client-ca-file=${authorityPath}`,
  ]);
  const client = new ApiClient({
    url: server.url,
    authorityPem: await readAuthority(server),
    token: server.token,
  });
  return { server, signer: CertificateSigner.with(authority, client) };
}

async function readAuthority({ configPath }: ApiServer): Promise<string> {
  // The server has just written it.
  const { clusters } = load(await readFile(configPath, 'utf8')) as {
    clusters: readonly { cluster: Readonly<Record<string, string>> }[];
  };
  return Buffer.from(clusters[0]?.cluster['certificate-authority-data'] ?? '', 'base64').toString();
}

/** Writes a client configuration of the administrator; JSON is YAML. */
export async function writeAdminConfig({ url, token }: ApiServer, path: string): Promise<void> {
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'c', cluster: { server: url, 'insecure-skip-tls-verify': true } }],
    users: [{ name: 'u', user: { token } }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
    'current-context': 'x',
  };
  await writeFile(path, JSON.stringify(config));
}

/** The first request; agents may take long to start. */
export function waitForRequest(signer: CertificateSigner): Promise<CertificateSigningRequest> {
  return eventually(async () => (await signer.list())[0], { patienceMs: 30_000 });
}

/** A request for a certificate as recordings have it, and what it says. */
export async function comparableRequest(request: CertificateSigningRequest): Promise<unknown> {
  const { apiVersion: _, kind: __, metadata, spec, ...rest } = request;
  const { managedFields: ___, name = '', ...kept } = metadata;
  const pem = Buffer.from(spec.request ?? '', 'base64').toString();
  return {
    object: {
      metadata: { ...kept, name: name.replace(/^(node|csr)-[\w-]+$/, '$1-<suffix>') },
      spec: { ...spec, request: pem.startsWith('-----BEGIN CERTIFICATE REQUEST') ? '<request>' : pem },
      ...rest,
    },
    request: await describeRequest(pem),
  };
}

/** In words of openssl, which newer releases of it write with fewer spaces. */
async function describeRequest(pem: string): Promise<unknown> {
  const text = await runOpenssl(['req', '-noout', '-text', '-nameopt', 'oneline'], pem);
  const find = (pattern: RegExp): string => pattern.exec(text)?.[1] ?? '';
  return {
    subject: find(/Subject: (.*)/).replace(/ ?= ?/g, ' = '),
    key: find(/Public Key Algorithm: (.*)/),
    sans: find(/Subject Alternative Name:.*\n\s*(.*)/),
  };
}

/** Gives what it prints. */
export async function runOpenssl(args: readonly string[], input = ''): Promise<string> {
  const running = promisify(execFile)('openssl', args);
  running.child.stdin?.on('error', () => undefined); // It may be done before it has read anything.
  running.child.stdin?.end(input);
  return (await running).stdout;
}

/** Files of a folder with their modes and where links lead, moments in names left out. */
export async function lookAtFiles(folder: string, tmp: string) {
  const names = await readdir(folder);
  const timeless = (text: string): string =>
    text.replace(/\d{4}(-\d\d){5}/g, '<time>').replace(`${tmp}/`, '{tmp}/');
  const modes: Record<string, string> = {};
  const links: Record<string, string> = {};
  for (const name of names) {
    const path = join(folder, name);
    const status = await lstat(path);
    modes[timeless(name)] = `0o${(status.mode & 0o777).toString(8)}`;
    if (status.isSymbolicLink()) links[timeless(name)] = timeless(await readlink(path));
  }
  return { files: names.map(timeless).sort(), modes, links };
}
