import { isDeepStrictEqual } from 'node:util';
import { asJsonObject, errorText, type JsonObject } from '../../base/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import { createReporter } from '../changes/reporter.ts';
import type { Ctl } from '../ctl.ts';
import { describeTemplate } from '../describe/index.ts';
import { CtlError, throwGathered } from '../errors.ts';
import { type DryRun, dryRunOption, fileOptions, printOptions, readDryRun } from '../options/shared.ts';
import type { LiveTarget } from '../resource/resolve-objects.ts';
import { targetPath } from '../resource/target.ts';
import { defineVerb } from '../verb.ts';
import { type Revision, readRevisions, templateAfter } from './revisions.ts';
import { kindWithRevisions, type RolloutKind, resolveRollouts } from './rollout-kinds.ts';

/** `ctl rollout undo`. */
export const undoVerb = defineVerb({
  program: {
    name: 'ctl rollout undo',
    summary: 'Go back to an earlier pod template',
    usage: '(-f FILE | TYPE NAME | TYPE/NAME) [flags]',
    options: [
      {
        name: 'to-revision',
        type: 'int',
        default: 0,
        section: 'Changes',
        help: 'The revision to go back to; 0 for the one before.',
      },
      dryRunOption,
      ...fileOptions,
      ...printOptions,
    ],
    examples: [
      { command: 'ctl rollout undo deployment/web', does: 'go back to the revision before' },
      { command: 'ctl rollout undo daemonset/logs --to-revision=3', does: 'go back to a certain one' },
      {
        command: 'ctl rollout undo deployment/web --dry-run=client',
        does: 'show the template to go back to',
      },
    ],
  },
  async run(ctl, { options, args }) {
    const dryRun = readDryRun(options.dryRun);
    const report = await createReporter(ctl, options, { dryRun });
    const { objects, errors } = await resolveRollouts(ctl, { options, args });
    for (const target of objects) {
      try {
        const kind = kindWithRevisions(target.resource, { noun: 'rollbacker', article: 'rollbacker' });
        report({
          ...target,
          operation: await undo(ctl, target, { kind, toRevision: options.toRevision, dryRun }),
        });
      } catch (error) {
        errors.push(error);
      }
    }
    throwGathered(errors);
  },
});

interface Undoing {
  readonly kind: RolloutKind;
  readonly toRevision: number;
  readonly dryRun: DryRun;
}

/** Goes back and says what was done. @throws CtlError */
async function undo(ctl: Ctl, target: LiveTarget, { kind, toRevision, dryRun }: Undoing): Promise<string> {
  const revision = chooseRevision(await readRevisions(ctl, target, kind), {
    toRevision,
    kind,
    name: target.name,
  });
  const template = await revision.template();
  if (dryRun === 'client') {
    return `${kind === 'Deployment' ? '' : 'will roll back to '}${await describeTemplate(template, ctl.dialect)}`;
  }
  const { spec } = target.object;
  if (kind === 'Deployment' && asJsonObject(spec).paused === true) {
    throw new CtlError(
      `you cannot rollback a paused deployment; resume it first with 'ctl rollout resume deployment/${target.name}' and try again`,
    );
  }
  const current =
    kind === 'Deployment'
      ? asJsonObject(asJsonObject(spec).template)
      : await templateAfter(ctl, target.object, {});
  if (isDeepStrictEqual(withoutHash(template), withoutHash(current))) {
    return `skipped rollback (current template already matches revision ${toRevision})`;
  }
  const client = await ctl.client();
  try {
    await client.json({
      method: 'PATCH',
      path: targetPath(target),
      contentType: `application/${revision.patch === undefined ? 'json' : 'strategic-merge'}-patch+json`,
      query: dryRun === 'server' ? { dryRun: 'All' } : {},
      body:
        revision.patch ??
        deploymentPatch(
          ctl.dialect,
          target.object.metadata.annotations ?? {},
          revision.annotations,
          template,
        ),
      signal: ctl.io.signal,
    });
  } catch (error) {
    throw new CtlError(`failed restoring revision ${toRevision}: ${errorText(error)}`, { cause: error });
  }
  return 'rolled back';
}

/** Which revision is meant: that with a number, or the last but one. @throws CtlError when there is none */
export function chooseRevision(
  revisions: readonly Revision[],
  {
    toRevision,
    kind,
    name,
  }: { readonly toRevision: number; readonly kind: RolloutKind; readonly name: string },
): Revision {
  const found =
    toRevision === 0 ? revisions.at(-2) : revisions.find(({ revision }) => revision === BigInt(toRevision));
  if (found !== undefined && toRevision >= 0) return found;
  if (toRevision !== 0) throw new CtlError(`unable to find specified revision ${toRevision} in history`);
  throw new CtlError(
    kind === 'Deployment'
      ? `no rollout history found for deployment ${JSON.stringify(name)}`
      : 'no last revision to roll back to',
  );
}

/** The label by which the pods of replica sets differ; only their templates have it. */
const hashLabel = 'pod-template-hash';

function withoutHash(template: JsonObject): JsonObject {
  const metadata = asJsonObject(template.metadata);
  const { [hashLabel]: _, ...labels } = asJsonObject(metadata.labels);
  return { ...template, metadata: { ...metadata, labels } };
}

/**
 * The JSON patch that brings a template back, and the annotations that its replica set had; those of the rollout itself
 * stay as they are.
 */
export function deploymentPatch(
  dialect: Dialect,
  current: Readonly<Record<string, string>>,
  former: Readonly<Record<string, string>>,
  template: JsonObject,
): readonly JsonObject[] {
  const own = new Set([
    dialect.lastAppliedAnnotation,
    ...['revision', 'revision-history', 'desired-replicas', 'max-replicas'].map((name) =>
      dialect.domain('deployment', name),
    ),
    'deprecated.deployment.rollback.to',
  ]);
  const annotations = Object.fromEntries([
    ...Object.entries(current).filter(([key]) => own.has(key)),
    ...Object.entries(former).filter(([key]) => !own.has(key)),
  ]);
  return [
    { op: 'replace', path: '/spec/template', value: withoutHash(template) },
    { op: 'replace', path: '/metadata/annotations', value: annotations },
  ];
}
