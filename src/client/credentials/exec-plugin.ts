import { spawn } from 'node:child_process';
import { asJsonObject, asText, isJsonObject, reasonText } from '../../base/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import { ClientConfigError, type ExecEntry } from '../config/index.ts';
import { type Connection, hostOf, TransportError } from '../rest/index.ts';
import type { Credentials, Refusal } from './credential-source.ts';

/** Where the program runs. */
export interface ExecContext {
  readonly dialect: Dialect;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether a person can answer it. */
  readonly isInteractive: boolean;
  /** Milliseconds that the program may take; undefined where a person may have to do something. */
  readonly timeoutMs?: number | undefined;
}

/** Ends with what is wrong. */
type Fail = (text: string, cause?: unknown) => never;

const notInstalled =
  'It looks like you are trying to use a client-go credential plugin that is not installed.';
/** More than a program writes who has a token and a certificate to say. */
const maxOutputBytes = 1024 * 1024;

/** Refuses a form of answers that is not known. @throws ClientConfigError */
export function checkExecVersion({ apiVersion }: ExecEntry, dialect: Dialect): void {
  const [group, version = ''] = dialect.unspell(apiVersion).split('/');
  if (group !== 'client.authentication.orch.io' || !['v1alpha1', 'v1beta1'].includes(version))
    throw new ClientConfigError(`exec plugin: invalid apiVersion ${JSON.stringify(apiVersion)}`);
}

/** What the program is asked for. */
export interface ExecRequest {
  readonly entry: ExecEntry;
  /** The server that the credentials are for. */
  readonly connection: Connection;
  readonly context: ExecContext;
  /** The answer that former credentials got. */
  readonly refusal?: Refusal | undefined;
}

/**
 * Runs the program and reads what it answered. Its standard error is the user's.
 *
 * @throws TransportError when the program gives no credentials.
 */
export async function runExecPlugin(request: ExecRequest): Promise<Credentials> {
  const { entry, connection, context } = request;
  const host = hostOf(connection.server);
  const fail: Fail = (text, cause) => {
    throw new TransportError('protocol', `getting credentials: ${text}`, { host, cause });
  };
  const output = await run(entry, { ...context, info: execInfo(request) }, fail);
  return readAnswer(output, entry, fail);
}

/** What the program is told, by an environment variable. */
function execInfo({ connection: { server, tls }, entry, context, refusal }: ExecRequest): string {
  const cluster = {
    server,
    ...(tls.serverName === undefined ? {} : { 'tls-server-name': tls.serverName }),
    ...(tls.skipsVerification ? { 'insecure-skip-tls-verify': true } : {}),
    ...(tls.ca === undefined ? {} : { 'certificate-authority-data': Buffer.from(tls.ca).toString('base64') }),
  };
  const isAlpha = entry.apiVersion.endsWith('/v1alpha1');
  const response = refusal === undefined ? {} : { response: { header: refusal.headers, code: refusal.code } };
  const spec = {
    ...(isAlpha ? response : {}),
    ...(isAlpha && context.isInteractive ? { interactive: true } : {}),
    ...(entry.provideClusterInfo ? { cluster } : {}),
  };
  return JSON.stringify({ kind: 'ExecCredential', apiVersion: entry.apiVersion, spec });
}

async function run(
  entry: ExecEntry,
  context: ExecContext & { readonly info: string },
  fail: Fail,
): Promise<Buffer> {
  const { command, args, installHint } = entry;
  const { timeoutMs = 0 } = context;
  const variable = context.dialect.spell('ORCH_EXEC_INFO');
  const child = spawn(command, [...args], {
    env: { ...context.env, ...entry.env, [variable]: context.info },
    stdio: [context.isInteractive ? 'inherit' : 'ignore', 'pipe', 'inherit'],
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
  });
  const chunks: Buffer[] = [];
  let length = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length > maxOutputBytes) child.kill('SIGKILL');
    else chunks.push(chunk);
  });
  const { promise, resolve } = Promise.withResolvers<NodeJS.ErrnoException | number | undefined>();
  child.on('error', resolve);
  // Not its output's end, which a program that it left behind may hold open.
  child.on('exit', (_, signal) => {
    if (signal !== null) child.stdout.destroy();
  });
  child.on('close', (code) => resolve(code ?? undefined));
  const end = await promise;
  if (end instanceof Error) {
    const isLookedFor = end.code === 'ENOENT' && !command.includes('/');
    if (!isLookedFor) return fail(`exec: fork/exec ${command}: ${reasonText(end)}`, end);
    const hints = ['', notInstalled, ...(installHint === undefined ? [] : [installHint])].join('\n\n');
    return fail(`exec: executable ${command} not found${hints}`, end);
  }
  if (length > maxOutputBytes)
    return fail(`exec: executable ${command} wrote more than ${maxOutputBytes} bytes`);
  if (end !== 0) return fail(`exec: executable ${command} failed with exit code ${end ?? -1}`);
  return Buffer.concat(chunks);
}

/** What the program answered. */
function readAnswer(output: Buffer, { apiVersion }: ExecEntry, fail: Fail): Credentials {
  const answer = parse(output, fail);
  if (answer.kind !== 'ExecCredential') return fail('decoding stdout: it is no ExecCredential');
  const given = asText(answer.apiVersion);
  if (given !== apiVersion)
    fail(`exec plugin is configured to use API version ${apiVersion}, plugin returned version ${given}`);
  if (!isJsonObject(answer.status)) return fail("exec plugin didn't return a status field");
  const { status } = answer;
  const token = asText(status.token) || undefined;
  const certificatePem = asText(status.clientCertificateData) || undefined;
  const keyPem = asText(status.clientKeyData) || undefined;
  if (!token && !certificatePem && !keyPem) fail("exec plugin didn't return a token or cert/key pair");
  if ((certificatePem === undefined) !== (keyPem === undefined))
    fail('exec plugin returned only certificate or key, not both');
  const { expirationTimestamp: until } = status;
  const expiresAtMs = typeof until === 'string' && until !== '' ? Date.parse(until) : undefined;
  if (Number.isNaN(expiresAtMs)) fail(`decoding stdout: ${JSON.stringify(until)} is no expirationTimestamp`);
  return { token, certificatePem, keyPem, expiresAtMs };
}

function parse(output: Buffer, fail: Fail): Readonly<Record<string, unknown>> {
  try {
    return asJsonObject(JSON.parse(output.toString('utf8')));
  } catch (cause) {
    // The parser's own words show what was printed, which may be a secret.
    return fail("decoding stdout: couldn't get version/kind; json parse error: it is no JSON", cause);
  }
}
