import { formatQuantity, integerQuantity } from '../../machinery/values/index.ts';
import { type CapacityInputs, reservedAmounts } from './capacity.ts';
import { storageSize } from './storage-size.ts';

/** The machine and the reservations whose sum must not exceed its capacity. */
export interface CheckAllocatableOptions extends Pick<CapacityInputs, 'machine'> {
  readonly config: CapacityInputs['config'] & { readonly rootDir: string };
}

/** The error message when reservations exceed the capacity of this machine; undefined otherwise. */
export async function checkAllocatable({
  machine,
  config,
}: CheckAllocatableOptions): Promise<string | undefined> {
  const storageBytes = await storageSize(config.rootDir);
  const reserved = reservedAmounts({ machine, config, storageBytes });
  const format = (amount: number, scale: number): string =>
    scale === 0
      ? formatQuantity(integerQuantity(BigInt(amount), 'BinarySI'))
      : formatQuantity({ unscaled: BigInt(amount), scale, format: 'DecimalSI' });
  const amounts = [
    { name: 'cpu', capacity: machine.cpuCount * 1000, reserved: reserved.cpuMillis, scale: -3 },
    { name: 'memory', capacity: machine.memoryBytes, reserved: reserved.memoryBytes, scale: 0 },
    // The size is unknown while the folder does not exist.
    ...(config.features.LocalStorageCapacityIsolation && storageBytes > 0
      ? [{ name: 'ephemeral-storage', capacity: storageBytes, reserved: reserved.storageBytes, scale: 0 }]
      : []),
  ];
  const problems = amounts
    .filter((one) => one.reserved > one.capacity)
    .map(({ name, capacity, reserved: kept, scale }) => {
      const left = format(capacity - kept, scale);
      return `Resource "${name}" has an allocatable of ${left}, capacity of ${format(capacity, scale)}`;
    });
  return problems.length === 0 ? undefined : `invalid Node Allocatable configuration. ${problems.join(' ')}`;
}
