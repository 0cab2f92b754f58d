import { spawn } from 'node:child_process';
import { asJsonObject, asText, isJsonObject, reasonText } from '../../base/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import { ClientConfigError, type ExecEntry } from '../config/index.ts';
import { type Connection, hostOf, TransportError } from '../rest/index.ts';

/** Where the program runs. */
export interface ExecContext {
  readonly dialect: Dialect;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether a person can answer it. */
  readonly isInteractive: boolean;
}

/** Ends with what is wrong. */
type Fail = (text: string, cause?: unknown) => never;

const notInstalled =
  'It looks like you are trying to use a client-go credential plugin that is not installed.';
/** More than a program writes who has a token and a certificate to say. */
const maxOutputBytes = 1024 * 1024;

/**
 * Runs the program and returns the connection with what it answered. Its standard error is the user's. A connection that
 * has a token already is left as it is.
 *
 * @throws ClientConfigError for a form of answers that is not known; TransportError when the program gives none.
 */
export async function obtainExecCredentials(
  connection: Connection,
  entry: ExecEntry,
  context: ExecContext,
): Promise<Connection> {
  if (connection.auth.token || connection.auth.username) return connection;
  const { dialect } = context;
  const version = dialect.unspell(entry.apiVersion).split('/');
  const isKnown =
    version[0] === 'client.authentication.orch.io' && ['v1alpha1', 'v1beta1'].includes(version[1] ?? '');
  if (!isKnown)
    throw new ClientConfigError(`exec plugin: invalid apiVersion ${JSON.stringify(entry.apiVersion)}`);
  const host = hostOf(connection.server);
  const fail: Fail = (text, cause) => {
    throw new TransportError('protocol', `getting credentials: ${text}`, { host, cause });
  };
  const output = await run(entry, { ...context, info: execInfo(connection, entry, context) }, fail);
  const { token, certificatePem, keyPem } = readAnswer(output, entry, fail);
  return {
    ...connection,
    tls: certificatePem === '' ? connection.tls : { ...connection.tls, cert: certificatePem, key: keyPem },
    auth: token === '' ? connection.auth : { ...connection.auth, token },
  };
}

/** What the program is told, by an environment variable. */
function execInfo({ server, tls }: Connection, entry: ExecEntry, { isInteractive }: ExecContext): string {
  const cluster = {
    server,
    ...(tls.serverName === undefined ? {} : { 'tls-server-name': tls.serverName }),
    ...(tls.skipsVerification ? { 'insecure-skip-tls-verify': true } : {}),
    ...(tls.ca === undefined ? {} : { 'certificate-authority-data': Buffer.from(tls.ca).toString('base64') }),
  };
  const isAlpha = entry.apiVersion.endsWith('/v1alpha1');
  const spec = {
    ...(isAlpha && isInteractive ? { interactive: true } : {}),
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
  const variable = context.dialect.spell('ORCH_EXEC_INFO');
  const child = spawn(command, [...args], {
    env: { ...context.env, ...entry.env, [variable]: context.info },
    stdio: [context.isInteractive ? 'inherit' : 'ignore', 'pipe', 'inherit'],
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

/** What the program answered. Empty texts for what it left out. */
function readAnswer(output: Buffer, { apiVersion }: ExecEntry, fail: Fail) {
  const answer = parse(output, fail);
  if (answer.kind !== 'ExecCredential') return fail('decoding stdout: it is no ExecCredential');
  const given = asText(answer.apiVersion);
  if (given !== apiVersion)
    fail(`exec plugin is configured to use API version ${apiVersion}, plugin returned version ${given}`);
  if (!isJsonObject(answer.status)) return fail("exec plugin didn't return a status field");
  const { status } = answer;
  const token = asText(status.token);
  const certificatePem = asText(status.clientCertificateData);
  const keyPem = asText(status.clientKeyData);
  if (token === '' && certificatePem === '' && keyPem === '')
    fail("exec plugin didn't return a token or cert/key pair");
  if ((certificatePem === '') !== (keyPem === ''))
    fail('exec plugin returned only certificate or key, not both');
  return { token, certificatePem, keyPem };
}

function parse(output: Buffer, fail: Fail): Readonly<Record<string, unknown>> {
  try {
    return asJsonObject(JSON.parse(output.toString('utf8')));
  } catch (cause) {
    return fail('decoding stdout: it is no JSON', cause);
  }
}
