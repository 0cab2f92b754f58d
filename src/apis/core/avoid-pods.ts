import type { Dialect } from '../../machinery/dialect.ts';
import { type FieldError, type FieldPath, invalidValue, required } from '../../machinery/errors/index.ts';

/** Errors of the node annotation that names controllers whose pods the node would rather not have. */
export function validateAvoidPods(
  annotations: Readonly<Record<string, string>> | undefined,
  path: FieldPath,
  dialect: Dialect,
): FieldError[] {
  if (annotations === undefined) return [];
  const key = dialect.spell('scheduler.alpha.orch.io/preferAvoidPods');
  const text = annotations[key];
  if (!text) return [];
  const entries = parseEntries(text);
  if (entries === undefined) return [invalidValue(path.child('AvoidPods'), key, 'invalid JSON')];
  const entryPath = path.child(key);
  const errors: FieldError[] = [];
  for (const [at, entry] of entries.entries()) {
    const signaturePath = entryPath.index(at).child('PodSignature');
    const controller = entry.podSignature?.podController;
    if (!controller) errors.push(required(signaturePath));
    else if (controller.controller !== true) {
      const flagPath = signaturePath.child('PodController', 'Controller');
      errors.push(invalidValue(flagPath, controller.controller ?? false, 'must point to a controller'));
    }
  }
  return errors;
}

interface AvoidEntry {
  readonly podSignature?: { readonly podController?: { readonly controller?: boolean } };
}

function parseEntries(text: string): AvoidEntry[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) return undefined;
    const list: unknown = Reflect.get(value, 'preferAvoidPods') ?? [];
    // Every property that is read later is optional, and reading one of a non-object is safe after this filter.
    return Array.isArray(list)
      ? list.map((item: unknown) => (typeof item === 'object' && item !== null ? (item as AvoidEntry) : {}))
      : undefined;
  } catch {
    // Text that is no JSON is an ordinary outcome here; the caller reports it.
    return undefined;
  }
}
