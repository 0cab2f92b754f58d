import { expect } from 'chai';
import { logged } from './logged.ts';

describe('createSanitizedLogger', () => {
  const on = '--experimental-log-sanitization';
  const secret = 'hunter22hunter22';

  it('writes a notice instead of a line with a secret', async () => {
    const stderr = await logged([on], (logger) => {
      logger.info('read', { item: { spec: { apiToken: secret } } });
      logger.error('failed', { error: new Error('refused', { cause: new Error(`password=${secret}`) }) });
      logger.info(`Authorization: Bearer ${secret}`);
      logger.info('fine', { name: 'web' });
    });
    expect(stderr).to.deep.equal([
      'T info Log message has been redacted. key=item.spec.apiToken types=["token"]',
      'T error Log message has been redacted. key=error.cause.message types=["password","security-key","token"]',
      'T info Log message has been redacted. key=message types=["token"]',
      'T info fine name=web',
    ]);
  });

  it('replaces fields of child loggers, and keeps their lines', async () => {
    const stderr = await logged([on], (logger) =>
      logger.child({ part: 'p', object: { kind: 'Secret', data: { a: secret } } }).info('good'),
    );
    expect(stderr).to.deep.equal(['T info good part=p object="Log message has been redacted."']);
  });

  it('counts for details that --vmodule brings about, and for JSON', async () => {
    const stderr = await logged([on, '--vmodule=sanitized-*=3', '--logging-format=json'], (logger) => {
      logger.debug('read', { deep: { er: { password: secret } } });
    });
    expect(JSON.parse(stderr[0] ?? '')).to.include({ key: 'deep.er.password' });
    expect(stderr.join()).not.to.include(secret);
  });

  it('does nothing when it is off', async () => {
    const stderr = await logged([], (logger) => logger.info('read', { a: { b: { token: 'x' } } }));
    expect(stderr).to.deep.equal(['T info read a={"b":{"token":"x"}}']);
  });
});
