import { execFile } from 'node:child_process';

/** One run of a credential provider plugin. Its environment is exactly `environment`. */
export interface CredentialProgram {
  /** Absolute path. */
  readonly path: string;
  readonly parameters: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** What it reads. */
  readonly input: string;
}

/** As long as release 1.20 waits for a provider. */
const timeoutMs = 60_000;
const maxOutputBytes = 1024 * 1024;

/** Runs a provider and resolves with what it writes. Rejects when it fails, writes too much or takes too long. */
export function runCredentialProvider({
  path,
  parameters,
  environment,
  input,
}: CredentialProgram): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { env: environment, timeout: timeoutMs, maxBuffer: maxOutputBytes };
    const child = execFile(path, parameters, options, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(new Error(`${path} failed: ${stderr.slice(0, 1024).trim() || error.message}`));
    });
    child.stdin?.on('error', () => {}); // A provider need not read its input.
    child.stdin?.end(input);
  });
}
