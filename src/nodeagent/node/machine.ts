/** What is known of the machine; does not change while the agent runs. */
export interface Machine {
  readonly cpuCount: number;
  readonly memoryBytes: number;
  /** Processes and threads that there can be at the same time; undefined where the kernel does not say. */
  readonly maxProcesses: number | undefined;
  /** Huge pages that are set aside: bytes by size of a page, such as `2Mi`. */
  readonly hugepageBytes: ReadonlyMap<string, number>;
  readonly machineId: string;
  readonly systemUuid: string;
  readonly bootId: string;
  readonly kernelVersion: string;
  readonly osImage: string;
  /** As node objects say it, such as `amd64`. */
  readonly architecture: string;
  readonly hasSwap: boolean;
  readonly hasAppArmor: boolean;
}
