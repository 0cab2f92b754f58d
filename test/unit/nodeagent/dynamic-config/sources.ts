import type { ConfigSource } from '../../../../src/nodeagent/dynamic-config/index.ts';

/** A version of a ConfigMap. */
export const source = (parts: Partial<ConfigSource> = {}): ConfigSource => ({
  namespace: 'ns',
  name: 'map',
  key: 'main',
  uid: 'u',
  resourceVersion: '7',
  ...parts,
});
