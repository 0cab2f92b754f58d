import fc from 'fast-check';
import { objectsOf, type Shape, structs } from './shape.ts';
import { type Version, versions } from './two-versions.ts';

type Json = Record<string, unknown>;
type Struct = Shape & { kind: 'struct' };

/** What a manager may do to the object, through a version, but in the names of the first. */
export type Act = { readonly who: string; readonly version: Version } & (
  | { readonly act: 'apply' | 'force'; readonly config: Json }
  /** Applies all of its last configuration but one field. */
  | { readonly act: 'drop'; readonly field: string }
  /** Writes the object with some fields set or removed. */
  | { readonly act: 'update'; readonly set: Json; readonly without: readonly string[] }
);

/** A type and what managers do to one object of it. */
export interface Play {
  readonly shape: Struct;
  readonly acts: readonly Act[];
}

export interface ActOptions {
  /** Drawn with equal chances. */
  readonly kinds: readonly Act['act'][];
  readonly managers: readonly string[];
}

/** Random types with random acts. */
export const plays = ({
  maxLength,
  ...options
}: ActOptions & { readonly maxLength: number }): fc.Arbitrary<Play> =>
  structs(3).chain((shape) =>
    fc.record({
      shape: fc.constant(shape),
      acts: fc.array(actsOn(shape, options), { minLength: 1, maxLength }),
    }),
  );

/** Single random acts on objects of a type. */
export function actsOn(shape: Struct, { kinds, managers }: ActOptions): fc.Arbitrary<Act> {
  const who = fc.constantFrom(...managers);
  const version = fc.constantFrom(...versions);
  const value = objectsOf(shape);
  const field = fc.constantFrom(...Object.keys(shape.fields));
  const ofKind = (kind: Act['act']): fc.Arbitrary<Act> => {
    switch (kind) {
      case 'drop':
        return fc.record({ act: fc.constant(kind), who, version, field });
      case 'update':
        return fc.record({
          act: fc.constant(kind),
          who,
          version,
          set: value,
          without: fc.array(field, { maxLength: 1 }),
        });
      default:
        return fc.record({ act: fc.constant(kind), who, version, config: value });
    }
  };
  return fc.oneof(...kinds.map(ofKind));
}
