import { isDeepStrictEqual } from 'node:util';
import { asJsonObject, errorText } from '../../base/index.ts';
import type { ConfigOf } from '../../config/index.ts';
import { createTypeFinder } from '../changes/built-in-type.ts';
import { withChangeCause } from '../changes/change-cause.ts';
import { typedForm } from '../changes/generated.ts';
import { changeQuery, createReporter } from '../changes/reporter.ts';
import type { Ctl } from '../ctl.ts';
import { createEditPatch } from '../edit/create-edit-patch.ts';
import { CtlError, throwGathered } from '../errors.ts';
import {
  allOption,
  dryRunOption,
  fieldManagerOption,
  fileOptions,
  hasFiles,
  printOptions,
  readDryRun,
  sourcesOf,
} from '../options/shared.ts';
import type { WireObject } from '../resource/api-object.ts';
import { readLocalObjects } from '../resource/local-objects.ts';
import { type LiveTarget, resolveObjects } from '../resource/resolve-objects.ts';
import { targetPath } from '../resource/target.ts';

/** Options of every command below `set`. */
export const setOptions = [
  ...fileOptions,
  allOption,
  {
    name: 'local',
    type: 'bool',
    section: 'Selection',
    help: 'Change what files hold, without asking the server.',
  },
  dryRunOption,
  fieldManagerOption,
  ...printOptions,
] as const;

/** What one command changes, and its words. */
export interface SetRun {
  readonly options: ConfigOf<typeof setOptions>;
  /** Arguments that name objects. */
  readonly resources: readonly string[];
  readonly labelSelector?: string | undefined;
  /** `image updated`. */
  readonly operation: string;
  /** What failed when the server refuses: `failed to patch ...`; by default its own words are shown. */
  readonly failure?: string | undefined;
  /** Report objects that are as they should be already. Default false. */
  readonly reportsUnchanged?: boolean | undefined;
  /** The version that the object must have. */
  readonly resourceVersion?: string | undefined;
  /** Whether what `edit` throws is told with the object's name. Default true. */
  readonly namesObject?: boolean | undefined;
  /** The changed object, and what could not be changed. @throws CtlError when nothing can be */
  edit(object: WireObject): SetEdit;
}

/** An object after a change. */
export interface SetEdit {
  readonly object: WireObject;
  readonly problems?: readonly CtlError[] | undefined;
}

const examples = `
Example resource specifications include:
   '-f rsrc.yaml'
   '--filename=rsrc.json'`;

/** Changes every object that is selected and reports each. @throws what went wrong, after all were tried */
export async function runSet(ctl: Ctl, run: SetRun): Promise<void> {
  const { options } = run;
  const dryRun = readDryRun(options.dryRun);
  if (options.local && dryRun === 'server') {
    throw new CtlError('cannot specify --local and --dry-run=server - did you mean --dry-run=client?');
  }
  const isShown = options.local || dryRun === 'client';
  const report = await createReporter(ctl, options, {
    dryRun: options.local ? 'none' : dryRun,
    isTyped: isShown,
  });
  const { objects, errors } = await findObjects(ctl, run);
  // Nothing is changed when something is missing.
  throwGathered(errors);
  for (const target of objects) {
    try {
      const { object: edited, problems = [] } = editOne(run, target);
      const object = withChangeCause(ctl, edited);
      errors.push(...problems);
      if (run.reportsUnchanged !== true && isDeepStrictEqual(object, target.object)) continue;
      const changed = isShown ? await typedForm(ctl, object) : await send(ctl, target, object, run);
      report({ ...target, object: changed, operation: run.operation });
    } catch (error) {
      errors.push(error);
    }
  }
  throwGathered(errors);
}

/** The objects that a command line selects. @throws CtlError when it makes no sense */
export async function findObjects(ctl: Ctl, { options, resources, labelSelector }: SetRun) {
  if (options.all && labelSelector) throw new CtlError('cannot set --all and --selector at the same time');
  if (options.local) {
    if (!hasFiles(options)) {
      throw new CtlError(resources.length === 0 ? missingObjects : `${missingLocalFiles}${examples}`);
    }
    return { objects: await readLocalObjects(ctl, sourcesOf(options)), errors: [] };
  }
  if (resources.length === 0 && !hasFiles(options)) throw new CtlError(missingObjects);
  return resolveObjects(ctl, {
    args: resources,
    ...sourcesOf(options),
    labelSelector,
    isAll: options.all,
  });
}

const missingLocalFiles = 'you must specify resources by --filename when --local is set.';

/** What is said when a command line names no objects. */
export const missingObjects = `You must provide one or more resources by argument or filename.${examples}
   '<resource> <name>'
   '<resource>'`;

/** What the command makes of an object. @throws CtlError that names it */
export function editOne(run: SetRun, { resource, name, object }: LiveTarget): SetEdit {
  try {
    return run.edit(object);
  } catch (error) {
    if (!(error instanceof CtlError) || run.namesObject === false) throw error;
    throw new CtlError(`error: ${resource.name}/${name} ${error.message}`, { cause: error });
  }
}

async function send(ctl: Ctl, target: LiveTarget, changed: WireObject, run: SetRun): Promise<unknown> {
  const client = await ctl.client();
  const findType = createTypeFinder(ctl.dialect);
  const { contentType, body } = await createEditPatch({ findType, original: target.object, edited: changed });
  const version = run.resourceVersion ? { resourceVersion: run.resourceVersion } : {};
  const metadata = { ...asJsonObject(body.metadata), ...version };
  const query = changeQuery(
    run.options.fieldManager ?? ctl.fieldManager('set'),
    readDryRun(run.options.dryRun),
  );
  try {
    return await client.json({
      method: 'PATCH',
      path: targetPath(target),
      contentType,
      query,
      body: Object.keys(metadata).length === 0 ? body : { ...body, metadata },
      signal: ctl.io.signal,
    });
  } catch (error) {
    if (run.failure === undefined) throw error;
    throw new CtlError(`${run.failure} ${errorText(error)}`, { cause: error });
  }
}

/** Arguments split at the first `KEY=VALUE` or `KEY-`. @throws CtlError when objects follow changes */
export function splitPairs(
  args: readonly string[],
  what: string,
): { readonly resources: readonly string[]; readonly pairs: readonly string[] } {
  const isPair = (arg: string) => arg.indexOf('=') > 0 || arg.endsWith('-');
  const at = args.findIndex(isPair);
  if (at < 0) return { resources: args, pairs: [] };
  const late = args.slice(at).find((arg) => !isPair(arg));
  if (late !== undefined)
    throw new CtlError(`all resources must be specified before ${what} changes: ${late}`);
  return { resources: args.slice(0, at), pairs: args.slice(at) };
}
