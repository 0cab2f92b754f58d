import type { Container, Pod, ResourceFieldSelector } from '../../apis/types/core-v1.ts';
import { ownValue } from '../../base/index.ts';
import { parseQuantity, quantitySign, quantityValue } from '../../machinery/values/index.ts';
import { ContainerConfigError } from './config-error.ts';

/** What a `resourceFieldRef` is resolved against. */
export interface ResourceFieldOptions {
  readonly pod: Pod;
  /** Container that is meant when the selector names none. */
  readonly container: Container;
  /** What pods may use on the node; limits that a container leaves out. */
  readonly allocatable: Readonly<Record<string, string>>;
}

/** Resources that are counted, and whether those left out are limited by what the node has. */
const isLimitedByNode: ReadonlyMap<string, boolean> = new Map([
  ['cpu', true],
  ['memory', true],
  ['ephemeral-storage', true],
]);

/**
 * An amount that a container asks for or may use, such as `limits.cpu`, in multiples of the divisor, rounded up.
 *
 * @throws ContainerConfigError for an unknown resource or container.
 */
export function extractResourceField(selector: ResourceFieldSelector, options: ResourceFieldOptions): string {
  const { resources } = findContainer(selector, options);
  const dot = selector.resource.indexOf('.');
  const [list, name] = [selector.resource.slice(0, dot), selector.resource.slice(dot + 1)];
  if ((list !== 'limits' && list !== 'requests') || !isSupported(name)) {
    throw new ContainerConfigError(`unsupported container resource : ${selector.resource}`);
  }
  const own = ownValue(resources[list], name);
  const isDefaulted = list === 'limits' && isLimitedByNode.get(name) === true && isNothing(own);
  const amount = isDefaulted ? ownValue(options.allocatable, name) : own;
  // Thousandths of CPUs are counted, whole bytes of all else.
  return divide(amount ?? '0', selector.divisor, name === 'cpu' ? -3 : 0);
}

const isSupported = (name: string): boolean => isLimitedByNode.has(name) || name.startsWith('hugepages-');

const isNothing = (amount: string | undefined): boolean =>
  amount === undefined || quantitySign(parseQuantity(amount)) === 0;

function findContainer(
  { containerName = '' }: ResourceFieldSelector,
  options: ResourceFieldOptions,
): Container {
  if (containerName === '') return options.container;
  const { containers, initContainers = [] } = options.pod.spec;
  const found = [...(containers ?? []), ...initContainers].find(({ name }) => name === containerName);
  if (found === undefined) throw new ContainerConfigError(`container ${containerName} not found`);
  return found;
}

function divide(amount: string, divisor: string | undefined, scale: number): string {
  const by = divisor === undefined || isNothing(divisor) ? '1' : divisor;
  const units = quantityValue(parseQuantity(by), scale);
  const value = quantityValue(parseQuantity(amount), scale);
  return `${(value + units - 1n) / units}`;
}
