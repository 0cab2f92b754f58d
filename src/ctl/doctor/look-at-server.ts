import { X509Certificate } from 'node:crypto';
import { statSync } from 'node:fs';
import { connect } from 'node:tls';
import { errorText } from '../../base/index.ts';
import { type Connection, tlsSettings } from '../../client/rest/index.ts';
import { apiRelease } from '../../machinery/api-release.ts';
import { StatusError } from '../../machinery/errors/index.ts';
import { readServerVersion } from '../client-version.ts';
import type { Ctl } from '../ctl.ts';
import { checkStore, checkStoreMetrics } from './check-store.ts';
import { checkCertificate, checkClock, checkHealth, checkVersions, type Finding } from './finding.ts';

/** Time for an answer, and for a TLS handshake. */
const timeoutMs = 10_000;
/** Bits of a file's mode that let others read it. */
const readableByOthers = 0o044;

/** The configuration's files, and the certificates that it names. @throws ClientConfigError */
export async function lookAtConfiguration(ctl: Ctl, findings: Finding[]): Promise<void> {
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
  const { tls } = await ctl.connection();
  const nowMs = ctl.io.clock.nowMs();
  if (tls.cert !== undefined) findings.push(lookAtCertificate('client certificate', tls.cert, nowMs));
  if (tls.ca !== undefined) findings.push(lookAtCertificate('authority of the server', tls.ca, nowMs));
}

/**
 * Whether the server answers, when its certificate ends, what time it has, which version it is and how it is. Returns what
 * others are judged by.
 */
export async function lookAtServer(
  ctl: Ctl,
  findings: Finding[],
): Promise<{ readonly nowMs: number; readonly serverVersion: string }> {
  const client = await ctl.client();
  const { clock, signal } = ctl.io;
  const beforeMs = clock.nowMs();
  const answer = await client.send({ method: 'GET', path: '/version', signal, timeoutMs });
  const afterMs = clock.nowMs();
  const answered = `${client.server} answers after ${afterMs - beforeMs} ms`;
  findings.push({ level: 'ok', about: 'server', message: answered });
  const serverMs = Date.parse(String(answer.headers.date));
  const clockFinding = Number.isNaN(serverMs) ? undefined : checkClock(serverMs, beforeMs, afterMs);
  if (clockFinding !== undefined) findings.push(clockFinding);
  const { gitVersion: version = '' } = await readServerVersion(client, signal);
  findings.push(checkVersions('ctl', apiRelease.version, version));
  const connection = await ctl.connection();
  if (connection.server.startsWith('https:'))
    findings.push(checkCertificate('server certificate', await serverCertificateEnd(connection), afterMs));
  findings.push(await readHealth(ctl));
  // Where clocks differ, that of the server counts, which is told in whole seconds only.
  const isAgreed = clockFinding === undefined || clockFinding.level === 'ok';
  return { nowMs: isAgreed ? clock.nowMs() : serverMs, serverVersion: version };
}

/** What servers say of their store to those who may know: one of this product in full, others among their metrics. */
export async function lookAtStore(ctl: Ctl, nowMs: number): Promise<readonly Finding[]> {
  const client = await ctl.client();
  const { signal } = ctl.io;
  const read = (path: string) =>
    client.send({ method: 'GET', path, accept: '*/*', signal, timeoutMs, isRetried: false });
  try {
    const { body } = await read('/-/storage/stats');
    return checkStore(JSON.parse(body.toString('utf8')), nowMs);
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    if (error.code !== 404) return [unreadStore(error)];
  }
  try {
    return checkStoreMetrics((await read('/metrics')).body.toString('utf8'));
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    return [unreadStore(error)];
  }
}

function unreadStore(error: StatusError): Finding {
  const level = error.code >= 500 ? 'failure' : 'note';
  return { level, about: 'store', message: `could not be read: ${errorText(error)}` };
}

async function readHealth(ctl: Ctl): Promise<Finding> {
  try {
    const client = await ctl.client();
    const { signal } = ctl.io;
    const query = { verbose: 'true' };
    const answer = await client.send({
      method: 'GET',
      path: '/readyz',
      query,
      signal,
      timeoutMs,
      isRetried: false,
    });
    return checkHealth(answer.body.toString('utf8'));
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    const level = error.code >= 500 ? 'failure' : 'note';
    return { level, about: 'server', message: `health: ${errorText(error)}` };
  }
}

/** The first certificate of a text. */
function lookAtCertificate(about: string, pem: string | Buffer, nowMs: number): Finding {
  try {
    return checkCertificate(about, Date.parse(new X509Certificate(pem).validTo), nowMs);
  } catch (error) {
    return { level: 'failure', about, message: `is no certificate: ${errorText(error)}` };
  }
}

function serverCertificateEnd(connection: Connection): Promise<number> {
  const { hostname, port } = new URL(connection.server);
  return new Promise((resolve, reject) => {
    const socket = connect({
      ...tlsSettings(connection),
      host: hostname.replace(/^\[|\]$/g, ''),
      port: Number(port || 443),
      timeout: timeoutMs,
    });
    socket.once('secureConnect', () => {
      resolve(Date.parse(socket.getPeerCertificate().valid_to));
      socket.destroy();
    });
    socket.once('timeout', () => socket.destroy(new Error('no TLS handshake in time')));
    socket.once('error', reject);
  });
}
