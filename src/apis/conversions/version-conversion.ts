import type { ApiObject } from '../../machinery/meta/index.ts';

/**
 * How a served version of a kind relates to its storage version, for kinds whose versions differ in shape. Each way
 * returns an object of the other version's fields; `kind` and `apiVersion` are set by the caller. The input is used up.
 */
export interface VersionConversion {
  toStorage(object: ApiObject): ApiObject;
  fromStorage(object: ApiObject): ApiObject;
}

/** The same in the interfaces of both versions (`apis/types`). */
export interface TypedConversion<Served, Stored> {
  toStorage(object: Served): Stored;
  fromStorage(object: Stored): Served;
}

/** A conversion of one kind. It must be registered for that kind only. */
export function convertKind<Served, Stored>({
  toStorage,
  fromStorage,
}: TypedConversion<Served, Stored>): VersionConversion {
  return { toStorage: convertObject(toStorage), fromStorage: convertObject(fromStorage) };
}

/** A way between two versions of one kind. It must be registered for those only. */
export function convertObject<From, To>(convert: (object: From) => To): (object: ApiObject) => ApiObject {
  // Interfaces of kinds are made from the types that canonical objects have; what is converted is one.
  return (object) => convert(object as unknown as From) as unknown as ApiObject;
}
