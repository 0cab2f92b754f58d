import { watchEvents } from '../../client/rest/index.ts';
import { isReason } from '../../machinery/errors/index.ts';
import type { Ctl } from '../ctl.ts';
import { CtlError, throwGathered } from '../errors.ts';
import { fileOptions } from '../options/shared.ts';
import { isWireObject, listItems, type WireObject } from '../resource/api-object.ts';
import type { LiveTarget } from '../resource/resolve-objects.ts';
import { targetPath } from '../resource/target.ts';
import { defineVerb } from '../verb.ts';
import { progressOf } from './progress.ts';
import { groupKind, resolveRollouts, rolloutKindOf } from './rollout-kinds.ts';

/** `ctl rollout status`. */
export const statusVerb = defineVerb({
  program: {
    name: 'ctl rollout status',
    summary: 'Wait until a rollout is done, and say how far it is',
    usage: '(-f FILE | TYPE NAME | TYPE/NAME) [flags]',
    options: [
      {
        name: 'watch',
        short: 'w',
        type: 'bool',
        default: true,
        section: 'Waiting',
        help: 'Wait; otherwise say how far it is and end.',
      },
      {
        name: 'timeout',
        type: 'duration',
        default: '0s',
        section: 'Waiting',
        help: 'How long to wait; 0 for as long as it takes.',
      },
      {
        name: 'revision',
        type: 'int',
        default: 0,
        section: 'Waiting',
        help: 'Fail when the deployment is at another revision than this one.',
      },
      ...fileOptions,
    ],
    examples: [
      { command: 'ctl rollout status deployment/web --timeout=2m', does: 'wait for two minutes at most' },
      { command: 'ctl rollout status daemonset/logs --watch=false', does: 'say how far it is' },
    ],
  },
  async run(ctl, { options, args }) {
    const { revision } = options;
    if (revision < 0) throw new CtlError(`revision must be a positive integer: ${revision}`);
    const { objects, errors } = await resolveRollouts(ctl, { options, args });
    throwGathered(errors);
    if (new Set(objects.map(({ resource }) => groupKind(resource))).size > 1) {
      throw new CtlError('you may only specify a single resource type');
    }
    const [target] = objects;
    if (target === undefined || objects.length > 1) {
      throw new CtlError(
        `rollout status is only supported on individual resources and resource collections - ${objects.length} resources were found`,
      );
    }
    await followRollout(ctl, target, { revision, watches: options.watch, timeoutMs: options.timeoutMs });
  },
});

/** What is waited for, and for how long: 0 ms means without end. */
interface Following {
  readonly revision: number;
  readonly watches: boolean;
  readonly timeoutMs: number;
}

/** Prints how far the rollout is whenever that changes, until it is done. @throws CtlError when it will not be, or the time is over */
async function followRollout(ctl: Ctl, target: LiveTarget, following: Following): Promise<void> {
  const kind = rolloutKindOf(target.resource);
  if (kind === undefined) {
    throw new CtlError(`no status viewer has been implemented for ${groupKind(target.resource)}`);
  }
  const revisionKey = ctl.dialect.domain('deployment', 'revision');
  const { revision, timeoutMs } = following;
  const late = new AbortController();
  const cancel = timeoutMs > 0 ? ctl.io.clock.setTimer(timeoutMs, () => late.abort()) : () => {};
  try {
    for await (const object of versionsOf(ctl, target, AbortSignal.any([late.signal, ctl.io.signal]))) {
      const { text, isDone } = progressOf({ kind, object, revision, revisionKey });
      ctl.io.stdout.write(text);
      if (isDone || !following.watches) return;
    }
  } catch (error) {
    if (!late.signal.aborted) throw error;
    throw new CtlError('timed out waiting for the condition', { cause: error });
  } finally {
    cancel();
  }
}

/** The object now, and after each change, without end. @throws CtlError once it is deleted */
async function* versionsOf(ctl: Ctl, target: LiveTarget, signal: AbortSignal): AsyncGenerator<WireObject> {
  const client = await ctl.client();
  const path = targetPath({ ...target, name: undefined });
  const query = { fieldSelector: `metadata.name=${target.name}` };
  const deleted = 'object has been deleted';
  let shown = '';
  for (;;) {
    const list = await client.json<{ metadata?: { resourceVersion?: string } }>({
      method: 'GET',
      path,
      query,
      signal,
    });
    const [live] = listItems(list, target.resource);
    if (live === undefined) throw new CtlError(deleted);
    // After the end of one watch, what the last one showed is not shown again.
    if (live.metadata.resourceVersion !== shown) yield live;
    shown = live.metadata.resourceVersion ?? '';
    const from = { ...query, resourceVersion: list.metadata?.resourceVersion };
    try {
      for await (const { type, object } of watchEvents(client, {
        method: 'GET',
        path,
        query: from,
        signal,
      })) {
        if (type === 'DELETED') throw new CtlError(deleted);
        if (type === 'BOOKMARK' || !isWireObject(object)) continue;
        shown = object.metadata.resourceVersion ?? '';
        yield object;
      }
    } catch (error) {
      // Only the list can say what is there now.
      if (!isReason(error, 'Expired') && !isReason(error, 'Gone')) throw error;
    }
  }
}
