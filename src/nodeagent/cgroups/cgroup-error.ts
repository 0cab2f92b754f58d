/** Control groups that cannot be made, bounded or removed. */
export class CgroupError extends Error {
  override readonly name = 'CgroupError';
}
