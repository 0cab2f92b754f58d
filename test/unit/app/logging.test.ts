import { expect } from 'chai';
import { createLogger } from '../../../src/app/logging.ts';

function logged(
  format: 'text' | 'json',
  verbosity: number,
  use: (logger: ReturnType<typeof createLogger>) => void,
): string[] {
  const lines: string[] = [];
  use(
    createLogger({ format, verbosity, write: (line) => lines.push(line), nowMs: () => Date.UTC(2030, 0, 1) }),
  );
  return lines;
}

describe('createLogger', () => {
  it('writes one line of text for each message, values quoted where they need it', () => {
    const lines = logged('text', 0, (logger) =>
      logger.info('started', { port: 1, name: 'a b', plain: 'x', empty: '' }),
    );
    expect(lines).to.deep.equal(['00:00:00.000 info started port=1 name="a b" plain=x empty=""\n']);
  });

  it('writes one JSON object for each message', () => {
    const [line = ''] = logged('json', 0, (logger) =>
      logger.child({ requestId: 'r' }).error('failed', { code: 7 }),
    );
    expect(JSON.parse(line)).to.deep.equal({
      level: 'error',
      time: '2030-01-01T00:00:00.000Z',
      requestId: 'r',
      code: 7,
      message: 'failed',
    });
  });

  it('writes debug messages from level 3 on', () => {
    expect(logged('text', 2, (logger) => logger.debug('detail'))).to.deep.equal([]);
    expect(logged('text', 3, (logger) => logger.debug('detail'))).to.have.length(1);
  });

  it('leaves secrets out, also one level down', () => {
    const secret = 'hunter2';
    const lines = (['text', 'json'] as const).flatMap((format) =>
      logged(format, 0, (logger) =>
        logger.info('login', {
          token: secret,
          user: { password: secret },
          headers: { authorization: secret },
        }),
      ),
    );
    expect(lines.join('')).not.to.include(secret);
    expect(lines.join('')).to.include('[redacted]');
  });

  it('keeps a value from forging a line or moving the cursor', () => {
    const [line = ''] = logged('text', 0, (logger) =>
      logger.info('read\nforged', { name: 'x\n00:00 info forged', bell: '\u001b[2J' }),
    );
    expect(line.trimEnd()).not.to.include('\n');
    expect(line).not.to.include('\u001b');
  });

  it('shows the message of an error, and its stack in JSON', () => {
    const error = new Error('disk full', { cause: new Error('quota') });
    expect(logged('text', 0, (logger) => logger.error('write failed', { error }))[0]).to.include(
      'error="disk full: quota"',
    );
    const [line = ''] = logged('json', 0, (logger) => logger.error('write failed', { error }));
    expect(JSON.parse(line).error.stack).to.include('logging.test');
  });
});
