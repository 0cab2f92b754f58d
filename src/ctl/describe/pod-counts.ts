import { asJsonObject } from '../../base/index.ts';
import { labelSelectorFromObject } from '../../machinery/selectors/index.ts';
import type { DescribeContext } from './describer.ts';
import { asRecords } from './report.ts';

/** `1 Running / 0 Waiting / 0 Succeeded / 0 Failed`: the pods of this object. @throws as `RestClient.json` */
export async function countPods({ ctl, object }: DescribeContext): Promise<string> {
  const { namespace = '', uid } = object.metadata;
  const selector = asJsonObject(asJsonObject(object.spec).selector);
  // A replication controller's selector is a plain map of labels.
  const isPlain = selector.matchLabels === undefined && selector.matchExpressions === undefined;
  const client = await ctl.client();
  const list = await client.json<{ items?: unknown }>({
    method: 'GET',
    path: `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods`,
    query: {
      labelSelector: labelSelectorFromObject(
        isPlain ? { matchLabels: asTexts(selector) } : selector,
      ).toString(),
    },
    signal: ctl.io.signal,
  });
  const phases = asRecords(list.items)
    .filter(({ metadata }) =>
      asRecords(asJsonObject(metadata).ownerReferences).some(
        (owner) => owner.controller === true && owner.uid === uid,
      ),
    )
    .map(({ status }) => asJsonObject(status).phase);
  const count = (phase: string) => phases.filter((found) => found === phase).length;
  return `${count('Running')} Running / ${count('Pending')} Waiting / ${count('Succeeded')} Succeeded / ${count('Failed')} Failed`;
}

function asTexts(map: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, String(value)]));
}
