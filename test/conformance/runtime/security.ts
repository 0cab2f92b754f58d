import { readlink } from 'node:fs/promises';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import type { ContainerSecurityContext, NamespaceOptions } from '../../../src/nodeagent/runtime/index.ts';
import { usePod, useSubject } from './subject.ts';
import type { Limits, OpenRuntime } from './suite.ts';

/** Bit of a capability in `/proc/PID/status` (`linux/capability.h`). */
const capability = { chown: 0n, netAdmin: 12n, sysAdmin: 21n } as const;

const ownNamespaces: NamespaceOptions = { network: 'pod', pid: 'container', ipc: 'pod' };

/** Users, capabilities, profiles and namespaces. */
export function describeSecurity(open: OpenRuntime, { hasPrivileged }: Limits): void {
  describe('security of containers', () => {
    const subject = usePod(open);
    const run = (script: string, security: ContainerSecurityContext): Promise<string> =>
      subject().outputOf(subject().pod, script, { security: { namespaces: ownNamespaces, ...security } });
    const capabilitiesOf = async (security: ContainerSecurityContext): Promise<bigint> => {
      const line = await run('grep CapEff /proc/self/status', security);
      return BigInt(`0x${line.split('\t')[1]}`);
    };
    const has = (set: bigint, bit: bigint): boolean => ((set >> bit) & 1n) === 1n;

    it('runs as the user and groups that it is given', async () => {
      const script = 'id -u; id -g; grep Groups /proc/self/status';
      const [user, group, groups = ''] = (
        await run(script, { runAsUser: 1234, runAsGroup: 56, supplementalGroups: [78, 90] })
      ).split('\n');
      expect([user, group]).to.deep.equal(['1234', '56']);
      expect(groups.split(/\s+/)).to.include.members(['78', '90']);
    });

    it('runs as user 0 when it is told to, not only when nothing is said', async () => {
      expect(await run('id -u', { runAsUser: 0 })).to.equal('0');
    });

    it('gains and loses capabilities', async () => {
      const usual = await capabilitiesOf({});
      expect([has(usual, capability.chown), has(usual, capability.netAdmin)]).to.deep.equal([true, false]);
      const changed = await capabilitiesOf({ addCapabilities: ['NET_ADMIN'], dropCapabilities: ['CHOWN'] });
      expect(changed).to.equal((usual | (1n << capability.netAdmin)) & ~(1n << capability.chown));
      expect(await capabilitiesOf({ dropCapabilities: ['ALL'] })).to.equal(0n);
    });

    if (hasPrivileged) {
      it('may do everything when it and its pod are privileged', async () => {
        const pod = await subject().runPod({ security: { isPrivileged: true } });
        const security = { isPrivileged: true, namespaces: ownNamespaces };
        const script = 'grep CapEff /proc/self/status';
        const line = await subject().outputOf(pod, script, { security });
        expect(has(BigInt(`0x${line.split('\t')[1]}`), capability.sysAdmin)).to.equal(true);
      });
    }

    it('cannot write to its own root when that is read-only', async () => {
      const script = 'touch /x 2>/dev/null && echo written || echo refused';
      expect(await run(script, { isRootReadOnly: true })).to.equal('refused');
      expect(await run(script, {})).to.equal('written');
    });

    it('gains no privileges when it must not', async () => {
      const script = 'grep NoNewPrivs /proc/self/status';
      expect(await run(script, { noNewPrivileges: true })).to.equal('NoNewPrivs:\t1');
      expect(await run(script, { noNewPrivileges: false })).to.equal('NoNewPrivs:\t0');
    });

    it('runs under the seccomp profile that it is given', async () => {
      const script = 'grep Seccomp: /proc/self/status';
      expect(await run(script, { seccomp: { kind: 'runtime-default' } })).to.equal('Seccomp:\t2');
      expect(await run(script, { seccomp: { kind: 'unconfined' } })).to.equal('Seccomp:\t0');
    });

    it('sees masked paths empty and others read-only', async () => {
      const script = 'ls /proc/irq | wc -l; echo 1 2>/dev/null > /proc/sys/vm/swappiness || echo refused';
      const security = { maskedPaths: ['/proc/irq'], readOnlyPaths: ['/proc/sys'], isPrivileged: false };
      expect(await run(script, security)).to.match(/^0\n.*refused$/s);
    });
  });

  describe('namespaces', () => {
    const subject = useSubject(open);
    const script = 'for n in net pid ipc; do readlink /proc/self/ns/$n; done; cat /proc/1/cmdline | wc -c';

    it("are the node's own where the pod is to share them", async () => {
      const namespaces: NamespaceOptions = { network: 'node', pid: 'node', ipc: 'node' };
      const pod = await subject().runPod({ hostname: undefined, security: { namespaces } });
      const status = await subject().runtime.podSandboxStatus(pod.id);
      expect(status).to.deep.include({ ips: [], namespaces });
      const output = await subject().outputOf(pod, script, { security: { namespaces } });
      const node = await Promise.all(['net', 'pid', 'ipc'].map((name) => readlink(`/proc/self/ns/${name}`)));
      expect(output.split('\n').slice(0, 3)).to.deep.equal(node);
    });

    it('of processes are shared in the pod, or each container has one', async () => {
      const shared: NamespaceOptions = { network: 'pod', pid: 'pod', ipc: 'pod' };
      const pod = await subject().runPod({ security: { namespaces: shared } });
      const pidsOf = async (namespaces: NamespaceOptions): Promise<readonly string[]> => {
        const command = 'readlink /proc/self/ns/pid';
        const security = { namespaces };
        return [
          await subject().outputOf(pod, command, { security }),
          await subject().outputOf(pod, command, { security }),
        ];
      };
      const [one, two] = await pidsOf(shared);
      expect(one).to.equal(two);
      const own = await subject().outputOf(pod, 'cat /proc/self/stat', {
        security: { namespaces: ownNamespaces },
        command: ['cat', '/proc/self/stat'],
      });
      expect(own).to.match(/^1 /);
    });
  });
}
