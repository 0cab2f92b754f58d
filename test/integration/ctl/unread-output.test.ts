import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { eventually } from '../../support/eventually.ts';

const io = new URL('../../../src/ctl/io.ts', import.meta.url).href;

/** Writes for ever. A write of which a part was taken would return its count, so that each is a small one. */
const program = `
  import { createProcessIo } from '${io}';
  try {
    for (const { stdout } = createProcessIo(); ; ) stdout.write('x'.repeat(1024));
  } catch (error) {
    process.stderr.write(error.constructor.name);
    process.exitCode = error.code;
  }
`;

/** Until its main thread waits in a system call on its output. */
async function untilItWaits(child: ChildProcess): Promise<void> {
  await eventually(
    async () => /^\d+ 0x1 /.test(await readFile(`/proc/${child.pid}/syscall`, 'utf8')) || undefined,
  );
}

// What is no longer read is told in different ways: to a write that waits by a reset, to a later one as a broken pipe.
describe('output of ctl that nobody reads any more', () => {
  it('ends it quietly while it waits to be read', async () => {
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program]);
    const complaints: string[] = [];
    child.stderr.setEncoding('utf8').on('data', (text: string) => complaints.push(text));
    await untilItWaits(child);
    child.stdout.destroy();
    const [code] = await once(child, 'close');
    expect(complaints.join('')).to.equal('ExitError');
    expect(code).to.equal(141);
  });

  it('ends it quietly before it writes', async () => {
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program]);
    child.stdout.destroy();
    const [code] = await once(child, 'close');
    expect(code).to.equal(141);
  });
});
