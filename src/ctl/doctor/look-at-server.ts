import { X509Certificate } from 'node:crypto';
import { statSync } from 'node:fs';
import { connect } from 'node:tls';
import { errorText } from '../../base/index.ts';
import { type Connection, tlsSettings } from '../../client/rest/index.ts';
import { apiRelease } from '../../machinery/api-release.ts';
import { StatusError } from '../../machinery/errors/index.ts';
import { readServerVersion } from '../client-version.ts';
import type { Ctl } from '../ctl.ts';
import { checkCertificate, checkClock, checkHealth, checkVersions, type Finding } from './finding.ts';

/** Time for a TLS handshake. */
const handshakeTimeoutMs = 10_000;
/** Bits of a file's mode that let others read it. */
const readableByOthers = 0o044;

/** The configuration's files, and the certificates that it names. @throws ClientConfigError */
export async function lookAtConfiguration(ctl: Ctl): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const file of ctl.locations.files) {
    const stat = statSync(file, { throwIfNoEntry: false });
    if (stat === undefined) continue;
    const isOpen = (stat.mode & readableByOthers) !== 0;
    findings.push(
      isOpen
        ? { level: 'warning', about: file, message: 'others can read it', next: `chmod 600 ${file}` }
        : { level: 'ok', about: file, message: 'only its owner can read it' },
    );
  }
  const { tls } = (await ctl.context()).connection;
  const nowMs = ctl.io.clock.nowMs();
  if (tls.cert !== undefined)
    findings.push(checkCertificate('client certificate', expiryOf(tls.cert), nowMs));
  if (tls.ca !== undefined)
    findings.push(checkCertificate('authority of the server', expiryOf(tls.ca), nowMs));
  return findings;
}

/** Whether the server answers, when its certificate ends, what time it has, which version it is and how it is. */
export async function lookAtServer(
  ctl: Ctl,
): Promise<{ readonly findings: readonly Finding[]; readonly version: string }> {
  const client = await ctl.client();
  const { clock, signal } = ctl.io;
  const beforeMs = clock.nowMs();
  const answer = await client.send({ method: 'GET', path: '/version', signal });
  const afterMs = clock.nowMs();
  const findings: Finding[] = [
    { level: 'ok', about: 'server', message: `${client.server} answers after ${afterMs - beforeMs} ms` },
  ];
  const serverMs = Date.parse(String(answer.headers.date));
  if (!Number.isNaN(serverMs)) findings.push(checkClock(serverMs, beforeMs, afterMs));
  const { gitVersion: version = '' } = await readServerVersion(client, signal);
  findings.push(checkVersions('ctl', apiRelease.version, version));
  const { connection } = await ctl.context();
  if (connection.server.startsWith('https:'))
    findings.push(checkCertificate('server certificate', await serverCertificateEnd(connection), afterMs));
  findings.push(await readHealth(ctl));
  return { findings, version };
}

async function readHealth(ctl: Ctl): Promise<Finding> {
  try {
    const client = await ctl.client();
    const { signal } = ctl.io;
    const query = { verbose: 'true' };
    const answer = await client.send({ method: 'GET', path: '/readyz', query, signal, isRetried: false });
    return checkHealth(answer.body.toString('utf8'));
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    const level = error.code >= 500 ? 'failure' : 'note';
    return { level, about: 'server', message: `health: ${errorText(error)}` };
  }
}

/** When the first certificate of a text ends, in milliseconds since 1970. */
const expiryOf = (pem: string | Buffer): number => Date.parse(new X509Certificate(pem).validTo);

function serverCertificateEnd(connection: Connection): Promise<number> {
  const { hostname, port } = new URL(connection.server);
  return new Promise((resolve, reject) => {
    const socket = connect({
      ...tlsSettings(connection),
      host: hostname.replace(/^\[|\]$/g, ''),
      port: Number(port || 443),
      timeout: handshakeTimeoutMs,
    });
    socket.once('secureConnect', () => {
      resolve(Date.parse(socket.getPeerCertificate().valid_to));
      socket.destroy();
    });
    socket.once('timeout', () => socket.destroy(new Error('no TLS handshake in time')));
    socket.once('error', reject);
  });
}
