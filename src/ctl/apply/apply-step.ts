import { formatKind } from '../../machinery/schema/index.ts';
import { formatCompactJson } from '../printers/json.ts';
import type { ApplyRun } from './run.ts';

/** What apply was doing to an object when that failed: `creating` in `error when creating "web.yaml": ...`. */
export class ApplyStepError extends Error {
  readonly step: string;

  constructor(step: string, cause: unknown) {
    super(`error when ${step}`, { cause });
    this.step = step;
  }
}

/** The live object could not be read. */
export function readingError(run: ApplyRun, cause: unknown): ApplyStepError {
  const step = `retrieving current configuration of:\n${describeTarget(run)}\nfrom server for:`;
  return new ApplyStepError(inWordsOf(run, step), cause);
}

/** The live object could not be patched. */
export function patchingError(run: ApplyRun, patch: unknown, cause: unknown): ApplyStepError {
  const step = `applying patch:\n${formatCompactJson(patch)}\nto:\n${describeTarget(run)}\nfor:`;
  return new ApplyStepError(inWordsOf(run, step), cause);
}

/** The words of release 1.20 where its dialect is spoken, short ones otherwise. */
const inWordsOf = ({ ctl }: ApplyRun, step: string): string =>
  ctl.dialect.name === 'kubernetes' ? step : 'applying';

function describeTarget({ target: { resource, name, namespace } }: ApplyRun): string {
  const { group, version } = resource;
  return `Resource: "${group}/${version}, Resource=${resource.name}", GroupVersionKind: "${formatKind(resource)}"
Name: ${JSON.stringify(name)}, Namespace: ${JSON.stringify(namespace)}`;
}
