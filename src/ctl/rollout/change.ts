import { asJsonObject, type JsonObject } from '../../base/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import { changeQuery, createReporter } from '../changes/reporter.ts';
import type { Ctl } from '../ctl.ts';
import { CtlError, throwEach } from '../errors.ts';
import { fieldManagerOption, fileOptions, printOptions } from '../options/shared.ts';
import type { LiveTarget } from '../resource/resolve-objects.ts';
import { targetPath, typeName } from '../resource/target.ts';
import { defineVerb, type Verb } from '../verb.ts';
import { type RolloutKind, resolveRollouts, rolloutKindOf } from './rollout-kinds.ts';

/** One way to change a rollout, and its words. */
interface RolloutChange {
  readonly verb: string;
  readonly done: string;
  readonly doing: string;
  readonly summary: string;
  /** Undefined: the kind cannot be changed so. @throws CtlError when the object cannot be */
  patch(kind: RolloutKind, object: LiveTarget['object'], setting: ChangeSetting): JsonObject | undefined;
}

/** What a change depends on beside the object. */
interface ChangeSetting {
  readonly dialect: Dialect;
  readonly nowMs: number;
}

/** `ctl rollout pause`. */
export const pauseVerb = changeVerb({
  verb: 'pause',
  done: 'paused',
  doing: 'pausing',
  summary: 'Keep new pod templates of a deployment from being rolled out',
  patch(kind, object) {
    if (kind !== 'Deployment') return undefined;
    if (isPaused(object)) throw new CtlError('is already paused');
    return { spec: { paused: true } };
  },
});

/** `ctl rollout resume`. */
export const resumeVerb = changeVerb({
  verb: 'resume',
  done: 'resumed',
  doing: 'resuming',
  summary: 'Let a paused deployment go on',
  patch(kind, object) {
    if (kind !== 'Deployment') return undefined;
    if (!isPaused(object)) throw new CtlError('is not paused');
    return { spec: { paused: null } };
  },
});

/** `ctl rollout restart`: an annotation of the template makes it a new one. */
export const restartVerb = changeVerb({
  verb: 'restart',
  done: 'restarted',
  doing: 'restarting',
  summary: 'Replace all pods by new ones',
  patch(_kind, object, { dialect, nowMs }) {
    if (isPaused(object)) throw new CtlError(`can't restart paused deployment (run rollout resume first)`);
    const restartedAt = new Date(nowMs).toISOString().replace(/\.\d+/, '');
    const annotations = { [dialect.domain('ctl', 'restartedAt')]: restartedAt };
    return { spec: { template: { metadata: { annotations } } } };
  },
});

function isPaused({ spec }: LiveTarget['object']): boolean {
  return asJsonObject(spec).paused === true;
}

function changeVerb(change: RolloutChange): Verb {
  const { verb, done, summary } = change;
  return defineVerb({
    program: {
      name: `ctl rollout ${verb}`,
      summary,
      usage: '(-f FILE | TYPE NAME | TYPE/NAME) [flags]',
      options: [...fileOptions, fieldManagerOption, ...printOptions],
      examples: [{ command: `ctl rollout ${verb} deployment/web`, does: `${verb} a deployment` }],
    },
    async run(ctl, { options, args }) {
      const report = await createReporter(ctl, options);
      const { objects, errors } = await resolveRollouts(ctl, { options, args });
      const query = changeQuery(options.fieldManager ?? ctl.fieldManager('rollout'), 'none');
      for (const target of objects) {
        try {
          const body = patchOf(ctl, target, change);
          report({ ...target, object: await send(ctl, target, body, query), operation: done });
        } catch (error) {
          errors.push(error);
        }
      }
      throwEach(errors);
    },
  });
}

/** @throws CtlError that names the object */
function patchOf(ctl: Ctl, { resource, object, name }: LiveTarget, change: RolloutChange): JsonObject {
  const kind = rolloutKindOf(resource);
  const refuse = (why: string) => new CtlError(`error: ${typeName(resource)} ${JSON.stringify(name)} ${why}`);
  try {
    const setting = { dialect: ctl.dialect, nowMs: ctl.io.clock.nowMs() };
    const patch = kind === undefined ? undefined : change.patch(kind, object, setting);
    if (patch !== undefined) return patch;
  } catch (error) {
    throw error instanceof CtlError ? refuse(error.message) : error;
  }
  throw refuse(`${change.doing} is not supported`);
}

async function send(
  ctl: Ctl,
  target: LiveTarget,
  body: JsonObject,
  query: Readonly<Record<string, string>>,
): Promise<unknown> {
  const client = await ctl.client();
  const contentType = 'application/merge-patch+json';
  return client.json({
    method: 'PATCH',
    path: targetPath(target),
    contentType,
    query,
    body,
    signal: ctl.io.signal,
  });
}
