import { before } from 'mocha';
import { missingForContainerd } from './containerd.ts';

/**
 * For a `describe` whose tests run containers: where that cannot be, they are skipped and the reason is written; with
 * `CI` in the environment they fail instead.
 */
export function requireContainerd(): void {
  before(function () {
    const missing = missingForContainerd();
    if (missing === undefined) return;
    if (process.env.CI !== undefined) throw new Error(missing);
    console.error(`skipped: ${missing}`);
    this.skip();
  });
}
