import { expect } from 'chai';
import { before, describe, it } from 'mocha';
import { codeOf, usePod } from './subject.ts';
import type { OpenRuntime } from './suite.ts';

/** Commands in running containers, and the addresses of streams. */
export function describeExec(open: OpenRuntime): void {
  describe('commands in containers', () => {
    const subject = usePod(open);
    let containerId: string;

    before(async () => {
      containerId = await subject().start(subject().pod, { environment: [{ name: 'HERE', value: 'yes' }] });
    });

    it('give both streams and the exit code', async () => {
      const script = 'echo "out $HERE"; echo err >&2; exit 3';
      const result = await subject().runtime.execSync({ containerId, command: ['sh', '-c', script] });
      expect(result.exitCode).to.equal(3);
      expect(Buffer.from(result.stdout).toString()).to.equal('out yes\n');
      expect(Buffer.from(result.stderr).toString()).to.equal('err\n');
    });

    it('give bytes as they are', async () => {
      const command = ['sh', '-c', String.raw`printf '\000\377\n\200'`];
      const { stdout } = await subject().runtime.execSync({ containerId, command });
      expect([...stdout]).to.deep.equal([0, 255, 10, 128]);
    });

    it('give bytes also of streams that nothing was written to', async () => {
      const { stdout, stderr } = await subject().runtime.execSync({ containerId, command: ['true'] });
      expect([stdout, stderr].map((stream) => stream instanceof Uint8Array && stream.length)).to.deep.equal([
        0, 0,
      ]);
    });

    it('give output of megabytes', async () => {
      const command = ['head', '-c', '6000000', '/dev/zero'];
      const { stdout } = await subject().runtime.execSync({ containerId, command });
      expect(stdout.length).to.equal(6_000_000);
    });

    it('end when their time is over', async () => {
      const startMs = Date.now();
      const call = subject().runtime.execSync({ containerId, command: ['sleep', '30'], timeoutMs: 1000 });
      expect(await codeOf(call)).to.equal('timeout');
      expect(Date.now() - startMs).to.be.within(900, 15_000);
    });

    it('are given up when the caller says so', async () => {
      const controller = new AbortController();
      const { signal } = controller;
      const call = codeOf(subject().runtime.execSync({ containerId, command: ['sleep', '3'], signal }));
      controller.abort();
      expect(await call).to.equal('cancelled');
      const late = subject().runtime.execSync({ containerId, command: ['true'], signal });
      expect(await codeOf(late)).to.equal('cancelled');
    });

    it('fail when there is no such program, or the container does not run', async () => {
      const { runtime, pod } = subject();
      expect(await codeOf(runtime.execSync({ containerId, command: ['no-such-program'] }))).to.equal(
        'failed',
      );
      const created = await subject().create(pod);
      const call = runtime.execSync({ containerId: created, command: ['true'] });
      expect(await codeOf(call)).to.be.oneOf(['failed', 'invalid']);
    });

    it('and other streams have addresses to connect to', async () => {
      const { runtime, pod } = subject();
      const streams = { containerId, tty: false, stdin: true, stdout: true, stderr: true };
      const urls = [
        await runtime.execUrl({ ...streams, command: ['sh'] }),
        await runtime.attachUrl(streams),
        await runtime.portForwardUrl({ podSandboxId: pod.id, ports: [80] }),
      ];
      for (const url of urls) expect(new URL(url)).to.include({ protocol: 'http:', hostname: '127.0.0.1' });
      expect(new Set(urls).size).to.equal(3);
    });

    it('have no address with a terminal and a separate error stream', async () => {
      const call = subject().runtime.execUrl({
        containerId,
        command: ['sh'],
        tty: true,
        stdin: true,
        stdout: true,
        stderr: true,
      });
      expect(await codeOf(call)).to.be.oneOf(['failed', 'invalid']);
    });
  });
}
