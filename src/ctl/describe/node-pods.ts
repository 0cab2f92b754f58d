import { asJsonObject } from '../../base/index.ts';
import {
  addQuantities,
  formatQuantity,
  integerQuantity,
  parseQuantity,
  type Quantity,
  QuantityError,
  quantitySign,
  quantityValue,
} from '../../machinery/values/index.ts';
import { formatAge } from '../printers/human-duration.ts';
import type { DescribeContext } from './describer.ts';
import { asRecords, shownText } from './report.ts';

type Fields = Readonly<Record<string, unknown>>;
type Side = 'requests' | 'limits';

/** What every node has, and pages of memory; others are counted without a share. */
const standardResource = /^(?:cpu|memory|ephemeral-storage|pods|hugepages-.*)$/;

const zero = integerQuantity(0);

/** Writes the pods on a node that have not ended, and what they have asked for of what the node can give. */
export async function describeNodePods({ ctl, object, report, nowMs }: DescribeContext): Promise<void> {
  const client = await ctl.client();
  const selector = `spec.nodeName=${object.metadata.name},status.phase!=Failed,status.phase!=Succeeded`;
  const list = await client.json<{ items?: unknown }>({
    method: 'GET',
    path: '/api/v1/pods',
    query: { fieldSelector: selector },
    signal: ctl.io.signal,
  });
  const pods = asRecords(list.items);
  const status = asJsonObject(object.status);
  const allocatable = asJsonObject(status.allocatable ?? status.capacity);
  const show = (owner: readonly Fields[], resource: string, side: Side, ofNothing = '0') =>
    formatShare(sumPods(owner, resource, side), readQuantity(allocatable[resource]), ofNothing);
  const ofNothing = report.isRelease ? infiniteShare : '0';

  report.line(0, `Non-terminated Pods:\t(${pods.length} in total)`);
  report.line(1, 'Namespace\tName\t\tCPU Requests\tCPU Limits\tMemory Requests\tMemory Limits\tAGE');
  report.line(1, '---------\t----\t\t------------\t----------\t---------------\t-------------\t---');
  for (const pod of pods) {
    const metadata = asJsonObject(pod.metadata);
    const shares = ['cpu', 'memory'].flatMap((resource) => [
      show([pod], resource, 'requests', ofNothing),
      show([pod], resource, 'limits', ofNothing),
    ]);
    const age = formatAge(metadata.creationTimestamp, nowMs);
    report.line(1, [metadata.namespace, metadata.name, '', ...shares, age].map(shownText).join('\t'));
  }
  report.line(0, 'Allocated resources:');
  report.line(1, '(Total limits may be over 100 percent, i.e., overcommitted.)');
  report.line(1, 'Resource\tRequests\tLimits');
  report.line(1, '--------\t--------\t------');
  for (const resource of ['cpu', 'memory', 'ephemeral-storage']) {
    report.row(1, [resource, show(pods, resource, 'requests'), show(pods, resource, 'limits')]);
  }
  const others = Object.keys(allocatable).sort();
  for (const resource of others.filter((name) => name.startsWith('hugepages-'))) {
    report.row(1, [resource, show(pods, resource, 'requests'), show(pods, resource, 'limits')]);
  }
  for (const resource of others.filter((name) => !standardResource.test(name))) {
    const sum = (side: Side) => formatQuantity(sumPods(pods, resource, side));
    report.row(1, [resource, sum('requests'), sum('limits')]);
  }
}

function sumPods(pods: readonly Fields[], resource: string, side: Side): Quantity {
  return pods.map((pod) => sumPod(asJsonObject(pod.spec), resource, side)).reduce(addQuantities, zero);
}

/**
 * Containers run together; of those that run before them, one after another, the largest counts. What the pod itself costs comes on
 * top, of limits only where there are any.
 */
function sumPod(spec: Fields, resource: string, side: Side): Quantity {
  const amounts = (containers: unknown) =>
    asRecords(containers).map((container) =>
      readQuantity(asJsonObject(asJsonObject(container.resources)[side])[resource]),
    );
  const together = amounts(spec.containers).reduce(addQuantities, zero);
  const sum = amounts(spec.initContainers).reduce(
    (largest, amount) => (quantityValue(amount, -3) > quantityValue(largest, -3) ? amount : largest),
    together,
  );
  if (side === 'limits' && quantitySign(sum) === 0) return sum;
  return addQuantities(sum, readQuantity(asJsonObject(spec.overhead)[resource]));
}

/** What release 1.20 shows for a pod's share of nothing. */
const infiniteShare = '-9223372036854775808';

function formatShare(amount: Quantity, whole: Quantity, ofNothing: string): string {
  const wholeMillis = quantityValue(whole, -3);
  // In doubles, as release 1.20 does it: 290m of 1 are 28 percent.
  const share = Number(quantityValue(amount, -3)) / Number(wholeMillis);
  const percent = wholeMillis === 0n ? ofNothing : Math.trunc(share * 100);
  return `${formatQuantity(amount)} (${percent}%)`;
}

/** A node or a pod may say anything: what is no quantity counts as none. */
function readQuantity(value: unknown): Quantity {
  try {
    return typeof value === 'string' ? parseQuantity(value) : zero;
  } catch (error) {
    if (error instanceof QuantityError) return zero;
    throw error;
  }
}
