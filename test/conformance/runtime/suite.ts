import { describe } from 'mocha';
import type { ContainerRuntime } from '../../../src/nodeagent/runtime/index.ts';
import { describeAbsence } from './absence.ts';
import { describeConfiguration } from './configuration.ts';
import { describeContainers } from './containers.ts';
import { describeDisturbance } from './disturbance.ts';
import { describeExec } from './exec.ts';
import { describeImages } from './images.ts';
import { describePodSandboxes } from './pod-sandboxes.ts';
import { describeResources } from './resources.ts';
import { describeSecurity } from './security.ts';
import { describeStats } from './stats.ts';

/** A real runtime that tests may start and stop, with the images of `test/support`. */
export interface RuntimeUnderTest {
  /** Makes a driver; the suite closes it. */
  openDriver(options: { readonly requestTimeoutMs: number }): ContainerRuntime;
  /** Folder for logs and mounts; whoever opened the runtime removes it. */
  readonly folder: string;
  /** Control group for the pods. */
  readonly cgroupParent: string;
  /** Ends the runtime as a crash would; containers run on. */
  kill(): Promise<void>;
  /** Starts it again and waits until it answers. */
  start(): Promise<void>;
  /** Lets it hang: connections stay, nothing is answered. */
  pause(): void;
  resume(): void;
  /** Puts all test images back. */
  importImages(): Promise<void>;
}

/** Gives the runtime; asked once per area, and always the same one. */
export type OpenRuntime = () => RuntimeUnderTest;

/** What a runtime cannot do on this machine. */
export interface Limits {
  /** Whether containers can be privileged: some runtimes ask for capabilities that not even root has everywhere. */
  readonly hasPrivileged: boolean;
}

/** Everything that the runtime contract promises, for one driver and a real runtime. */
export function describeRuntime(
  name: string,
  open: OpenRuntime,
  limits: Limits = { hasPrivileged: true },
): void {
  describe(`runtime contract: ${name}`, () => {
    describePodSandboxes(open);
    describeContainers(open);
    describeConfiguration(open);
    describeExec(open);
    describeSecurity(open, limits);
    describeResources(open);
    describeStats(open);
    describeImages(open);
    describeAbsence(open);
    describeDisturbance(open);
  });
}
