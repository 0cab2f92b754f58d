import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import { eventually } from '../../support/eventually.ts';
import { usePod } from './subject.ts';
import type { OpenRuntime } from './suite.ts';

/** What containers see: arguments, environment, files, devices, names and the network. */
export function describeConfiguration(open: OpenRuntime): void {
  describe('configuration of containers', () => {
    const dns = {
      servers: ['192.0.2.53'],
      searches: ['a.example.test', 'example.test'],
      options: ['ndots:5'],
    };
    const subject = usePod(open, { dns, hostname: 'some-host', sysctls: { 'net.ipv4.ip_forward': '1' } });

    it("gets arguments, working directory and environment beside the image's own", async () => {
      const output = await subject().outputOf(subject().pod, '', {
        command: ['sh', '-c', 'echo $0 $1; pwd; echo "$FROM_IMAGE $A $B"'],
        args: ['zero', 'one two'],
        workingDirectory: '/www',
        environment: [
          { name: 'A', value: 'a=b "c"' },
          { name: 'B', value: '' },
        ],
      });
      expect(output.split('\n')).to.deep.equal(['zero one two', '/www', 'yes a=b "c" ']);
    });

    it('sees folders and files of the node, and writes where it may', async () => {
      const folder = join(subject().target.folder, 'mounted');
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, 'file'), 'from the node');
      const mount = { hostPath: folder, relabelsSelinux: false, propagation: 'private' } as const;
      const mounts = [
        { ...mount, containerPath: '/data', isReadOnly: false },
        { ...mount, containerPath: '/fixed', isReadOnly: true },
        { ...mount, containerPath: '/etc/one', hostPath: join(folder, 'file'), isReadOnly: true },
      ];
      const script =
        'cat /data/file /etc/one; echo; echo back > /data/answer; touch /fixed/x 2>&1 || echo refused';
      const output = await subject().outputOf(subject().pod, script, { mounts });
      expect(output).to.match(/^from the nodefrom the node\n.*Read-only.*\nrefused$/s);
      expect(await readFile(join(folder, 'answer'), 'utf8')).to.equal('back\n');
      const id = await subject().create(subject().pod, { mounts });
      expect((await subject().status(id)).mounts).to.deep.include.members(mounts);
    });

    it('uses devices of the node', async () => {
      const devices = [{ hostPath: '/dev/zero', containerPath: '/dev/nought', permissions: 'rwm' }];
      const script = 'head -c 3 /dev/nought | wc -c';
      expect(await subject().outputOf(subject().pod, script, { devices })).to.equal('3');
    });

    it('has the name, resolver and kernel parameters of the pod', async () => {
      const script = 'hostname; cat /etc/resolv.conf /proc/sys/net/ipv4/ip_forward';
      expect((await subject().outputOf(subject().pod, script)).split('\n')).to.deep.equal([
        'some-host',
        'search a.example.test example.test',
        'nameserver 192.0.2.53',
        'options ndots:5',
        '1',
      ]);
    });

    it('answers on the address of its pod', async () => {
      const { pod, runtime } = subject();
      const script = 'echo hello > /www/index.html; exec httpd -f -p 8080 -h /www';
      await subject().start(pod, { command: ['sh', '-c', script] });
      const [ip] = (await runtime.podSandboxStatus(pod.id))?.ips ?? [];
      const text = await eventually(() =>
        fetch(`http://${ip}:8080/`, { signal: AbortSignal.timeout(2000) }).then(
          (response) => response.text(),
          () => undefined,
        ),
      );
      expect(text).to.equal('hello\n');
    });

    it('shares the network of its pod with the other containers', async () => {
      const { pod } = subject();
      const [one, two] = [
        await subject().outputOf(pod, 'readlink /proc/self/ns/net'),
        await subject().outputOf(pod, 'readlink /proc/self/ns/net'),
      ];
      expect(one).to.match(/^net:/).and.to.equal(two);
    });
  });
}
