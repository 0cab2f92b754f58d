import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '../../src/app/logging.ts';
import type { Logger } from '../../src/base/index.ts';

/**
 * What the programs of a run of tests logged, and the secrets that the tests gave them. Neither is looked at while tests run: the
 * last step of the run (`secrets-stay-secret.ts`) searches all logs for all secrets, whoever wrote them.
 */
const variable = 'ORCH_TEST_LOGS';

/** Shorter texts stand in logs by chance. */
const shortestSecret = 12;
const flushBytes = 1 << 18;

let pending = '';
const secrets = new Set<string>();
let written = 0;

/** Where the logs of this run are; undefined where nobody will look at them. */
export const keptLogsFolder = (): string | undefined => process.env[variable];

/** Begins to keep logs, for this process and those that it starts. */
export function beginKeptLogs(): void {
  process.env[variable] = join(tmpdir(), `orch-test-logs-${process.pid}`);
}

/** Keeps what a program wrote to its log. */
export function keepLog(text: string): void {
  if (keptLogsFolder() === undefined) return;
  pending += text;
  if (pending.length > flushBytes) flushKeptLogs();
}

/** A text that no program may log: a token, a password, a private key, what is in a Secret. */
export function registerSecret(text: string): void {
  if (text.length >= shortestSecret && keptLogsFolder() !== undefined) secrets.add(text);
}

const privateKey = /-----BEGIN [A-Z ]*PRIVATE KEY-----([^-]+)-----END/g;

/** The same for all private keys in a text, line by line: logs break them. */
export function registerPrivateKeys(text: string): void {
  // The first line of a key says of which kind it is, which others have in common.
  for (const [, body = ''] of text.matchAll(privateKey))
    for (const line of body.trim().split('\n').slice(1)) registerSecret(line.trim());
}

/** The same for what an object of the API holds: values of a Secret, the token of a TokenRequest. */
export function registerSecretsOf(object: unknown): void {
  const { kind, data, stringData, status } = (object ?? {}) as Record<
    string,
    Record<string, unknown> | string
  >;
  if (kind === 'TokenRequest' && typeof status === 'object') registerSecret(String(status.token ?? ''));
  if (kind !== 'Secret') return;
  for (const value of Object.values(stringData ?? {})) registerSecret(String(value));
  for (const value of Object.values(data ?? {})) {
    const decoded = Buffer.from(String(value), 'base64').toString();
    // Certificates are no secrets, and what is as short as a word is none either.
    if (decoded.includes('-----BEGIN')) registerPrivateKeys(decoded);
    else if (decoded.length >= shortestSecret) {
      registerSecret(decoded);
      registerSecret(String(value));
    }
  }
}

/** A logger as programs have it at the highest verbosity, whose lines are kept; `also` is told as well. */
export function keptLogger(also?: Logger): Logger {
  const kept = createLogger({ format: 'text', verbosity: 10, write: keepLog });
  return also === undefined ? kept : both(kept, also);
}

const both = (first: Logger, second: Logger): Logger => ({
  error(message, fields) {
    first.error(message, fields);
    second.error(message, fields);
  },
  info(message, fields) {
    first.info(message, fields);
    second.info(message, fields);
  },
  debug(message, fields) {
    first.debug(message, fields);
    second.debug(message, fields);
  },
  child: (fields) => both(first.child(fields), second.child(fields)),
});

/** Writes down what this process has kept so far. */
export function flushKeptLogs(): void {
  const folder = keptLogsFolder();
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (pending !== '') appendFileSync(join(folder, `log-${process.pid}`), pending);
  pending = '';
  if (secrets.size === written) return;
  written = secrets.size;
  const lines = [...secrets].map((secret) => `${JSON.stringify(secret)}\n`);
  appendFileSync(join(folder, `secrets-${process.pid}`), lines.join(''));
}

/** A secret that was logged, and the line. */
export interface LoggedSecret {
  readonly secret: string;
  readonly line: string;
}

/** What was kept by all processes of the run. */
export interface KeptLogs {
  readonly bytes: number;
  readonly secrets: number;
  readonly logged: readonly LoggedSecret[];
}

/** Searches everything that was kept, and removes it. */
export function endKeptLogs(): KeptLogs {
  flushKeptLogs();
  const folder = keptLogsFolder();
  if (folder === undefined) return { bytes: 0, secrets: 0, logged: [] };
  const names = readdirSync(folder);
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
  const known = new Set<string>();
  for (const name of names.filter((one) => one.startsWith('secrets-'))) {
    // The lines are those above.
    for (const line of read(name).trim().split('\n')) known.add(JSON.parse(line) as string);
  }
  let bytes = 0;
  const logged: LoggedSecret[] = [];
  for (const name of names.filter((one) => one.startsWith('log-'))) {
    const text = read(name);
    bytes += text.length;
    logged.push(...findSecrets(text, known));
  }
  rmSync(folder, { recursive: true });
  return { bytes, secrets: known.size, logged };
}

/** Where secrets stand in a log: as they are, or as JSON writes them. */
export function findSecrets(log: string, known: Iterable<string>): LoggedSecret[] {
  const logged: LoggedSecret[] = [];
  for (const secret of known) {
    for (const form of new Set([secret, JSON.stringify(secret).slice(1, -1)])) {
      const at = log.indexOf(form);
      if (at < 0) continue;
      const start = log.lastIndexOf('\n', at) + 1;
      logged.push({ secret, line: log.slice(start, start + 500) });
      break;
    }
  }
  return logged;
}
