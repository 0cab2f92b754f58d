import { asJsonObject } from '../../base/index.ts';
import {
  type LabelSelector,
  type LabelSelectorObject,
  labelSelectorFromObject,
  labelSelectorFromSet,
  SelectorError,
} from '../../machinery/selectors/index.ts';
import { CtlError } from '../errors.ts';
import type { WireObject } from '../resource/api-object.ts';

/** Kinds whose `spec.selector` is a selector object, and the groups that have them. */
const withSelectorObject: ReadonlyMap<string, readonly string[]> = new Map([
  ['DaemonSet', ['apps', 'extensions']],
  ['Deployment', ['apps', 'extensions']],
  ['ReplicaSet', ['apps', 'extensions']],
  ['StatefulSet', ['apps']],
  ['Job', ['batch']],
]);

/**
 * The selector of the pods that belong to an object.
 *
 * @throws CtlError for objects that have no pods.
 */
export function selectorOf(object: WireObject): LabelSelector {
  const [, group = ''] = object.apiVersion.split('/').reverse();
  const { selector } = asJsonObject(object.spec);
  try {
    if (withSelectorObject.get(object.kind)?.includes(group)) {
      return labelSelectorFromObject(selector as LabelSelectorObject | undefined); // what the API says of these kinds
    }
    if (group === '' && (object.kind === 'Service' || object.kind === 'ReplicationController')) {
      return labelSelectorFromSet(requireLabels(object, selector));
    }
  } catch (error) {
    if (error instanceof SelectorError) throw new CtlError(`invalid label selector: ${error.message}`);
    throw error;
  }
  throw new CtlError(`selector for ${typeInMessages(object)} not implemented`);
}

/** How the client of release 1.20 calls the type of an object. */
export function typeInMessages({ apiVersion, kind }: WireObject): string {
  return `*${apiVersion.slice(apiVersion.lastIndexOf('/') + 1)}.${kind}`;
}

function requireLabels({ kind, metadata }: WireObject, selector: unknown): Readonly<Record<string, string>> {
  const labels = asJsonObject(selector) as Readonly<Record<string, string>>; // what the API says of these kinds
  if (kind === 'Service' && Object.keys(labels).length === 0) {
    throw new CtlError(`invalid service '${metadata.name}': Service is defined without a selector`);
  }
  return labels;
}
