import type { ApiObject } from '../../machinery/meta/index.ts';

/**
 * How a served version of a kind relates to its storage version, for kinds whose versions differ in shape. Each way
 * returns an object of the other version's fields; `kind` and `apiVersion` are set by the caller. The input is used up.
 */
export interface VersionConversion {
  toStorage(object: ApiObject): ApiObject;
  fromStorage(object: ApiObject): ApiObject;
}
