import { expect } from 'chai';
import { describe, it } from 'mocha';
import { type Logger, silentLogger, systemClock } from '../../../../src/base/index.ts';
import { IscsiAdmin } from '../../../../src/nodeagent/disks/iscsi-admin.ts';
import type { ProgramResult } from '../../../../src/nodeagent/host/index.ts';

const secret = 'a-secret-of-chap';
const base64 = Buffer.from(secret).toString('base64');

describe('IscsiAdmin', () => {
  const lines: string[] = [];
  const logger: Logger = { ...silentLogger, debug: (...line) => void lines.push(JSON.stringify(line)) };
  const adminThat = (answer: (args: readonly string[]) => ProgramResult): IscsiAdmin => {
    lines.length = 0;
    const run = async (_program: string, args: readonly string[]) => answer(args);
    return new IscsiAdmin({ devFolder: '', sysFolder: '', clock: systemClock, logger, run }, [base64]);
  };

  it('logs what is called, and what that says', async () => {
    const admin = adminThat(() => ({ code: 21, output: 'No records found' }));
    expect(await admin.run('-m', 'node')).to.deep.equal({
      code: 21,
      output: 'No records found',
      end: 'exit status 21',
    });
    expect(lines).to.deep.equal([
      JSON.stringify(['iscsiadm', { args: '-m node', code: 21, output: 'No records found' }]),
    ]);
  });

  for (const [what, output] of [
    ['repeated by the program', `bad value ${secret}`],
    ['an argument of a program that took too long', `Command failed: iscsiadm -v ${secret}`],
  ] as const) {
    it(`keeps a secret that is ${what}`, async () => {
      let given: readonly string[] = [];
      const admin = adminThat((args) => {
        given = args;
        return { code: undefined, output };
      });
      const result = await admin.setSecret(['-m', 'node'], 'node.session.auth.password', base64);
      expect(given.slice(-2)).to.deep.equal(['-v', secret]);
      expect(JSON.stringify([result, lines])).not.to.contain(secret);
      expect(lines).to.have.length(1);
    });
  }

  it('keeps secrets of any length of a program that took too long', async () => {
    const admin = adminThat(() => ({ code: undefined, output: 'Command failed: iscsiadm -v xy' }));
    const { output, end } = await admin.setSecret([], 'n', Buffer.from('xy').toString('base64'));
    expect([output, end]).to.deep.equal(['signal: killed', 'signal: killed']);
  });
});
