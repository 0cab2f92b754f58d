/**
 * `ctl wait`: waits until objects are gone or look a certain way. Changes are watched, not asked for again and again.
 */
import { watchEvents } from '../../client/rest/index.ts';
import { isReason } from '../../machinery/errors/index.ts';
import { createReporter } from '../changes/reporter.ts';
import type { Ctl } from '../ctl.ts';
import { CtlError, throwGathered } from '../errors.ts';
import {
  allNamespacesOption,
  allOption,
  fieldSelectorOption,
  filenameOption,
  printOptions,
  recursiveOption,
  selectorOption,
} from '../options/shared.ts';
import { isWireObject } from '../resource/api-object.ts';
import { type LiveTarget, resolveObjects } from '../resource/resolve-objects.ts';
import { targetPath } from '../resource/target.ts';
import { defineVerb } from '../verb.ts';
import { type Condition, parseCondition } from './condition.ts';

/** What a negative `--timeout` stands for. Source: release 1.20's client. */
const weekMs = 7 * 24 * 3600 * 1000;

/** The verb. */
export const waitVerb = defineVerb({
  program: {
    name: 'ctl wait',
    summary: 'Wait until objects are ready or gone',
    usage: '(-f FILE | TYPE (NAME... | -l SELECTOR | --all) | TYPE/NAME...) --for=CONDITION [flags]',
    options: [
      {
        name: 'for',
        type: 'string',
        section: 'Waiting',
        valueName: 'CONDITION',
        help: 'delete, condition=TYPE[=STATUS] or jsonpath={PATH}[=VALUE]. Without a status, true is waited for; without a value, any.',
      },
      {
        name: 'timeout',
        type: 'duration',
        default: '30s',
        section: 'Waiting',
        help: 'How long to wait for each object; 0 looks once, a negative time stands for a week.',
      },
      filenameOption,
      recursiveOption,
      selectorOption,
      fieldSelectorOption,
      allOption,
      allNamespacesOption,
      ...printOptions,
    ],
    examples: [
      { command: 'ctl wait --for=condition=Ready pod/web', does: 'wait until a pod is ready' },
      { command: 'ctl wait --for=delete pod/web --timeout=60s', does: 'wait until it is gone' },
      { command: "ctl wait --for=jsonpath='{.status.phase}'=Running pod/web", does: 'wait for a field' },
    ],
  },
  async run(ctl, { options, args }) {
    const condition = parseCondition(options.for ?? '');
    const report = await createReporter(ctl, options);
    const { objects, errors } = await resolveObjects(ctl, {
      args,
      filenames: options.filename,
      isRecursive: options.recursive,
      labelSelector: options.selector,
      fieldSelector: options.fieldSelector,
      isAll: options.all,
      isAllNamespaces: options.allNamespaces,
    });
    const others =
      condition.kind === 'gone' ? errors.filter((error) => !isReason(error, 'NotFound')) : errors;
    if (objects.length === 0 && others.length === 0) throw new CtlError('no matching resources found');
    const timeoutMs = options.timeoutMs < 0 ? weekMs : options.timeoutMs;
    for (const target of objects) {
      try {
        const object = await awaitCondition(ctl, target, condition, timeoutMs);
        report({ ...target, object, operation: 'condition met' });
      } catch (error) {
        others.push(error);
      }
    }
    throwGathered(others);
  },
});

/** The object as it was when the condition was met. @throws CtlError when the time is over */
async function awaitCondition(
  ctl: Ctl,
  target: LiveTarget,
  condition: Condition,
  timeoutMs: number,
): Promise<unknown> {
  const { clock, signal } = ctl.io;
  if (condition.kind === 'state' && condition.isMet(target.object)) return target.object;
  const late = new AbortController();
  const cancel = clock.setTimer(timeoutMs, () => late.abort());
  try {
    while (timeoutMs > 0) {
      const met = await watchOnce(ctl, target, condition, AbortSignal.any([late.signal, signal]));
      if (met !== undefined) return met;
      if (late.signal.aborted) break;
    }
  } catch (error) {
    if (!late.signal.aborted) throw error;
  } finally {
    cancel();
  }
  signal.throwIfAborted();
  throw new CtlError(`timed out waiting for the condition on ${target.resource.name}/${target.name}`);
}

/** Reads the object and follows it until the condition is met; undefined when the server ended the watch before. */
async function watchOnce(
  ctl: Ctl,
  target: LiveTarget,
  condition: Condition,
  signal: AbortSignal,
): Promise<unknown> {
  const client = await ctl.client();
  const path = targetPath({ ...target, name: undefined });
  const query = { fieldSelector: `metadata.name=${target.name}` };
  const list = await client.json<{ items?: readonly object[]; metadata?: { resourceVersion?: string } }>({
    method: 'GET',
    path,
    query,
    signal,
  });
  const { apiVersion, kind } = target.object;
  const isMet = (live: unknown) => condition.kind === 'state' && isWireObject(live) && condition.isMet(live);
  const isOther = (live: unknown) => !isWireObject(live) || live.metadata.uid !== target.object.metadata.uid;
  const [item] = list.items ?? [];
  // Items of lists leave out what they are.
  const live = item === undefined ? undefined : { apiVersion, kind, ...item };
  if (condition.kind === 'gone' && (live === undefined || isOther(live))) return target.object;
  if (isMet(live)) return live;
  const request = { method: 'GET', path, signal } as const;
  const from = { ...query, resourceVersion: list.metadata?.resourceVersion };
  try {
    for await (const { type, object } of watchEvents(client, { ...request, query: from })) {
      if (type === 'DELETED' && condition.kind === 'gone') return object;
      if (type !== 'DELETED' && isMet(object)) return object;
    }
  } catch (error) {
    if (!isReason(error, 'Expired') && !isReason(error, 'Gone')) throw error;
  }
  return undefined;
}
