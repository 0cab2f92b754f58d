import { X509Certificate } from 'node:crypto';
import { asJsonObject, asList, asText, errorText } from '../../base/index.ts';
import { asRecords } from '../describe/report.ts';
import type { CalledService, Callee } from './callees.ts';
import { type Backend, keyOf } from './facts.ts';
import { checkCertificate, type Finding } from './finding.ts';

/** What is wrong with a program that the server calls: nobody there, or a certificate that nobody would be believed with. */
export function checkCallee(
  callee: Callee,
  backends: ReadonlyMap<string, Backend>,
  nowMs: number,
): readonly Finding[] {
  return [
    ...(callee.service === undefined ? [] : checkService(callee, callee.service, backends)),
    ...(callee.isVerified ? checkBundle(callee, nowMs) : []),
  ];
}

function checkService(
  { about, subject, isFatal, effect }: Callee,
  service: CalledService,
  backends: ReadonlyMap<string, Backend>,
): readonly Finding[] {
  const { namespace, name, port } = service;
  const backend = backends.get(keyOf(service));
  if (backend?.kind !== 'read') return [];
  const problem = problemOf(backend, port);
  if (problem === undefined) return [];
  const message = `${subject} needs service ${keyOf(service)}, which ${problem}: ${effect}`;
  const isThere = backend.service !== undefined;
  const next = isThere
    ? `ctl why service/${name} -n ${namespace}`
    : `bring it back, or, if it is gone for good: ctl delete ${about}`;
  return [{ level: isFatal ? 'failure' : 'warning', about, message, next }];
}

/** Why nobody would answer at a port of a service; undefined when somebody could. */
function problemOf(
  { service, endpoints }: Extract<Backend, { kind: 'read' }>,
  port: number,
): string | undefined {
  if (service === undefined) return 'is not there';
  const { type, ports } = asJsonObject(service.spec);
  // Another name of something else: who answers there is not the cluster's to know.
  if (type === 'ExternalName') return undefined;
  if (!asRecords(ports).some((each) => each.port === port)) return `has no port ${port}`;
  const subsets = asRecords(endpoints?.subsets);
  if (subsets.some(({ addresses }) => asList(addresses).length > 0)) return undefined;
  const waiting = subsets.flatMap(({ notReadyAddresses }) => asList(notReadyAddresses)).length;
  return waiting === 0 ? 'has no endpoints' : `has no ready endpoints, and ${waiting} that are not`;
}

function checkBundle(
  { about, subject, caBundle, isFatal, effect, service }: Callee,
  nowMs: number,
): Finding[] {
  const level = isFatal ? 'failure' : 'warning';
  const owner = subject === 'it' ? 'its CA bundle' : `the CA bundle of ${subject}`;
  if (caBundle === '') {
    // Public authorities sign names of the internet, not those of services.
    const message = `${subject} has no CA bundle: only authorities of the server's machine are believed`;
    return service === undefined ? [] : [{ level: 'note', about, message }];
  }
  const certificates = readBundle(caBundle);
  if (typeof certificates === 'string')
    return [{ level, about, message: `${owner} ${certificates}: ${effect}` }];
  // One that is good is enough.
  const last = Math.max(...certificates.map(({ validTo }) => Date.parse(validTo)));
  const found = checkCertificate(about, last, nowMs);
  if (found.level === 'ok') return [];
  const end = found.level === 'failure' ? `: ${effect}` : '';
  const message = `${owner} ${found.message}${end}`;
  return [{ level: found.level === 'failure' ? level : 'warning', about, message, next: renewal }];
}

const renewal = 'renew the certificate, and put its authority into the CA bundle';

/** The certificates of a bundle, or what is wrong with it. */
function readBundle(caBundle: string): readonly X509Certificate[] | string {
  const text = Buffer.from(asText(caBundle), 'base64').toString('latin1');
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g) ?? [];
  if (blocks.length === 0) return 'holds no certificate in PEM';
  try {
    return blocks.map((block) => new X509Certificate(block));
  } catch (error) {
    return `cannot be read: ${errorText(error)}`;
  }
}
