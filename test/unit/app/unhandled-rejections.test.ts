import { EventEmitter } from 'node:events';
import { expect } from 'chai';
import { watchRejections } from '../../../src/app/unhandled-rejections.ts';
import { createRecordingLogger } from '../../support/recording-logger.ts';

describe('watchRejections', () => {
  it('logs and counts what nobody handles, until it is disposed of', () => {
    const logger = createRecordingLogger();
    const emitter = new EventEmitter();
    const error = new Error('forgotten');
    const rejections = watchRejections(logger, emitter);
    emitter.emit('unhandledRejection', error, Promise.resolve());
    expect(rejections.count()).to.equal(1);
    expect(logger.lines).to.have.length(1);
    expect(logger.lines[0]).to.deep.include({ message: 'unhandled rejection', fields: { error } });
    rejections[Symbol.dispose]();
    expect(emitter.listenerCount('unhandledRejection')).to.equal(0);
  });
});
