import { before } from 'mocha';
import { missingForEngine } from './engine.ts';

/** As `requireContainerd`, for tests that need the engine. */
export function requireEngine(): void {
  before(function () {
    const missing = missingForEngine();
    if (missing === undefined) return;
    if (process.env.CI !== undefined) throw new Error(missing);
    console.error(`skipped: ${missing}`);
    this.skip();
  });
}
