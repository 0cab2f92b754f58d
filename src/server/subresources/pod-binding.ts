import { assertUsableBinding, bindPod } from '../../apis/core/index.ts';
import type { Binding, Pod } from '../../apis/types/core-v1.ts';
import { badRequest } from '../../machinery/errors/index.ts';
import { ruleContextOf, type ServedKind, updateObject } from '../../registry/index.ts';
import type { NegotiatedEndpoint, SubresourceHandler } from '../handlers/endpoint.ts';
import { readObject } from '../handlers/read-object.ts';
import { writeOptions } from '../handlers/write-options.ts';
import type { Exchange } from '../request/exchange.ts';
import { parseWriteQuery } from '../request/options.ts';
import { admitCreation } from './admit-creation.ts';
import { writeCreated } from './write-value.ts';

const bindingKind = { group: '', version: 'v1', kind: 'Binding' };

/** POST to `pods/NAME/binding`: assigns the pod to a node. */
export const handlePodBinding: SubresourceHandler = (exchange, endpoint) =>
  createBinding(exchange, endpoint, { pods: endpoint.served, podName: exchange.info.name });

/**
 * Binds the pod that the request's body names. Without `podName` the binding's own name says which one.
 *
 * @throws StatusError BadRequest, Conflict or NotFound with release 1.20's texts.
 */
export async function createBinding(
  exchange: Exchange,
  endpoint: NegotiatedEndpoint,
  { pods, podName }: { readonly pods: ServedKind; readonly podName?: string },
): Promise<void> {
  const { context } = endpoint;
  const query = parseWriteQuery(exchange.query, 'CreateOptions', context.metaGroup);
  const object = await readObject(exchange, context, bindingKind);
  const options = writeOptions(exchange, context, query);
  await admitCreation(exchange, endpoint, { kind: bindingKind, object, query });
  // Decoded as just this kind.
  const binding = object as unknown as Binding;
  const name = podName ?? binding.metadata.name ?? '';
  assertUsableBinding(binding, name);
  if (name === '') throw badRequest('Name parameter required.');
  await updateObject(pods, {
    namespace: exchange.info.namespace,
    name,
    subresource: 'binding',
    rules: {},
    manager: '',
    change: {
      kind: 'edit',
      edit(pod) {
        bindPod(pod as Pod, binding, ruleContextOf(pods, { user: exchange.user })); // pods are stored under this resource
        return pod;
      },
    },
    isAdmitted: true,
    options,
  });
  writeCreated(exchange, endpoint);
}
