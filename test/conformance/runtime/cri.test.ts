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

  const versions: readonly ApiVersion[] = ['v1', 'v1alpha2'];
  for (const version of versions) {
    describeRuntime(version, () => ({
      ...started(),
      openDriver: ({ requestTimeoutMs }) =>
        createCriRuntime({ endpoint: started().endpoint, requestTimeoutMs, apiVersions: [version] }),
    }));
  }
});
