import { asJsonObject, asText, isJsonObject, type JsonObject } from '../../base/index.ts';
import { resourcePath } from '../../client/rest/index.ts';
import { parseInt64 } from '../../machinery/go-values/index.ts';
import { createTypeFinder } from '../changes/built-in-type.ts';
import { patchLocally } from '../changes/patch-locally.ts';
import type { Ctl } from '../ctl.ts';
import { selectorOf } from '../pods/selector-of.ts';
import { isWireObject, type WireObject } from '../resource/api-object.ts';
import type { LiveTarget } from '../resource/resolve-objects.ts';
import type { RolloutKind } from './rollout-kinds.ts';

/** One pod template that an object had, as its controller keeps it. */
export interface Revision {
  readonly revision: bigint;
  /** Those of the object that keeps it. */
  readonly annotations: Readonly<Record<string, string>>;
  /** What brings the object back to it: a strategic merge patch. Deployments have none. */
  readonly patch: JsonObject | undefined;
  /** @throws CtlError for a patch that does not fit */
  template(): Promise<JsonObject>;
}

/**
 * The revisions of an object: replica sets of a deployment, controller revisions of others. Each number is there once,
 * the lowest first.
 */
export async function readRevisions(
  ctl: Ctl,
  { object, namespace }: LiveTarget,
  kind: RolloutKind,
): Promise<readonly Revision[]> {
  const client = await ctl.client();
  const resource = kind === 'Deployment' ? 'replicasets' : 'controllerrevisions';
  const list = await client.json<{ items?: unknown }>({
    method: 'GET',
    path: resourcePath({ group: 'apps', version: 'v1', resource, namespace }),
    query: { labelSelector: selectorOf(object).toString() },
    signal: ctl.io.signal,
  });
  const keepers = (Array.isArray(list.items) ? list.items : [])
    .map((item) => ({ apiVersion: 'apps/v1', kind: 'Revision', ...asJsonObject(item) }))
    .filter(isWireObject)
    .filter((item) => isControlledBy(item, object));
  const revisions =
    kind === 'Deployment'
      ? keepers.flatMap((set) => fromReplicaSet(set, ctl.dialect.domain('deployment', 'revision')))
      : keepers.map((keeper) => fromControllerRevision(ctl, keeper, object));
  const byNumber = new Map(revisions.map((one) => [one.revision, one]));
  return [...byNumber.values()].sort((a, b) => (a.revision < b.revision ? -1 : 1));
}

function isControlledBy({ metadata }: WireObject, owner: WireObject): boolean {
  return (metadata.ownerReferences ?? []).some(
    ({ controller, uid }) => controller === true && uid === owner.metadata.uid,
  );
}

/** A set without a number counts as 0, one whose number makes no sense does not count. */
function fromReplicaSet({ metadata, spec }: WireObject, revisionKey: string): Revision[] {
  const annotations = metadata.annotations ?? {};
  const revision = parseInt64(annotations[revisionKey] ?? '0');
  if (revision === undefined) return [];
  const template = asJsonObject(asJsonObject(spec).template);
  return [{ revision, annotations, patch: undefined, template: async () => template }];
}

function fromControllerRevision(ctl: Ctl, keeper: WireObject, object: WireObject): Revision {
  const patch = asJsonObject(keeper.data);
  return {
    revision: BigInt(typeof keeper.revision === 'number' ? keeper.revision : 0),
    annotations: keeper.metadata.annotations ?? {},
    patch,
    template: () => templateAfter(ctl, object, patch),
  };
}

/** The pod template of an object once a strategic merge patch is applied. @throws CtlError when it does not fit */
export async function templateAfter(ctl: Ctl, object: WireObject, patch: JsonObject): Promise<JsonObject> {
  const contentType = 'application/strategic-merge-patch+json';
  const { spec } = await patchLocally(object, { contentType, body: patch }, createTypeFinder(ctl.dialect));
  return asJsonObject(asJsonObject(spec).template);
}

/** The template with the change cause of its revision among its annotations. */
export function withCause(template: JsonObject, cause: string, causeKey: string): JsonObject {
  if (cause === '') return template;
  const metadata = asJsonObject(template.metadata);
  const annotations = isJsonObject(metadata.annotations) ? metadata.annotations : {};
  return { ...template, metadata: { ...metadata, annotations: { ...annotations, [causeKey]: cause } } };
}

/** What the change was made with, by the template's annotations; empty when nobody said. */
export function causeOf(template: JsonObject, causeKey: string): string {
  return asText(asJsonObject(asJsonObject(template.metadata).annotations)[causeKey]);
}
