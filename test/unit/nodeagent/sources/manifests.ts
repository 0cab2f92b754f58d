import type { Pod } from '../../../../src/apis/types/core-v1.ts';
import { orchDialect as dialect } from '../../../../src/machinery/dialect.ts';
import { loadManifestDecoder, type ManifestDecoder } from '../../../../src/nodeagent/sources/index.ts';

/** A decoder for `node1`, without features. */
export function nodeDecoder(nodeName = 'node1'): Promise<ManifestDecoder> {
  return loadManifestDecoder({ dialect, nodeName, gates: new Set() });
}

/** A small manifest with the name, `rest` further lines of it. */
export function manifest(name: string, rest = ''): string {
  return [
    'apiVersion: v1',
    'kind: Pod',
    `metadata: {name: ${name}}`,
    'spec: {containers: [{name: c, image: "localhost/busybox:1"}]}',
    rest,
  ].join('\n');
}

/** Names of pods, sorted. */
export function namesOf(pods: readonly Pod[]): string[] {
  return pods.map(({ metadata }) => metadata.name ?? '').sort();
}
