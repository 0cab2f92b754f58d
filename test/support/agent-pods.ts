import type { Container, PodSpec } from '../../src/apis/types/core-v1.ts';
import { testImages } from './containerd-images.ts';

/** A container of the test image that runs a shell script. */
export function shellContainer(name: string, script: string, more: Partial<Container> = {}): object {
  return { name, image: testImages.busybox, command: ['sh', '-c', script], ...more };
}

/** What a container of a pod does until it is asked to end, which it does at once. */
export const untilAsked = "trap 'exit 0' TERM; while :; do sleep 1000 & wait $!; done";

export interface ManifestOptions {
  readonly name: string;
  readonly namespace: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  /** Specification but for its containers, which take one second to end. */
  readonly spec?: Partial<PodSpec>;
}

/** A pod of such containers. */
export function podManifest(
  { name, namespace, labels, annotations, spec }: ManifestOptions,
  containers: readonly object[],
): object {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace, labels, annotations },
    spec: { terminationGracePeriodSeconds: 1, ...spec, containers },
  };
}
