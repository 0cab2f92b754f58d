import { pause } from '../base/index.ts';
import { OptionsError } from '../config/index.ts';
import { recordChange } from './changes/change-cause.ts';
import { changeQuery, createReporter } from './changes/reporter.ts';
import type { Ctl } from './ctl.ts';
import { CtlError, throwGathered } from './errors.ts';
import { recordOption } from './options/change.ts';
import {
  allOption,
  dryRunOption,
  fileOptions,
  printOptions,
  readDryRun,
  selectorOption,
  sourcesOf,
} from './options/shared.ts';
import { type LiveTarget, resolveObjects } from './resource/resolve-objects.ts';
import { targetPath } from './resource/target.ts';
import { defineVerb } from './verb.ts';

/** Of `--current-replicas`: whatever there is. */
const anyReplicas = -1;

/** What the current size must be for a change to go on. */
interface ScaleConditions {
  readonly currentReplicas: number;
  readonly resourceVersion: string | undefined;
}

/** `ctl scale`. */
export const scaleVerb = defineVerb({
  program: {
    name: 'ctl scale',
    summary: 'Set how many replicas there are',
    usage: '--replicas=COUNT (-f FILE | TYPE NAME | TYPE/NAME) [flags]',
    options: [
      {
        name: 'replicas',
        type: 'int',
        section: 'Changes',
        help: 'How many replicas there shall be. Required.',
      },
      {
        name: 'current-replicas',
        type: 'int',
        default: anyReplicas,
        section: 'Changes',
        help: 'Do it only when there are this many now.',
      },
      {
        name: 'resource-version',
        type: 'string',
        section: 'Changes',
        help: 'Do it only at this version of the object.',
      },
      {
        name: 'timeout',
        type: 'duration',
        default: '0s',
        section: 'Changes',
        help: 'How long to wait until as many replicas are there; 0 for not at all.',
      },
      ...fileOptions,
      selectorOption,
      allOption,
      dryRunOption,
      recordOption,
      ...printOptions,
    ],
    examples: [{ command: 'ctl scale --replicas=3 deployment/web', does: 'run three pods' }],
  },
  async run(ctl, { options, args }) {
    const { replicas } = options;
    if (replicas === undefined) throw new OptionsError(['required flag(s) "replicas" not set']);
    if (replicas < 0)
      throw new CtlError(
        'The --replicas=COUNT flag is required, and COUNT must be greater than or equal to 0',
      );
    const dryRun = readDryRun(options.dryRun);
    const report = await createReporter(ctl, options, { dryRun });
    const { objects, errors } = await resolveObjects(ctl, {
      args,
      ...sourcesOf(options),
      labelSelector: options.selector,
      isAll: options.all,
      errorPlace: 'last',
    });
    const conditions = {
      currentReplicas: options.currentReplicas,
      resourceVersion: options.resourceVersion,
    };
    for (const target of objects) {
      try {
        if (dryRun !== 'client') {
          const query = changeQuery(undefined, dryRun);
          await setReplicas(ctl, target, replicas, { ...conditions, query });
          if (options.timeoutMs !== 0 && dryRun === 'none') {
            await awaitReplicas(ctl, target, replicas, options.timeoutMs);
          }
          await recordChange(ctl, target, query);
        }
        report({ resource: target.resource, object: target.object, name: target.name, operation: 'scaled' });
      } catch (error) {
        errors.push(error);
      }
    }
    if (objects.length === 0 && errors.length === 0) throw new CtlError('no objects passed to scale');
    throwGathered(errors);
  },
});

async function setReplicas(
  ctl: Ctl,
  target: LiveTarget,
  replicas: number,
  conditions: ScaleConditions & { readonly query: Readonly<Record<string, string>> },
): Promise<void> {
  const client = await ctl.client();
  const path = targetPath(target, 'scale');
  const version = await checkConditions(ctl, path, conditions);
  await client.json({
    method: 'PATCH',
    path,
    contentType: 'application/merge-patch+json',
    query: conditions.query,
    body: {
      ...(version === undefined ? {} : { metadata: { resourceVersion: version } }),
      spec: { replicas },
    },
    signal: ctl.io.signal,
  });
}

const pollMs = 500;

/** Waits until the pods are there, or somebody asked for another number. @throws CtlError when the time is over */
async function awaitReplicas(
  ctl: Ctl,
  target: LiveTarget,
  replicas: number,
  timeoutMs: number,
): Promise<void> {
  const { clock, signal } = ctl.io;
  const client = await ctl.client();
  const deadlineMs = clock.nowMs() + timeoutMs;
  for (;;) {
    const { spec, status } = await client.json<{
      spec?: { replicas?: number };
      status?: { replicas?: number };
    }>({ method: 'GET', path: targetPath(target, 'scale'), signal });
    const wanted = spec?.replicas ?? 0;
    if (wanted !== replicas || (status?.replicas ?? 0) === replicas) return;
    if (clock.nowMs() >= deadlineMs || !(await pause(clock, pollMs, signal))) {
      throw new CtlError(`timed out waiting for ${JSON.stringify(target.name)} to be synced`);
    }
  }
}

/** The version that the conditions were checked at, so that the change fails when it is no longer the live one. */
async function checkConditions(
  ctl: Ctl,
  path: string,
  { currentReplicas, resourceVersion }: ScaleConditions,
): Promise<string | undefined> {
  if (currentReplicas === anyReplicas && !resourceVersion) return undefined;
  const client = await ctl.client();
  const scale = await client.json<{ spec?: { replicas?: number }; metadata?: { resourceVersion?: string } }>({
    method: 'GET',
    path,
    signal: ctl.io.signal,
  });
  const actual = scale.spec?.replicas ?? 0;
  if (currentReplicas !== anyReplicas && actual !== currentReplicas) {
    throw new CtlError(`Expected replicas to be ${currentReplicas}, was ${actual}`);
  }
  const live = scale.metadata?.resourceVersion;
  if (resourceVersion && live !== resourceVersion) {
    throw new CtlError(`Expected resource version to be ${resourceVersion}, was ${live}`);
  }
  return live;
}
