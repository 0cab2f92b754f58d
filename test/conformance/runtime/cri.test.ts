import { after, before, describe } from 'mocha';
import { type ApiVersion, createCriRuntime } from '../../../src/nodeagent/cri/index.ts';
import { type Containerd, startContainerd } from '../../support/containerd.ts';
import { requireContainerd } from '../../support/require-containerd.ts';
import { describeRuntime } from './suite.ts';

describe('containerd', () => {
  let containerd: Containerd | undefined;
  const started = (): Containerd => {
    if (containerd === undefined) throw new Error('used before the tests have begun');
    return containerd;
  };

  requireContainerd();
  before(async () => {
    containerd = await startContainerd();
  });
  after(() => containerd?.[Symbol.asyncDispose]());

  const drivers: readonly [name: string, version: ApiVersion, address: 'endpoint' | 'tcpEndpoint'][] = [
    ['v1 over a unix socket', 'v1', 'endpoint'],
    ['v1alpha2 over TCP', 'v1alpha2', 'tcpEndpoint'],
  ];
  for (const [name, version, address] of drivers) {
    describeRuntime(name, () => ({
      ...started(),
      openDriver: ({ requestTimeoutMs }) =>
        createCriRuntime({ endpoint: started()[address], requestTimeoutMs, apiVersions: [version] }),
    }));
  }
});
