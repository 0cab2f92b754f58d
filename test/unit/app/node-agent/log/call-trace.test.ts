import { expect } from 'chai';
import { countErrors } from '../../../../../src/app/node-agent/count-errors.ts';
import type { Logger } from '../../../../../src/base/index.ts';
import { logAll, logged } from './logged.ts';

/** The line of this file that calls this. */
const ownLine = (): number =>
  Number(/trace\.test\.ts:(\d+)/.exec(new Error('here').stack?.split('\n')[2] ?? '')?.[1]);

describe('createCallTrace', () => {
  it('names file and line, and the folder with --add-dir-header', async () => {
    let line = 0;
    const use = (logger: Logger): void => {
      line = ownLine() + 1;
      logger.child({ part: 'p' }).info('good');
    };
    const at = (): string => `call-trace.test.ts:${line}`;
    expect(await logged(['--vmodule=x=1'], use)).to.deep.equal([`T info ${at()} good part=p`]);
    expect(await logged(['--add-dir-header'], use)).to.deep.equal([`T info log/${at()} good part=p`]);
  });

  it('looks through loggers that only pass on', async () => {
    const stderr = await logged(['--add-dir-header'], (logger) => countErrors(logger, () => {}).error('bad'));
    expect(stderr[0]).to.match(/^T error log\/call-trace\.test\.ts:\d+ bad$/);
  });

  const levels: readonly (readonly [vmodule: string, isWritten: boolean])[] = [
    ['call-trace.test=3', true],
    ['call-*=4', true],
    ['log/call-*=3', true],
    ['sync/call-*=3', false],
    ['call-trace.test=2', false],
    ['call-*=1,*=3', false],
    ['other=9', false],
  ];
  for (const [vmodule, isWritten] of levels) {
    it(`writes ${isWritten ? '' : 'no '}details of this file with --vmodule=${vmodule}`, async () => {
      const stderr = await logged([`--vmodule=${vmodule}`], (logger) => {
        logger.debug('more');
        logger.child({ part: 'p' }).debug('more');
      });
      expect(stderr).to.have.length(isWritten ? 2 : 0);
    });
  }

  const changes: readonly (readonly [vmodule: string, lines: string[]])[] = [
    ['other=3', ['on']],
    ['call-*=3', ['off', 'on', 'off again']],
  ];
  for (const [vmodule, lines] of changes) {
    it(`follows changes of the level beside --vmodule=${vmodule}`, async () => {
      const stderr = await logged([`--vmodule=${vmodule}`], (logger, { setVerbosity }) => {
        const child = logger.child({});
        child.debug('off');
        setVerbosity(3);
        child.debug('on');
        setVerbosity(0);
        child.debug('off again');
      });
      expect(stderr.map((line) => line.replace(/^.*:\d+ /, ''))).to.deep.equal(lines);
    });
  }

  it('lets --vmodule count for JSON', async () => {
    const stderr = await logged(['--logging-format=json', '--vmodule=logge?=3'], logAll);
    expect(stderr.map((line) => JSON.parse(line).message)).to.deep.equal(['bad', 'good', 'more']);
  });

  it('adds who called to lines from --log-backtrace-at', async () => {
    const inner = (logger: Logger): number => {
      logger.info('good');
      return ownLine() - 1;
    };
    const outer = (logger: Logger): number => inner(logger);
    let line = 0;
    await logged([], (logger) => {
      line = outer(logger);
    });
    const flag = `--log-backtrace-at=call-trace.test.ts:${line}`;
    const stderr = await logged([flag], (logger) => {
      outer(logger);
      logger.info('elsewhere');
    });
    const [first, top, next] = stderr;
    expect(first).to.equal(`T info call-trace.test.ts:${line} good`);
    const path = 'test/unit/app/node-agent/log/call-trace.test.ts';
    expect(top).to.match(new RegExp(`^    at inner \\(${path}:${line}:\\d+\\)$`));
    expect(next).to.include(`    at outer (${path}:`);
    expect(stderr.at(-1)).to.match(/^T info call-trace\.test\.ts:\d+ elsewhere$/);
  });
});
