import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import {
  writeContainerNamespaces,
  writeSandboxNamespaces,
  writeSecurityOptions,
  writeUser,
} from '../../../../src/nodeagent/legacyrt/security-options.ts';
import type { ContainerSecurityContext } from '../../../../src/nodeagent/runtime/index.ts';
import { makeTemporaryDirectory } from '../../../support/temporary-directory.ts';

describe('writeSecurityOptions', () => {
  const cases: readonly (readonly [
    what: string,
    security: ContainerSecurityContext,
    options: readonly string[],
  ])[] = [
    ['nothing', {}, ['seccomp=unconfined']],
    [
      'the default profiles',
      { seccomp: { kind: 'runtime-default' }, apparmor: { kind: 'runtime-default' } },
      [],
    ],
    [
      'no confinement',
      { seccomp: { kind: 'unconfined' }, apparmor: { kind: 'unconfined' } },
      ['seccomp=unconfined', 'apparmor=unconfined'],
    ],
    [
      'a loaded profile',
      { seccomp: { kind: 'runtime-default' }, apparmor: { kind: 'localhost', reference: 'mine' } },
      ['apparmor=mine'],
    ],
    ['privileges', { isPrivileged: true, noNewPrivileges: true }, ['no-new-privileges']],
    [
      'labels',
      { seccomp: { kind: 'runtime-default' }, selinux: { user: 'u', type: 't', level: 's0:c1', role: '' } },
      ['label=user:u', 'label=type:t', 'label=level:s0:c1'],
    ],
  ];
  for (const [what, security, options] of cases) {
    it(`of ${what}`, async () => expect(await writeSecurityOptions('Call', security)).to.deep.equal(options));
  }

  it('hold a profile of the node', async () => {
    await using folder = await makeTemporaryDirectory();
    const reference = join(folder.path, 'profile.json');
    await writeFile(reference, '{ "defaultAction": "SCMP_ACT_ALLOW" }\n');
    const options = await writeSecurityOptions('Call', { seccomp: { kind: 'localhost', reference } });
    expect(options).to.deep.equal(['seccomp={"defaultAction":"SCMP_ACT_ALLOW"}']);
    const absent = { seccomp: { kind: 'localhost', reference: join(folder.path, 'none') } } as const;
    const failure = await writeSecurityOptions('Call', absent).catch((error: unknown) => error);
    expect(failure).to.have.property('code', 'invalid');
  });
});

describe('writeUser', () => {
  it('gives user and group', () => {
    expect(writeUser('Call', {})).to.equal('');
    expect(writeUser('Call', { runAsUser: 0 })).to.equal('0');
    expect(writeUser('Call', { runAsUser: 5, runAsGroup: 6 })).to.equal('5:6');
    expect(writeUser('Call', { runAsUsername: 'app', runAsGroup: 6 })).to.equal('app:6');
    expect(() => writeUser('Call', { runAsGroup: 6 })).to.throw('runAsGroup');
  });
});

describe('namespaces', () => {
  it('of sandboxes are their own or those of the node', () => {
    expect(writeSandboxNamespaces()).to.deep.equal({ PidMode: '', IpcMode: 'shareable' });
    const node = { network: 'node', pid: 'node', ipc: 'node' } as const;
    expect(writeSandboxNamespaces(node)).to.deep.equal({ PidMode: 'host', IpcMode: 'host' });
  });

  it('of containers are those of their sandbox, but for processes', () => {
    const ofSandbox = { NetworkMode: 'container:s', UTSMode: '', IpcMode: 'container:s' };
    expect(writeContainerNamespaces('s')).to.deep.equal({ ...ofSandbox, PidMode: '' });
    const base = { network: 'pod', ipc: 'pod' } as const;
    expect(writeContainerNamespaces('s', { ...base, pid: 'pod' }).PidMode).to.equal('container:s');
    expect(writeContainerNamespaces('s', { ...base, pid: 'target', targetId: 't' }).PidMode).to.equal(
      'container:t',
    );
    const node = writeContainerNamespaces('s', { network: 'node', pid: 'node', ipc: 'node' });
    expect(node).to.deep.equal({
      NetworkMode: 'container:s',
      UTSMode: 'host',
      IpcMode: 'host',
      PidMode: 'host',
    });
  });
});
