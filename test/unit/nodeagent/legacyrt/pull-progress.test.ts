import { PassThrough } from 'node:stream';
import { expect } from 'chai';
import { systemClock } from '../../../../src/base/index.ts';
import type { Engine } from '../../../../src/nodeagent/legacyrt/engine.ts';
import { pullImage } from '../../../../src/nodeagent/legacyrt/pull-image.ts';
import { RuntimeError } from '../../../../src/nodeagent/runtime/index.ts';

/** An engine whose answer to a pull is what the test writes. */
function engineWith(answer: PassThrough): Engine {
  const connection = {
    stream({ signal }: { readonly signal: AbortSignal }) {
      signal.addEventListener('abort', () => answer.destroy(new Error('aborted')));
      return Promise.resolve(answer);
    },
  };
  return { connection, clock: systemClock } as unknown as Engine; // a pull asks it for no more
}

describe('pullImage', () => {
  it('gives up a pull that makes no progress, and one that says the same again and again', async () => {
    const answer = new PassThrough();
    const repeat = setInterval(() => answer.write('{"status":"Waiting"}\n'), 5);
    const failure = await pullImage(engineWith(answer), { image: 'a/b:1' }, 60).catch(
      (error: unknown) => error,
    );
    clearInterval(repeat);
    expect(failure).to.be.instanceOf(RuntimeError);
    expect(String(failure)).to.include('pull of image "a/b:1" made no progress within 0.06s');
  });

  it('waits for ever for one that makes progress', async () => {
    const answer = new PassThrough();
    let count = 0;
    const repeat = setInterval(() => {
      answer.write(`{"status":"Downloading","progress":"${count++}"}\n`);
      if (count === 20) answer.end();
    }, 10);
    await pullImage(engineWith(answer), { image: 'a/b:1' }, 150);
    clearInterval(repeat);
    expect(count).to.equal(20);
  });
});
