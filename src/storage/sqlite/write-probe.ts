import type { Meta } from './meta.ts';

/** About what a few objects take. */
const probeBytes = 64 * 1024;

/** Writes and removes some pages, durably. @throws what the library throws when that cannot be done. */
export function probeWrite(meta: Meta): void {
  meta.set('probe', Buffer.alloc(probeBytes));
  meta.set('probe', 0);
}
