import { expect } from 'chai';
import { describe, it } from 'mocha';
import type { ProgramResult } from '../../../../src/nodeagent/host/index.ts';
import { growFileSystem } from '../../../../src/nodeagent/volumes/format-device.ts';

describe('growFileSystem', () => {
  const endings: readonly (readonly [what: string, end: ProgramResult, message: string])[] = [
    [
      'is not there',
      { code: undefined, output: 'spawn resize2fs ENOENT' },
      'resize of device /dev/x failed: spawn resize2fs ENOENT',
    ],
    [
      'took too long',
      { code: undefined, output: 'Command failed: resize2fs /dev/x' },
      'resize of device /dev/x failed: Command failed: resize2fs /dev/x',
    ],
    [
      'refuses',
      { code: 1, output: 'no' },
      'resize of device /dev/x failed: exit status 1. resize2fs output: no',
    ],
  ];
  for (const [what, end, message] of endings) {
    it(`says why it failed where a program ${what}`, async () => {
      const run = async (program: string): Promise<ProgramResult> =>
        program === 'blkid' ? { code: 0, output: 'TYPE=ext4' } : end;
      const failure = await growFileSystem('/dev/x', '/mnt', run).catch((error: Error) => error.message);
      expect(failure).to.equal(message);
    });
  }
});
