import { type FieldError, type FieldPath, invalidValue } from '../../machinery/errors/index.ts';

/** The error of a count of name collisions that goes back: names would repeat. */
export function checkCollisionCount(
  errors: FieldError[],
  count: number | undefined,
  old: number | undefined,
  statusPath: FieldPath,
): void {
  const isDecremented = old !== undefined && (count === undefined || count < old);
  if (!isDecremented) return;
  errors.push(invalidValue(statusPath.child('collisionCount'), count ?? 0, 'cannot be decremented'));
}
