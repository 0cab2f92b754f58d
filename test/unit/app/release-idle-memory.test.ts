import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';

const module = new URL('../../../src/app/release-idle-memory.ts', import.meta.url).href;
// Rates of allocation are those of five seconds, so that nothing happens sooner after a burst.
const patienceMs = 45_000;

/** Leaves garbage in the old generation, rests, and tells the megabytes of its heap when they are halved, or patience ends. */
const program = `
  import { getHeapStatistics } from 'node:v8';
  const { releaseIdleMemory } = await import('${module}');
  const megabytes = () => getHeapStatistics().total_heap_size / 1e6;
  (() => {
    const kept = [];
    for (let i = 0; i < 600_000; i++) kept.push({ i, text: ['x'] });
  })();
  const before = megabytes();
  const memory = releaseIdleMemory({ periodMs: 50 });
  const endsAt = Date.now() + ${patienceMs};
  const timer = setInterval(() => {
    if (megabytes() > before / 2 && Date.now() < endsAt) return;
    clearInterval(timer);
    memory[Symbol.dispose]();
    console.log(JSON.stringify({ before, after: megabytes() }));
  }, 100);
`;

describe('releaseIdleMemory', () => {
  it('gives the memory of a burst back while the program rests', async () => {
    const flags = ['--gc-memory-reducer-start-delay-ms=100', '--input-type=module', '-e', program];
    const { stdout } = await promisify(execFile)(process.execPath, flags);
    const { before, after } = JSON.parse(stdout);
    expect(after).to.be.below(before / 2);
  }).timeout(2 * patienceMs);
});
