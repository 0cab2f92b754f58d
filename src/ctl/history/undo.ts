import { isDeepStrictEqual } from 'node:util';
import { loadColours } from '../../config/index.ts';
import { changeQuery, createReporter } from '../changes/reporter.ts';
import type { Ctl } from '../ctl.ts';
import { CtlError, throwGathered } from '../errors.ts';
import { dryRunOption, fieldManagerOption, printOptions, readDryRun } from '../options/shared.ts';
import type { WireObject } from '../resource/api-object.ts';
import { parseMoment, readPast } from '../resource/read-past.ts';
import { type LiveTarget, resolveForUsage } from '../resource/resolve-objects.ts';
import { targetPath } from '../resource/target.ts';
import { defineVerb } from '../verb.ts';
import { listChanges } from './changed-fields.ts';
import { formatChange } from './log.ts';
import { readVersions } from './versions.ts';

/** `ctl undo`. */
export const undoVerb = defineVerb({
  program: {
    name: 'ctl undo',
    summary: 'Put an earlier version of an object back',
    usage: '(TYPE NAME | TYPE/NAME) [--to=MOMENT] [flags]',
    description: [
      'Labels, annotations, and all that is neither metadata nor status become what they were, by one update that fails if anybody else changes the object meanwhile. Without --to it is the newest version in which any of that differs from the present. How far back one can go is the --history of orch serve.',
    ],
    options: [
      {
        name: 'to',
        type: 'string',
        valueName: 'MOMENT',
        section: 'Changes',
        help: 'The version to put back: 10m ago, at a time such as 2026-01-02T15:04:05Z, or a resource version.',
      },
      dryRunOption,
      fieldManagerOption,
      ...printOptions,
    ],
    examples: [
      { command: 'ctl undo deployment/web', does: 'take the last change back' },
      { command: 'ctl undo deployment/web --to=10m --dry-run=client', does: 'show what would be put back' },
    ],
  },
  async run(ctl, { options, args }) {
    const dryRun = readDryRun(options.dryRun);
    const report = await createReporter(ctl, options, { dryRun });
    const { objects, errors } = await resolveForUsage(ctl, { args, filenames: [], isRecursive: false });
    throwGathered(errors);
    const [target, ...others] = objects;
    if (target === undefined || others.length > 0) throw new CtlError('one object can be put back at a time');
    const earlier = await findEarlier(ctl, target, options.to);
    const version = earlier.metadata.resourceVersion ?? '';
    const restored = restore(ctl, target.object, earlier);
    if (isDeepStrictEqual(restored, target.object)) {
      report({ ...target, operation: `is as it was in version ${version}` });
      return;
    }
    const query = changeQuery(options.fieldManager ?? ctl.fieldManager('undo'), dryRun);
    const object = dryRun === 'client' ? restored : await send(ctl, target, restored, query);
    report({ ...target, object, operation: `put back to version ${version}` });
    if (!options.output) await printChanges(ctl, target.object, restored);
  },
});

/** @throws CtlError when there is none */
async function findEarlier(ctl: Ctl, target: LiveTarget, to: string | undefined): Promise<WireObject> {
  if (to) {
    const version = parseMoment(to, { flag: 'to', nowMs: ctl.io.clock.nowMs() });
    const earlier = await readPast(ctl, target, version);
    if (earlier === undefined) throw new CtlError(`--to=${to}: ${target.name} did not exist then`);
    return earlier;
  }
  for await (const { previous } of readVersions(ctl, target)) {
    if (previous === 'created') break;
    if (previous === 'forgotten') {
      throw new CtlError(
        'the server no longer has a version that differs; orch serve --history says how long it keeps them',
      );
    }
    if (!isDeepStrictEqual(restore(ctl, target.object, previous), target.object)) return previous;
  }
  throw new CtlError(`${target.name} has not changed since it was created: there is nothing to undo`);
}

/** The present object with what users write as it was. */
function restore({ dialect }: Ctl, present: WireObject, earlier: WireObject): WireObject {
  const { apiVersion, kind, metadata, status } = present;
  const { labels, annotations } = earlier.metadata;
  const { labels: _, annotations: current, ...own } = metadata;
  // The number of a rollout says what is rolled out now, and is its controller's.
  const rollout = dialect.domain('deployment', 'revision');
  const notes = { ...annotations };
  delete notes[rollout];
  if (current?.[rollout] !== undefined) notes[rollout] = current[rollout];
  const { status: __, ...fields } = earlier;
  return {
    ...fields,
    apiVersion,
    kind,
    metadata: {
      ...own,
      ...(labels === undefined ? {} : { labels }),
      ...(Object.keys(notes).length === 0 ? {} : { annotations: notes }),
    },
    ...(status === undefined ? {} : { status }),
  };
}

/** The version of the present object is the precondition. @throws StatusError 409 when it has changed since */
async function send(
  ctl: Ctl,
  target: LiveTarget,
  body: WireObject,
  query: Readonly<Record<string, string>>,
): Promise<unknown> {
  const client = await ctl.client();
  return client.json({ method: 'PUT', path: targetPath(target), query, body, signal: ctl.io.signal });
}

async function printChanges({ io, dialect }: Ctl, present: WireObject, restored: WireObject): Promise<void> {
  const colours = await loadColours({ isTerminal: io.stdout.isTerminal, env: io.env });
  for (const change of listChanges(present, restored, dialect.lastAppliedAnnotation)) {
    io.stdout.write(`    ${formatChange(change, colours)}\n`);
  }
}
