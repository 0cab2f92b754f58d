import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Context } from 'mocha';
import { issueCertificate, makeAuthority } from '../../src/server/pki/index.ts';
import { eventually } from './eventually.ts';
import { freePort } from './free-ports.ts';
import { makeTemporaryDirectory } from './temporary-directory.ts';

const program = fileURLToPath(new URL('policy-program.ts', import.meta.url));
/** Of the paths that reviews are sent to. */
const secretPart = 'reviews';
const patience = { patienceMs: 60_000 };

/** The policy program while it runs. */
export interface PolicyProcess extends AsyncDisposable {
  /** Where reviews go. */
  readonly mutateUrl: string;
  readonly validateUrl: string;
  readonly caBundle: string;
  /** Ends it, so that nobody answers any more. */
  stop(): Promise<void>;
}

/**
 * Folder with the library of the policies; `POLICY_LIBRARY` names it. Where it is not, the tests of the hook are skipped and the
 * reason is written; with `CI` in the environment they fail instead.
 */
export function requirePolicyLibrary(hook: Context): string {
  const folder = process.env.POLICY_LIBRARY;
  if (folder !== undefined && existsSync(join(folder, 'node_modules/pepr'))) return folder;
  const missing = 'POLICY_LIBRARY must name a folder where `npm install pepr@1.1.4` was run';
  if (process.env.CI !== undefined) throw new Error(missing);
  console.error(`      skipped: ${missing}`);
  return hook.skip();
}

/** Starts the policies, which talk to the server of a client configuration, and waits until they answer. */
export async function startPolicies(folder: string, configPath: string): Promise<PolicyProcess> {
  const directory = await makeTemporaryDirectory();
  const times = { nowMs: Date.now(), lifetimeMs: 3_600_000 };
  const authority = await makeAuthority({ commonName: 'policy-authority', ...times });
  const subject = { commonName: 'policies' };
  const pair = await issueCertificate({
    authority,
    subject,
    usage: 'server',
    ipAddresses: ['127.0.0.1'],
    ...times,
  });
  const [certificate, key] = [join(directory.path, 'tls.crt'), join(directory.path, 'tls.key')];
  await writeFile(certificate, pair.certificatePem);
  await writeFile(key, pair.privateKeyPem, { mode: 0o600 });
  const port = await freePort();
  const child = spawn(process.execPath, [program, folder, String(port)], {
    env: {
      ...process.env,
      KUBECONFIG: configPath,
      SSL_CERT_PATH: certificate,
      SSL_KEY_PATH: key,
      PEPR_API_PATH: secretPart,
      LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said: string[] = [];
  for (const output of [child.stdout, child.stderr])
    output.on('data', (text: Buffer) => said.push(String(text)));
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  const url = `https://127.0.0.1:${port}`;
  await eventually(async () => {
    if (hasEnded(child)) throw new Error(`the policies ended: ${said.join('')}`);
    return (await codeOf(`${url}/healthz`, authority.certificatePem)) === 200 || undefined;
  }, patience);
  return {
    mutateUrl: `${url}/mutate/${secretPart}`,
    validateUrl: `${url}/validate/${secretPart}`,
    caBundle: Buffer.from(authority.certificatePem).toString('base64'),
    stop,
    async [Symbol.asyncDispose]() {
      await stop();
      await directory.remove();
    },
  };
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode !== null || signalCode !== null;

/** Undefined while nobody listens. */
function codeOf(url: string, ca: string): Promise<number | undefined> {
  return new Promise((resolve) => {
    const sent = request(url, { ca, agent: false }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    sent.on('error', () => resolve(undefined));
    sent.end();
  });
}
