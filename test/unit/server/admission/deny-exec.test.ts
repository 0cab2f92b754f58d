import { expect } from 'chai';
import type { AdmissionOperation } from '../../../../src/registry/index.ts';
import { pod, run, write } from './fixtures.ts';

describe('plugins that keep commands out of pods', () => {
  const rights = [{ name: 'c', securityContext: { privileged: true } }];
  const privileged = { containers: rights };
  const texts = {
    network: 'cannot exec into or attach to a container using host network',
    pid: 'cannot exec into or attach to a container using host pid',
    ipc: 'cannot exec into or attach to a container using host ipc',
    privileged: 'cannot exec into or attach to a privileged container',
  };
  const cases: readonly (readonly [plugin: string, spec: object, subresource: string, text?: string])[] = [
    ['DenyEscalatingExec', {}, 'exec'],
    ['DenyEscalatingExec', { hostPID: true }, 'exec', texts.pid],
    ['DenyEscalatingExec', { hostIPC: true }, 'attach', texts.ipc],
    ['DenyEscalatingExec', privileged, 'exec', texts.privileged],
    ['DenyEscalatingExec', { initContainers: rights }, 'exec', texts.privileged],
    ['DenyEscalatingExec', { ephemeralContainers: rights }, 'attach', texts.privileged],
    ['DenyEscalatingExec', { hostNetwork: true, hostPID: true }, 'exec', texts.network],
    ['DenyEscalatingExec', { hostPID: true }, 'portforward'],
    ['DenyExecOnPrivileged', privileged, 'attach', texts.privileged],
    ['DenyExecOnPrivileged', { initContainers: rights }, 'exec', texts.privileged],
    ['DenyExecOnPrivileged', { hostNetwork: true, hostPID: true, hostIPC: true }, 'exec'],
    ['DenyExecOnPrivileged', privileged, 'log'],
  ];
  for (const [plugin, spec, subresource, text] of cases) {
    it(`${plugin}: ${subresource} of ${JSON.stringify(spec)} is ${text === undefined ? 'let in' : 'refused'}`, async () => {
      const operation: AdmissionOperation = 'CONNECT';
      const connection = write({ operation, subresource, name: 'p', namespace: 'default' });
      const refused = await run(connection, { plugins: [plugin], objects: { '/pods': [pod(spec)] } });
      expect(refused?.message).to.equal(text && `pods "p" is forbidden: ${text}`);
    });
  }

  it('refuse a pod that is not there', async () => {
    const connection = write({ operation: 'CONNECT', subresource: 'exec', name: 'p', namespace: 'default' });
    const refused = await run(connection, { plugins: ['DenyEscalatingExec'] });
    expect([refused?.code, refused?.message]).to.deep.equal([
      403,
      'pods "p" is forbidden: pods "p" not found',
    ]);
  });
});
