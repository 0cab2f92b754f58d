import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { TransportError } from '../../../src/client/rest/index.ts';
import { CombinedError, CtlError, UsageError } from '../../../src/ctl/errors.ts';
import table from '../../../src/ctl/exit-codes.json' with { type: 'json' };
import { exitCodeOf } from '../../../src/ctl/exit-codes.ts';
import { StatusError } from '../../../src/machinery/errors/index.ts';
import { run } from './support/run.ts';

const status = (reason: string) =>
  new StatusError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    code: 400,
    reason,
    message: 'm',
  });

describe('exit codes by reason', () => {
  it('are those of the reason, of the kind of error, or one for several', () => {
    expect(exitCodeOf(status('NotFound'))).to.equal(table.NotFound);
    expect(exitCodeOf(status('constructor'))).to.equal(table.other);
    expect(exitCodeOf(new UsageError('x'))).to.equal(table.usage);
    expect(exitCodeOf(new CtlError('x'))).to.equal(table.other);
    expect(exitCodeOf(new CombinedError([status('Conflict'), status('Conflict')]))).to.equal(table.Conflict);
    expect(exitCodeOf(new CombinedError([status('Conflict'), new CtlError('x')]))).to.equal(table.several);
    const lost = new TransportError('refused', 'x', { host: 'h' });
    expect(exitCodeOf(lost)).to.equal(table.connection);
  });

  it('come when they are asked for, also for a command line that is wrong', async () => {
    expect((await run(['get', '--exit-codes=reason', '--nonsense'])).code).to.equal(table.usage);
    expect((await run(['get', '--nonsense'])).code).to.equal(1);
    expect((await run(['get', '--nonsense', '--', '--exit-codes=reason'])).code).to.equal(1);
  });

  it('stand in the documentation, each once', () => {
    const text = readFileSync(new URL('../../../docs/ctl.md', import.meta.url), 'utf8');
    for (const [reason, code] of Object.entries(table))
      expect(text).to.include(`| ${code} | \`${reason}\` |`);
    expect(new Set(Object.values(table)).size).to.equal(Object.keys(table).length);
  });
});
