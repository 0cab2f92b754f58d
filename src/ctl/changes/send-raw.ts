import type { Ctl } from '../ctl.ts';
import { UsageError } from '../errors.ts';
import { rawPath } from '../options/raw-path.ts';
import { readLocalFile } from '../read-file.ts';

/** `--raw` of commands that send a file as it is. */
export const rawOption = {
  name: 'raw',
  type: 'string',
  valueName: 'URI',
  section: 'Changes',
  help: 'Send the one file to this path of the server as it is, and print the answer.',
} as const;

/** What a command line says beside `--raw`. */
interface RawFlags {
  readonly raw: string;
  readonly filename: readonly string[];
  readonly kustomize: string | undefined;
  readonly output: string | undefined;
  readonly selector: string | undefined;
  readonly edit?: boolean | undefined;
  readonly record?: boolean | undefined;
  readonly dryRun: string;
}

/** Sends a file, or the standard input, without looking at it. @throws UsageError for flags that are about objects */
export async function sendRaw(ctl: Ctl, method: 'POST' | 'PUT', flags: RawFlags): Promise<void> {
  const [file, ...others] = flags.filename;
  if (file === undefined || others.length > 0) {
    throw new UsageError('--raw can only use a single local file or stdin');
  }
  if (/^https?:\/\//.test(file)) throw new UsageError('--raw cannot read from a url');
  const excluded = {
    '--edit': flags.edit,
    '--selector (-l)': flags.selector,
    '--output': flags.output,
    '--kustomize (-k)': flags.kustomize,
    '--record': flags.record,
    '--dry-run': flags.dryRun !== 'none' && flags.dryRun !== 'false',
  };
  for (const [flag, value] of Object.entries(excluded)) {
    if (value) throw new UsageError(`--raw and ${flag} are mutually exclusive`);
  }
  const path = rawPath(flags.raw);
  const body = file === '-' ? ctl.io.readStdin() : readLocalFile(file);
  const client = await ctl.client();
  // Release 1.20's client takes everything for JSON, and scripts know what the server says of YAML then.
  const isJson = ctl.dialect.name !== 'orch' || /^\s*[{[]/.test(body.toString('utf8', 0, 4096));
  const { body: answer } = await client.send({
    method,
    path,
    body,
    contentType: isJson ? 'application/json' : 'application/yaml',
    signal: ctl.io.signal,
  });
  ctl.io.stdout.write(answer);
}
