import { createReporter } from '../changes/reporter.ts';
import type { Ctl } from '../ctl.ts';
import { describeTemplate } from '../describe/index.ts';
import { CtlError, throwGathered } from '../errors.ts';
import { fileOptions, printOptions } from '../options/shared.ts';
import { alignTabs } from '../printers/elastic-tabs.ts';
import type { LiveTarget } from '../resource/resolve-objects.ts';
import { defineVerb } from '../verb.ts';
import { causeOf, type Revision, readRevisions, withCause } from './revisions.ts';
import { kindWithRevisions, type RolloutKind, resolveRollouts } from './rollout-kinds.ts';

/** `ctl rollout history`. */
export const historyVerb = defineVerb({
  program: {
    name: 'ctl rollout history',
    summary: 'Show the revisions of a pod template',
    usage: '(-f FILE | TYPE NAME | TYPE/NAME) [flags]',
    options: [
      {
        name: 'revision',
        type: 'int',
        default: 0,
        section: 'Output',
        help: 'Show the pod template of this revision.',
      },
      ...fileOptions,
      ...printOptions,
    ],
    examples: [
      { command: 'ctl rollout history deployment/web', does: 'list its revisions' },
      { command: 'ctl rollout history daemonset/logs --revision=3', does: 'show one' },
    ],
  },
  async run(ctl, { options, args }) {
    const { revision } = options;
    if (revision < 0) throw new CtlError(`revision must be a positive integer: ${revision}`);
    const report = await createReporter(ctl, options);
    const { objects, errors } = await resolveRollouts(ctl, { options, args });
    for (const target of objects) {
      try {
        const kind = kindWithRevisions(target.resource, { noun: 'history', article: 'history viewer' });
        const text = await describeHistory(ctl, target, { kind, revision });
        report({ ...target, operation: `${revision > 0 ? `with revision #${revision}` : ''}\n${text}` });
      } catch (error) {
        errors.push(error);
      }
    }
    throwGathered(errors);
  },
});

async function describeHistory(
  ctl: Ctl,
  target: LiveTarget,
  { kind, revision }: { readonly kind: RolloutKind; readonly revision: number },
): Promise<string> {
  const revisions = await readRevisions(ctl, target, kind);
  const causeKey = ctl.dialect.label('change-cause');
  if (revisions.length === 0) return 'No rollout history found.';
  if (revision === 0)
    return formatOverview(await Promise.all(revisions.map((one) => rowOf(one, kind, causeKey))));
  const found = revisions.find((one) => one.revision === BigInt(revision));
  if (found === undefined) throw new CtlError('unable to find the specified revision');
  const template = await found.template();
  const cause = kind === 'Deployment' ? (found.annotations[causeKey] ?? '') : '';
  return describeTemplate(withCause(template, cause, causeKey), ctl.dialect);
}

/** A revision and what it was made with; empty when nobody said. */
export interface HistoryRow {
  readonly revision: bigint;
  readonly cause: string;
}

/** Of deployments, the template may say it too. */
async function rowOf(
  { revision, annotations, template }: Revision,
  kind: RolloutKind,
  causeKey: string,
): Promise<HistoryRow> {
  const cause = annotations[causeKey] ?? '';
  if (cause !== '' || kind !== 'Deployment') return { revision, cause };
  return { revision, cause: causeOf(await template(), causeKey) };
}

/** The table of revisions, with a line feed at its end. */
export function formatOverview(rows: readonly HistoryRow[]): string {
  const lines = rows.map(({ revision, cause }) => `${revision}\t${cause || '<none>'}\n`);
  return alignTabs(`REVISION\tCHANGE-CAUSE\n${lines.join('')}`);
}
