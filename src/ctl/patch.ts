import { errorText } from '../base/index.ts';
import { createTypeFinder, type FindBuiltInType } from './changes/built-in-type.ts';
import { recordChange } from './changes/change-cause.ts';
import type { LocalPatch } from './changes/patch-locally.ts';
import { changeQuery, createReporter } from './changes/reporter.ts';
import type { Ctl } from './ctl.ts';
import { CtlError, throwGathered } from './errors.ts';
import { recordOption } from './options/change.ts';
import {
  dryRunOption,
  type FileOptions,
  fieldManagerOption,
  fileOptions,
  printOptions,
  readDryRun,
  sourcesOf,
} from './options/shared.ts';
import { formatCompactJson } from './printers/json.ts';
import { readLocalFile } from './read-file.ts';
import type { WireObject } from './resource/api-object.ts';
import { readLocalObjects } from './resource/local-objects.ts';
import { type LiveTarget, resolveObjects } from './resource/resolve-objects.ts';
import { targetPath } from './resource/target.ts';
import { defineVerb } from './verb.ts';

const contentTypes: Readonly<Record<string, string>> = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
};

/** `ctl patch`. */
export const patchVerb = defineVerb({
  program: {
    name: 'ctl patch',
    summary: 'Change fields of an object',
    usage: '(-f FILE | TYPE NAME | TYPE/NAME) -p PATCH [flags]',
    options: [
      ...fileOptions,
      { name: 'patch', short: 'p', type: 'string', section: 'Changes', help: 'The patch, as JSON or YAML.' },
      {
        name: 'patch-file',
        type: 'string',
        valueName: 'FILE',
        section: 'Changes',
        help: 'File with the patch.',
      },
      {
        name: 'type',
        type: 'string',
        default: 'strategic',
        section: 'Changes',
        help: 'Kind of patch: json (a list of operations), merge, or strategic (lists merge by their keys; not for custom resources).',
      },
      {
        name: 'local',
        type: 'bool',
        section: 'Changes',
        help: 'Patch what files hold, without asking the server.',
      },
      dryRunOption,
      fieldManagerOption,
      recordOption,
      ...printOptions,
    ],
    examples: [
      { command: `ctl patch node n1 -p '{"spec":{"unschedulable":true}}'`, does: 'set a field' },
      {
        command: `ctl patch deploy web --dry-run=client -o yaml -p '{"spec":{"replicas":3}}'`,
        does: 'show what the patch would make of the object',
      },
      {
        command: `ctl patch pod web --type=json -p '[{"op":"remove","path":"/metadata/labels/old"}]'`,
        does: 'take a label away',
      },
    ],
  },
  async run(ctl, { options, args }) {
    const contentType = contentTypes[options.type.toLowerCase()];
    if (contentType === undefined) {
      throw new CtlError(`--type must be one of [json merge strategic], not ${JSON.stringify(options.type)}`);
    }
    const body = await readPatch(options.patch, options.patchFile);
    const dryRun = readDryRun(options.dryRun);
    const report = await createReporter(ctl, options, { dryRun });
    const isLocal = options.local || dryRun === 'client';
    const { objects, errors } = options.local
      ? { objects: await readLocal(ctl, options, args), errors: [] }
      : await resolveObjects(ctl, { args, ...sourcesOf(options), errorPlace: 'last' });
    const findType = createTypeFinder(ctl.dialect);
    for (const target of objects) {
      try {
        const query = changeQuery(options.fieldManager ?? ctl.fieldManager('patch'), dryRun);
        const request = { method: 'PATCH', path: targetPath(target), query, contentType, body } as const;
        const patched: unknown = isLocal
          ? await rehearse(target.object, { contentType, body: JSON.parse(body) }, findType)
          : await (await ctl.client()).json({ ...request, signal: ctl.io.signal });
        const recorded = isLocal ? undefined : await recordChange(ctl, target, query);
        const isSame = formatCompactJson(patched) === formatCompactJson(target.object);
        const operation = isSame ? 'patched (no change)' : 'patched';
        report({ resource: target.resource, object: recorded ?? patched, name: target.name, operation });
      } catch (error) {
        errors.push(error);
      }
    }
    throwGathered(errors);
  },
});

/** The objects of files, as they are. @throws CtlError for what a server would have to answer */
async function readLocal(
  ctl: Ctl,
  options: FileOptions & { readonly dryRun: string },
  args: readonly string[],
): Promise<readonly LiveTarget[]> {
  if (args.length > 0) throw new CtlError('cannot specify --local and server resources');
  if (readDryRun(options.dryRun) === 'server') {
    throw new CtlError('cannot specify --local and --dry-run=server - did you mean --dry-run=client?');
  }
  return readLocalObjects(ctl, sourcesOf(options));
}

/** Patching is loaded only for this: mostly the server does it. */
async function rehearse(
  object: WireObject,
  patch: LocalPatch,
  findType: FindBuiltInType,
): Promise<WireObject> {
  const { patchLocally } = await import('./changes/patch-locally.ts');
  return patchLocally(object, patch, findType);
}

/** The patch as JSON text; YAML is translated. */
async function readPatch(text: string | undefined, file: string | undefined): Promise<string> {
  if (text && file) throw new CtlError('cannot specify --patch and --patch-file together');
  if (!text && !file) {
    throw new CtlError('must specify --patch or --patch-file containing the contents of the patch');
  }
  const source = text ?? readPatchFile(file ?? '');
  // JSON goes to the server as it is.
  if (isJson(source)) return source;
  const { parseYaml } = await import('../machinery/codec/index.ts');
  try {
    return JSON.stringify(parseYaml(Buffer.from(source, 'utf8')));
  } catch (cause) {
    const detail = errorText(cause);
    throw new CtlError(`unable to parse ${JSON.stringify(source)}: ${detail}`, { cause });
  }
}

function readPatchFile(file: string): string {
  try {
    return readLocalFile(file).toString('utf8');
  } catch (error) {
    if (!(error instanceof CtlError)) throw error;
    throw new CtlError(`unable to read patch file: ${error.message}`, { cause: error });
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false; // then it is YAML, or the parser of that says what is wrong
  }
}
