/** Hashes as release 1.20 computes them, so that names made of them are the same. */
import { createHash } from 'node:crypto';
import type { PodTemplateSpec } from '../../apis/types/core-v1.ts';
import { fnv1, fnv1a } from '../../base/index.ts';
import { goJson } from '../../machinery/go-values/index.ts';
import { sortedCopy } from '../../machinery/schema/index.ts';
import { dumpGo } from './go-dump.ts';

/** Letters that make no words. */
const letters = 'bcdfghjklmnpqrstvwxz2456789';

const asLetters = (hash: number): string =>
  Array.from(String(hash), (digit) => letters[digit.charCodeAt(0) % letters.length]).join('');

/** A short text for a template, to be part of names; another one for each count of collisions. Source: `ComputeHash`. */
export function templateHash(template: PodTemplateSpec, collisionCount: number | undefined): string {
  const counted = Buffer.alloc(collisionCount === undefined ? 0 : 8);
  if (collisionCount !== undefined) counted.writeUInt32LE(collisionCount);
  const dump = Buffer.from(dumpGo(template, 'v1.PodTemplateSpec'));
  return asLetters(fnv1a(Buffer.concat([dump, counted])));
}

/** The same for the data of a revision. Source: `HashControllerRevision`. */
export const revisionHash = (data: unknown, collisionCount: number): string =>
  asLetters(fnv1(Buffer.from(`${goJson(sortedCopy(data))}${collisionCount}`)));

/** Lists of endpoints are in the order of these. `type` is that of Go. */
export const valueHash = (value: unknown, type: string): string =>
  createHash('md5').update(dumpGo(value, type)).digest('hex');
