/**
 * Kustomizations: folders whose `kustomization.yaml` says which files are taken, how their objects are named, labelled
 * and patched, and which config maps and secrets are made. Reads files only; the builder asks no server.
 */
import { createTypeFinder } from '../changes/built-in-type.ts';
import type { Ctl } from '../ctl.ts';
import { CtlError, ExitError, UsageError } from '../errors.ts';
import { defineVerb } from '../verb.ts';
import { buildKustomization } from './build.ts';
import type { OnRead } from './folder.ts';

/** `ctl kustomize`. */
export const kustomizeVerb = defineVerb({
  program: {
    name: 'ctl kustomize',
    summary: 'Print the objects that a kustomization makes',
    usage: '[FOLDER]',
    options: [],
  },
  async run(ctl, { args }) {
    const [folder = '.', ...others] = args;
    if (others.length > 0) refuse(ctl, new UsageError('specify one path to a kustomization directory'));
    ctl.io.stdout.write(await readKustomized(ctl, folder).catch((error: unknown) => refuse(ctl, error)));
  },
});

/** The release's client begins the line otherwise than those of most commands. */
function refuse({ dialect }: Ctl, error: unknown): never {
  const isTold = error instanceof CtlError || error instanceof UsageError;
  if (dialect.name === 'orch' || !isTold) throw error;
  throw new ExitError(1, `Error: ${error.message}`);
}

/** The objects of a folder's kustomization as YAML documents; warnings go to the standard error. @throws CtlError */
export async function readKustomized(
  ctl: Pick<Ctl, 'io' | 'dialect'>,
  folder: string,
  onRead?: OnRead,
): Promise<string> {
  const { io, dialect } = ctl;
  const findType = createTypeFinder(dialect);
  const { text, warnings } = await buildKustomization(folder, { dialect, env: io.env, findType, onRead });
  for (const warning of warnings) io.stderr.write(`warning: ${warning}\n`);
  return text;
}
