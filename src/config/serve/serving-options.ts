import type { OptionSpec } from '../options.ts';
import { typedParsers } from '../typed-values/index.ts';
import { sniPairProblem } from './sni-pairs.ts';
import { cipherSuiteNames, tlsVersionNames } from './tls-names.ts';

/** Addresses, certificates and limits of the HTTP server. */
export const servingOptions = [
  {
    name: 'bind-address',
    type: 'ip',
    parser: typedParsers.ip,
    default: '127.0.0.1',
    section: 'Serving',
    help: 'Address to listen on; 0.0.0.0 or :: for all interfaces.',
  },
  {
    name: 'secure-port',
    type: 'int',
    default: 6443,
    min: 0,
    max: 65535,
    section: 'Serving',
    help: 'HTTPS port; 0 takes a free one.',
  },
  {
    name: 'advertise-address',
    type: 'ip',
    parser: typedParsers.ip,
    section: 'Serving',
    help: 'Address at which others reach this server. By default the bind address, or that of the interface with the default route when it is a wildcard or loopback.',
  },
  {
    name: 'external-hostname',
    type: 'string',
    section: 'Serving',
    valueName: 'NAME',
    help: 'Host name for URLs that point to this server, with a port where it is another one.',
  },
  {
    name: 'cert-dir',
    type: 'string',
    section: 'Serving',
    valueName: 'DIR',
    help: 'Where keys and certificates are kept: apiserver.crt and apiserver.key, which are served when they are there and made when they are not, and those of the authority. By default pki in the data directory.',
  },
  {
    name: 'tls-cert-file',
    type: 'string',
    section: 'Serving',
    valueName: 'FILE',
    help: 'PEM serving certificate, with the chain after it. Without it one is made and renewed.',
  },
  {
    name: 'tls-private-key-file',
    type: 'string',
    section: 'Serving',
    valueName: 'FILE',
    help: 'PEM private key of --tls-cert-file.',
  },
  {
    name: 'tls-sni-cert-key',
    type: 'stringArray',
    section: 'Serving',
    valueName: 'FILE,FILE[:NAME,...]',
    validate: (value: readonly string[]) => value.map(sniPairProblem).find(Boolean),
    help: 'PEM certificate and its private key for clients that ask for one of these names (*.example.org stands for one more label), or of those in the certificate; repeatable, and the first one counts. Files are read again when they change.',
  },
  {
    name: 'tls-min-version',
    type: 'string',
    allowed: tlsVersionNames,
    section: 'Serving',
    help: 'Lowest TLS version to accept. By default VersionTLS12.',
  },
  {
    name: 'tls-cipher-suites',
    type: 'strings',
    allowed: cipherSuiteNames,
    section: 'Serving',
    help: 'Cipher suites for TLS 1.2 and below. By default those of the runtime.',
  },
  {
    name: 'http2-max-streams-per-connection',
    type: 'int',
    min: 0,
    section: 'Serving',
    help: 'Concurrent streams that one HTTP/2 connection may have. By default 250.',
  },
  {
    name: 'max-connections',
    type: 'int',
    default: 20_000,
    min: 1,
    section: 'Serving',
    help: 'Connections that may be open at the same time. Clients that have not proved who they are get a quarter of them; there the oldest makes room for the next.',
  },
  {
    name: 'cors-allowed-origins',
    type: 'strings',
    section: 'Serving',
    validate: (value: readonly string[]) => value.map(regularExpressionProblem).find(Boolean),
    help: 'Regular expressions of origins that browsers may call from. None are allowed by default.',
  },
  {
    name: 'request-timeout',
    type: 'duration',
    default: '1m0s',
    min: 1,
    section: 'Serving',
    help: 'How long a request other than a watch may take.',
  },
  {
    name: 'min-request-timeout',
    key: 'minRequestTimeoutSeconds',
    type: 'int',
    default: 1800,
    min: 0,
    section: 'Serving',
    help: 'Seconds that a watch lasts at least; each lasts up to twice as long.',
  },
  {
    name: 'enable-priority-and-fairness',
    type: 'bool',
    default: true,
    section: 'Serving',
    help: 'With the feature gate APIPriorityAndFairness: share the sum of both limits below among requests by flow schemas and priority levels, with queues, in place of the limits.',
  },
  {
    name: 'max-requests-inflight',
    type: 'int',
    default: 400,
    min: 0,
    section: 'Serving',
    help: 'Reading requests served at the same time; 0 is no limit.',
  },
  {
    name: 'max-mutating-requests-inflight',
    type: 'int',
    default: 200,
    min: 0,
    section: 'Serving',
    help: 'Writing requests served at the same time; 0 is no limit.',
  },
  {
    name: 'goaway-chance',
    type: 'float',
    default: 0,
    min: 0,
    max: 0.02,
    section: 'Serving',
    help: 'Chance that a request makes its HTTP/2 connection go away, so that clients spread over replicas.',
  },
  {
    name: 'livez-grace-period',
    type: 'duration',
    default: '0s',
    min: 0,
    section: 'Serving',
    help: 'How long start hooks may take before the server counts as dead.',
  },
  {
    name: 'shutdown-delay-duration',
    key: 'shutdownDelayMs',
    type: 'duration',
    default: '0s',
    min: 0,
    section: 'Serving',
    help: 'How long the server goes on serving, not ready, after it was told to stop.',
  },
] as const satisfies readonly OptionSpec[];

function regularExpressionProblem(source: string): string | undefined {
  try {
    new RegExp(source);
    return undefined;
  } catch {
    return `${JSON.stringify(source)} is not a regular expression`;
  }
}
