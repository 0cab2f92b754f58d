import { asJsonObject } from '../../base/index.ts';
import { changeCauseOf } from '../changes/change-cause.ts';
import { changeQuery, createReporter } from '../changes/reporter.ts';
import type { Ctl } from '../ctl.ts';
import { CombinedError, CtlError, throwGathered } from '../errors.ts';
import { hasFiles, readDryRun, sourcesOf } from '../options/shared.ts';
import { formatObjectName } from '../printers/name.ts';
import type { WireObject } from '../resource/api-object.ts';
import { parseSelection } from '../resource/arguments.ts';
import { readLocalObjects } from '../resource/local-objects.ts';
import { type LiveTarget, resolveObjects } from '../resource/resolve-objects.ts';
import { targetPath } from '../resource/target.ts';
import type { VerbCall } from '../verb.ts';
import { findOverwritten, type KeyChanges, parseChanges, splitArguments, toMergePatch } from './changes.ts';
import type { LabelOptions } from './options.ts';

/** What tells labels from annotations. */
export interface KeyKind {
  readonly field: 'labels' | 'annotations';
  /** As messages name one. */
  readonly what: 'label' | 'annotation';
  readonly done: string;
  readonly unchanged: string;
  /** @throws CtlError for keys and values that no server takes */
  readonly checkChanges: (changes: KeyChanges) => void;
}

/** Changes the keys of every object selected and reports each. @throws what went wrong, after all were tried */
export async function runKeyChanges(ctl: Ctl, call: VerbCall<LabelOptions>, kind: KeyKind): Promise<void> {
  const { options } = call;
  const { resources, pairs } = splitArguments(call.args, kind.what);
  if (resources.length === 0 && !hasFiles(options)) {
    throw new CtlError('one or more resources must be specified as <resource> <name> or <resource>/<name>');
  }
  if (pairs.length === 0 && !options.list) throw new CtlError(`at least one ${kind.what} update is required`);
  if (options.list && options.output)
    ctl.io.stderr.write('Warning: --output has no effect with --list: keys are listed as they are\n');
  const changes = parseChanges(pairs, kind.what);
  kind.checkChanges(changes);
  const dryRun = readDryRun(options.dryRun);
  const report = await createReporter(ctl, options, { dryRun });
  const { objects, errors } = await findObjects(ctl, call, resources, kind.what);
  if (options.resourceVersion && objects.length > 1) {
    throw new CtlError('--resource-version may only be used with a single resource');
  }
  for (const target of objects) {
    try {
      const { object, isChanged } = await changeOne(ctl, call, kind, changes, target);
      if (options.list) {
        listKeys(ctl, kind, { ...target, object }, objects.length > 1);
        continue;
      }
      report({
        resource: target.resource,
        object,
        name: target.name,
        operation: isChanged ? kind.done : kind.unchanged,
      });
    } catch (error) {
      errors.push(error);
    }
  }
  throwGathered(errors);
}

async function findObjects(
  ctl: Ctl,
  { options }: VerbCall<LabelOptions>,
  args: readonly string[],
  what: KeyKind['what'],
) {
  if (options.local) {
    checkLocalArguments(ctl, args, what);
    return { objects: await readLocalObjects(ctl, sourcesOf(options)), errors: [] };
  }
  return resolveObjects(ctl, {
    args,
    ...sourcesOf(options),
    labelSelector: options.selector,
    fieldSelector: options.fieldSelector,
    isAll: options.all,
    isAllNamespaces: options.allNamespaces,
  });
}

/** Release 1.20's client takes labels for those of files, whatever objects are named beside them. @throws CtlError */
function checkLocalArguments(ctl: Ctl, args: readonly string[], what: KeyKind['what']): void {
  if (ctl.dialect.name === 'orch') parseSelection(args, { hasSelector: false, hasFiles: true });
  else if (what === 'annotation' && args.length > 0)
    throw new CtlError(
      'can only use local files by -f rsrc.yaml or --filename=rsrc.json when --local=true is set',
    );
}

async function changeOne(
  ctl: Ctl,
  { options }: VerbCall<LabelOptions>,
  kind: KeyKind,
  changes: KeyChanges,
  target: LiveTarget,
): Promise<{ object: unknown; isChanged: boolean }> {
  const current = target.object.metadata[kind.field] ?? {};
  if (!options.overwrite) refuseOverwriting(kind, current, changes);
  if (kind.what === 'label') {
    for (const key of changes.remove.filter((name) => !Object.hasOwn(current, name))) {
      ctl.io.stdout.write(`label ${JSON.stringify(key)} not found.\n`);
    }
  }
  const members = toMergePatch(current, changes);
  const dryRun = readDryRun(options.dryRun);
  // A list shows what the changes would make of the object.
  if (options.local || options.list || dryRun === 'client') {
    if (members === undefined) return { object: target.object, isChanged: false };
    return { object: changeLocally(target.object, kind, members), isChanged: true };
  }
  const patch = withCause(ctl, target.object, { [kind.field]: members });
  if (patch === undefined) return { object: target.object, isChanged: false };
  const object = await send(ctl, target, patch, { options, kind });
  // Release 1.20's client shows the object that it has read, with the labels as they are to be.
  const showsOwn = kind.what === 'label' && ctl.dialect.name !== 'orch';
  return { object: showsOwn ? mergeOwn(target.object, patch) : object, isChanged: true };
}

/** Labels and annotations to change: null takes one away. */
type KeyPatch = Partial<Record<KeyKind['field'], Readonly<Record<string, string | null>> | undefined>>;

/** The patch that says what the command line was, too; undefined when nothing would change. */
function withCause(ctl: Ctl, { metadata }: WireObject, patch: KeyPatch): KeyPatch | undefined {
  const cause = Object.entries(changeCauseOf(ctl)).filter(
    ([key, value]) => metadata.annotations?.[key] !== value,
  );
  const annotations = { ...Object.fromEntries(cause), ...patch.annotations };
  const { labels } = patch;
  if (Object.keys(annotations).length === 0) return labels === undefined ? undefined : { labels };
  return { ...(labels === undefined ? {} : { labels }), annotations };
}

async function send(
  ctl: Ctl,
  target: LiveTarget,
  patch: KeyPatch,
  { options, kind }: { readonly options: VerbCall<LabelOptions>['options']; readonly kind: KeyKind },
): Promise<unknown> {
  const client = await ctl.client();
  const version = options.resourceVersion;
  const manager = options.fieldManager ?? ctl.fieldManager(kind.what === 'label' ? 'label' : 'annotate');
  return client.json({
    method: 'PATCH',
    path: targetPath(target),
    contentType: 'application/merge-patch+json',
    query: changeQuery(manager, readDryRun(options.dryRun)),
    body: { metadata: { ...patch, ...(version ? { resourceVersion: version } : {}) } },
    signal: ctl.io.signal,
  });
}

/** The object with the changes of a patch. */
function mergeOwn(object: WireObject, { labels, annotations }: KeyPatch): WireObject {
  const labelled = labels === undefined ? object : changeLocally(object, { field: 'labels' }, labels);
  return annotations === undefined
    ? labelled
    : changeLocally(labelled, { field: 'annotations' }, annotations);
}

function changeLocally(
  object: WireObject,
  { field }: Pick<KeyKind, 'field'>,
  members: Readonly<Record<string, string | null>>,
): WireObject {
  const merged = Object.entries({ ...object.metadata[field], ...members }).filter(
    ([, value]) => value !== null,
  );
  return { ...object, metadata: { ...object.metadata, [field]: Object.fromEntries(merged) } };
}

function refuseOverwriting(
  kind: KeyKind,
  current: Readonly<Record<string, string>>,
  changes: KeyChanges,
): void {
  const clashes = findOverwritten(current, changes);
  if (clashes.length === 0) return;
  if (kind.what === 'annotation') {
    const list = clashes.map(({ key, value }) => `'${key}' already has a value (${value})`).join('; ');
    throw new CtlError(`--overwrite is false but found the following declared annotation(s): ${list}`);
  }
  const errors = clashes.map(
    ({ key, value }) => new CtlError(`'${key}' already has a value (${value}), and --overwrite is false`),
  );
  throw errors.length === 1 ? errors[0] : new CombinedError(errors);
}

function listKeys(
  ctl: Ctl,
  kind: KeyKind,
  { resource, name, object }: Omit<LiveTarget, 'object'> & { readonly object: unknown },
  showsName: boolean,
): void {
  // Release 1.20's client writes the kind, a dot and the group, even an empty one.
  const shown =
    ctl.dialect.name === 'orch'
      ? formatObjectName({ ...resource, name })
      : `${resource.kind}.${resource.group}/${name}`;
  if (showsName) ctl.io.stdout.write(`Listing ${kind.field} for ${shown}:\n`);
  const keys = Object.entries(asJsonObject(asJsonObject(asJsonObject(object).metadata)[kind.field])).sort(
    ([a], [b]) => (a < b ? -1 : 1),
  );
  for (const [key, value] of keys) ctl.io.stdout.write(`${showsName ? ' ' : ''}${key}=${value}\n`);
}
