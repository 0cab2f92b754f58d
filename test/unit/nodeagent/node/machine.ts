import type { Machine } from '../../../../src/nodeagent/node/index.ts';

/** The machine that amounts in these tests were recorded on. */
export const machine: Machine = {
  cpuCount: 2,
  memoryBytes: 24_684_084 * 1024,
  maxProcesses: 32_768,
  hugepageBytes: new Map([
    ['2Mi', 0],
    ['1Gi', 0],
  ]),
  machineId: 'm-id',
  systemUuid: 's-id',
  bootId: 'b-id',
  kernelVersion: '6.1.0',
  osImage: 'Debian',
  architecture: 'amd64',
  hasSwap: false,
  hasAppArmor: false,
};

/** Size of its file system. */
export const storageBytes = 264_212_084 * 1024;
