import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { createMountCommands } from '../../../../src/nodeagent/volumes/index.ts';
import { makeTemporaryDirectory } from '../../../support/temporary-directory.ts';

describe('createMountCommands', () => {
  it('mounts by the program that it is given, and tells what that says', async () => {
    await using directory = await makeTemporaryDirectory();
    const mountProgram = join(directory.path, 'mounter');
    const record = join(directory.path, 'record');
    await writeFile(
      mountProgram,
      `#!/bin/sh\necho "$@" >>${record}\n[ "$1" != -t ] || { echo no such type; exit 32; }\n`,
      {
        mode: 0o755,
      },
    );
    const { mount } = createMountCommands({ mountProgram });
    await mount({ source: '/a', target: '/b', options: ['bind', 'ro'] });
    expect(await readFile(record, 'utf8')).to.equal('-o bind,ro /a /b\n');
    const failure = await mount({ source: 'x', target: '/b', fsType: 'odd' }).catch(
      (error: unknown) => error,
    );
    expect(String(failure))
      .to.include('exit status 32')
      .and.include(mountProgram)
      .and.include('no such type');
  });
});
