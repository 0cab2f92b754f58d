import { type Change, changeQuery } from '../changes/reporter.ts';
import type { Ctl } from '../ctl.ts';
import type { DryRun } from '../options/shared.ts';
import { formatCompactJson } from '../printers/json.ts';
import type { WireObject } from '../resource/api-object.ts';
import { type Target, targetPath } from '../resource/target.ts';

/** How an annotation is written. */
export interface LastAppliedWrite {
  readonly dryRun: DryRun;
  /** By default the server takes the program's name. */
  readonly fieldManager?: string | undefined;
}

/** Makes `configuration` what the live object was applied from; nothing else changes. @throws StatusError */
export async function writeLastApplied(
  ctl: Ctl,
  target: Target,
  configuration: WireObject,
  { dryRun, fieldManager }: LastAppliedWrite,
): Promise<Change['object']> {
  const client = await ctl.client();
  const annotations = { [ctl.dialect.lastAppliedAnnotation]: `${formatCompactJson(configuration)}\n` };
  return client.json({
    method: 'PATCH',
    path: targetPath(target),
    contentType: 'application/merge-patch+json',
    query: changeQuery(fieldManager ?? '', dryRun),
    body: { metadata: { annotations } },
    signal: ctl.io.signal,
  });
}

/** An object of a file without an older copy of itself. */
export function withoutLastApplied(object: WireObject, annotation: string): WireObject {
  const { annotations } = object.metadata;
  if (annotations === undefined || !Object.hasOwn(annotations, annotation)) return object;
  const { [annotation]: _, ...others } = annotations;
  return { ...object, metadata: { ...object.metadata, annotations: others } };
}
