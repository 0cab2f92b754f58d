/**
 * `ctl diff`: shows what `ctl apply` would change. The server rehearses every change, so that its defaults and admission
 * take part; the objects before and after are compared as files by a program of the user's choice. Nothing is changed.
 */
import { isReason } from '../../machinery/errors/index.ts';
import { createTypeFinder } from '../changes/built-in-type.ts';
import type { Ctl } from '../ctl.ts';
import { CtlError, ExitError, throwGathered, UsageError } from '../errors.ts';
import {
  allNamespacesOption,
  fieldManagerOption,
  fileOptions,
  hasFiles,
  managedFieldsOption,
  selectorOption,
  sourcesOf,
} from '../options/shared.ts';
import { isWireObject, type WireObject, withoutManagedFields } from '../resource/api-object.ts';
import { resolveFiles } from '../resource/resolve-files.ts';
import { targetPath } from '../resource/target.ts';
import { defineVerb } from '../verb.ts';
import { compareFolders, type FilePair, objectFileName } from './compare-folders.ts';
import { maskSecret, type ObjectPair } from './mask-secret.ts';
import { type MergeRun, readMerged } from './merged-object.ts';

/** How often an object is read that changes meanwhile. */
const maxAttempts = 4;

/** The verb. */
export const diffVerb = defineVerb({
  program: {
    name: 'ctl diff',
    summary: 'Show what applying files would change',
    usage: '(-f FILE | (TYPE [NAME...] | TYPE/NAME... | -f FILE) --since=MOMENT) [flags]',
    description: [
      'With --since it shows how objects differ from what they were, as long as the server knows that (orch serve --history): those of files, and those that arguments and selectors name.',
      'The exit code is 0 when there is no difference, 1 when there is one, and greater than 1 after an error. The environment variable CTL_EXTERNAL_DIFF names another program for the comparison, with flags if it needs any; by default it is diff -u -N.',
    ],
    options: [
      ...fileOptions,
      selectorOption,
      {
        name: 'since',
        type: 'string',
        valueName: 'MOMENT',
        section: 'Selection',
        help: 'Show what changed since then: 10m ago, a time such as 2026-01-02T15:04:05Z, or a resource version.',
      },
      { ...allNamespacesOption, help: 'With --since: take objects of all namespaces.' },
      {
        name: 'server-side',
        type: 'bool',
        section: 'Changes',
        help: 'Let the server merge, as apply --server-side does.',
      },
      {
        name: 'force-conflicts',
        type: 'bool',
        section: 'Changes',
        help: 'With --server-side: take fields over that others own.',
      },
      fieldManagerOption,
      {
        ...managedFieldsOption,
        default: false,
        help: 'Compare metadata.managedFields too; with --since also metadata.resourceVersion.',
      },
    ],
    examples: [
      { command: 'ctl diff -f app.yaml', does: 'compare what is with what a file describes' },
      { command: 'cat app.yaml | ctl diff -f -', does: 'compare with the standard input' },
      { command: 'ctl diff deployment/web --since=10m', does: 'show what changed in the last ten minutes' },
    ],
    exitStatus: [
      ['0', 'nothing differs'],
      ['1', 'something differs'],
      ['2', 'the command failed, or its program for comparisons did, whose code it has then'],
    ],
  },
  failureCode: 2,
  async run(ctl, { options, args, given }) {
    if (options.since) {
      const useless = (['serverSide', 'forceConflicts', 'fieldManager'] as const).find((key) =>
        given.has(key),
      );
      if (useless !== undefined)
        throw new UsageError('--since compares objects that are there: nothing is applied');
      const { readChangesSince } = await import('./since.ts');
      const changes = await readChangesSince(ctl, { options, args, since: options.since });
      return endWith(await compareFolders(ctl, changes, ['WAS-', 'IS-']));
    }
    if (options.allNamespaces) throw new UsageError('--all-namespaces only works with --since');
    if (!hasFiles(options)) throw new CtlError('must specify one of -f and -k');
    if (args.length > 0) throw new UsageError(`Unexpected args: [${args.join(' ')}]`);
    if (options.forceConflicts && !options.serverSide) {
      throw new CtlError('--force-conflicts only works with --server-side');
    }
    const { targets, errors } = await resolveFiles(ctl, {
      ...sourcesOf(options),
      labelSelector: options.selector,
      // The client of release 1.20 lets the server find out.
      isValidated: ctl.dialect.name === 'orch',
      args,
    });
    throwGathered(errors);
    const fieldManager =
      options.fieldManager ??
      (options.serverSide ? ctl.dialect.spell('ctl') : ctl.fieldManager('client-side-apply'));
    const findType = createTypeFinder(ctl.dialect);
    const pairs: FilePair[] = [];
    for (const target of targets) {
      const run: MergeRun = {
        ctl,
        target,
        findType,
        fieldManager,
        isServerSide: options.serverSide,
        takesOver: options.forceConflicts,
      };
      pairs.push(await toFiles(run, await readPair(run), { showsManagedFields: options.showManagedFields }));
    }
    endWith(await compareFolders(ctl, pairs));
  },
});

/** @throws ExitError unless nothing differs */
function endWith(code: number): void {
  if (code === 1) throw new ExitError(1);
  // One more than the program's, so that no failure looks like a difference.
  if (code > 1) throw new ExitError(code + 1, `exit status ${code}`);
}

/** Reads an object and what it would become, anew when it changes in between. */
async function readPair(run: MergeRun): Promise<ObjectPair> {
  const { ctl, target } = run;
  for (let attempt = 1; ; attempt++) {
    const live = await readLive(run);
    const isLast = attempt === maxAttempts;
    if (isLast) {
      ctl.io.stderr.write(
        `Warning: ${target.resource.kind} ${JSON.stringify(target.name)} keeps changing, comparing without a lock\n`,
      );
    }
    try {
      const merged = await readMerged(run, live, { isLocked: !isLast });
      warnIfDeleting(ctl, live);
      return { live, merged };
    } catch (error) {
      // Conflicts of a server-side apply are about owners, and stay.
      if (isLast || run.isServerSide || !isReason(error, 'Conflict')) throw error;
    }
  }
}

async function readLive({ ctl, target }: MergeRun): Promise<WireObject | undefined> {
  if (target.name === '') throw new CtlError('resource name may not be empty');
  const client = await ctl.client();
  try {
    const path = targetPath(target);
    const live: unknown = await client.json({ method: 'GET', path, signal: ctl.io.signal });
    if (isWireObject(live)) return live;
  } catch (error) {
    if (isReason(error, 'NotFound')) return undefined;
    throw error;
  }
  throw new CtlError(`the server's answer for ${target.resource.name} is no object`);
}

function warnIfDeleting({ io }: Ctl, live: WireObject | undefined): void {
  if (!live?.metadata.deletionTimestamp) return;
  io.stderr.write(
    `Warning: Detected changes to resource ${live.metadata.name} which is currently being deleted.\n`,
  );
}

async function toFiles(
  { ctl, target }: MergeRun,
  pair: ObjectPair,
  { showsManagedFields }: { readonly showsManagedFields: boolean },
): Promise<FilePair> {
  const { writeYaml } = await import('../../machinery/codec/index.ts');
  const { live, merged } = maskSecret(pair, ctl.dialect.lastAppliedAnnotation);
  const write = (object: WireObject) => writeYaml(showsManagedFields ? object : withoutManagedFields(object));
  return { name: objectFileName(target), live: live && write(live), merged: merged && write(merged) };
}
