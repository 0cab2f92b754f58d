import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { silentLogger } from '../../../../src/base/index.ts';
import type { VolumeDriver } from '../../../../src/nodeagent/volume-plugins/contract.ts';
import { createVolumeDrivers, programOf } from '../../../../src/nodeagent/volume-plugins/volume-drivers.ts';
import { eventually } from '../../../support/eventually.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../../support/temporary-directory.ts';

const answer = (text: string): string => `printf '%s' '${text}'`;
const init = `init) ${answer('{"status":"Success","capabilities":{"attach":false}}')};;`;

describe('createVolumeDrivers', () => {
  let directory: TemporaryDirectory;
  const messages: string[] = [];
  const logger = { ...silentLogger, error: (text: string) => void messages.push(text) };
  const write = async (cases: string, folder = 'acme~disk', program = 'disk'): Promise<void> => {
    await mkdir(join(directory.path, folder), { recursive: true });
    const text = `#!/bin/sh\ncase $1 in ${cases} *) ${answer('{"status":"Not supported"}')}; exit 1;; esac\n`;
    await rm(join(directory.path, folder, program), { force: true });
    await writeFile(join(directory.path, folder, program), text, { mode: 0o755 });
  };
  const drivers = (other = 60_000) =>
    createVolumeDrivers({ folder: directory.path, logger, timeoutMs: { other } });
  const find = async (cases: string, other?: number): Promise<VolumeDriver> => {
    await write(`${init} ${cases}`);
    const driver = await drivers(other).find('acme/disk');
    if (driver === undefined) throw new Error('no driver');
    return driver;
  };
  const failure = (call: Promise<unknown>): Promise<string> =>
    call.then(
      () => 'no failure',
      (error: Error) => error.message,
    );
  beforeEach(async () => {
    messages.length = 0;
    directory = await makeTemporaryDirectory();
  });
  afterEach(() => directory.remove());

  it('finds drivers when they appear, change and go', async () => {
    const all = drivers();
    expect(await all.find('acme/disk')).to.equal(undefined);
    await write(init);
    const first = await all.find('acme/disk');
    expect(first?.capabilities.attach).to.equal(false);
    expect(await all.find('acme/disk')).to.equal(first);
    await write(`init) ${answer('{"status":"Success","capabilities":{"attach":true}}')};;`);
    expect((await all.find('acme/disk'))?.capabilities.attach).to.equal(true);
    await rm(join(directory.path, 'acme~disk'), { recursive: true });
    expect(await all.find('acme/disk')).to.equal(undefined);
    expect(messages).to.deep.equal([]);
  });

  it('finds drivers without a vendor, and leaves folders with a dot alone', async () => {
    await write(init, 'disk');
    await write(init, '.acme~disk');
    expect((await drivers().find('disk'))?.name).to.equal('disk');
    expect(await drivers().find('.acme/disk')).to.equal(undefined);
  });

  it('says in the log which driver cannot be used, and asks it again', async () => {
    const all = drivers();
    await write('init) echo broken;;');
    expect(await all.find('acme/disk')).to.equal(undefined);
    expect(await all.find('acme/disk')).to.equal(undefined);
    expect(messages).to.deep.equal(['volume driver unusable', 'volume driver unusable']);
  });

  it('looks for no program elsewhere', () => {
    for (const name of ['', '..', '../sh', 'a/..', 'a/', '/sh', '.a/b', 'a~b', 'a/b\0']) {
      const program = programOf('/plugins', name);
      const isInside = program === undefined || /^\/plugins\/[^/]+\/[^/]+$/.test(program);
      expect(isInside, `${JSON.stringify(name)}: ${program}`).to.equal(true);
    }
    expect(programOf('/plugins', 'acme/disk')).to.equal('/plugins/acme~disk/disk');
    expect(programOf('/plugins', 'a~b')).to.equal(undefined);
  });

  it('passes arguments as they are', async () => {
    const record = join(directory.path, 'record');
    const driver = await find(`mount) printf '<%s>' "$@" >${record}; ${answer('{"status":"Success"}')};;`);
    const text = '{"a":"$(touch x) `y` \'z\' \\n;"}';
    await driver.call('mount', ['/v 1', text]);
    expect(await readFile(record, 'utf8')).to.equal(`<mount></v 1><${text}>`);
  });

  it('asks for a command that a driver does not have once only', async () => {
    const record = join(directory.path, 'record');
    const driver = await find(
      `attach) echo x >>${record}; ${answer('{"status":"Not supported"}')}; exit 1;;`,
    );
    expect(await driver.call('attach', [])).to.equal(undefined);
    expect(await driver.call('attach', [])).to.equal(undefined);
    expect(await readFile(record, 'utf8')).to.equal('x\n');
  });

  it('ends a driver that takes too long, with all that it has started', async () => {
    const pids = join(directory.path, 'pids');
    const driver = await find(`mount) sleep 1000 & echo $! >${pids}; wait;;`, 300);
    expect(await failure(driver.call('mount', []))).to.equal('timeout');
    const stat = `/proc/${(await readFile(pids, 'utf8')).trim()}/stat`;
    // A process that has ended may still be listed, until its parent has taken note.
    await eventually(async () => / [ZX] /.test(await readFile(stat, 'utf8').catch(() => ' X ')) || undefined);
  });

  it('does not wait for what a driver leaves running', async () => {
    const pids = join(directory.path, 'pids');
    const driver = await find(
      `mount) sleep 3 & echo $! >${pids}; ${answer('{"status":"Success","device":"d"}')};;`,
    );
    expect((await driver.call('mount', []))?.device).to.equal('d');
    const state = await readFile(`/proc/${(await readFile(pids, 'utf8')).trim()}/stat`, 'utf8');
    expect(state).to.match(/ S /);
  });

  it('tells failures with the words of the reference, bounded and without secrets', async () => {
    const secret = Buffer.from('hunter22').toString('base64');
    const driver = await find(
      [
        `mount) printf '{"status":"Failure","message":"%s for hunter22 and ${secret}"}' "$2"; exit 1;;`,
        `unmount) head -c 1000000 /dev/zero | tr '\\0' x;;`,
        'detach) exit 3;;',
        `attach) ${answer('{"status":"Success"}')}; exit 4;;`,
      ].join(' '),
    );
    expect(await failure(driver.call('mount', ['no'], [secret]))).to.equal(
      'mount command failed, status: Failure, reason: no for <redacted> and <redacted>',
    );
    const long = await failure(driver.call('mount', ['y'.repeat(5000)], [secret]));
    expect(long.length).to.be.lessThan(1000);
    expect(await failure(driver.call('unmount', []))).to.equal(
      "invalid character 'x' looking for beginning of value",
    );
    expect(await failure(driver.call('detach', []))).to.equal('unexpected end of JSON input');
    expect(await failure(driver.call('attach', []))).to.equal('exit status 4');
    expect(await failure(driver.call('mount', ['z'.repeat(300_000)]))).to.match(/argument list too long$/);
  });
});
