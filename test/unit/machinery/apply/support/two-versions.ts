import {
  type ApplySchema,
  compileCustomApplySchema,
  createFieldManager,
  type FieldManager,
} from '../../../../../src/machinery/apply/index.ts';
import { granularView } from '../../../../../src/machinery/apply/typed/view.ts';
import { type Shape, schemaOf } from './shape.ts';

type Json = Record<string, unknown>;

/** Versions of the type: what is `a` in the first is `c` in the second. Tests think in the first. */
export type Version = 'v1' | 'v2';
export const versions: readonly Version[] = ['v1', 'v2'];

const renamed = (name: string, version: Version): string => {
  if (version === 'v2') return name === 'a' ? 'c' : name;
  return name === 'c' ? 'a' : name;
};

/** The object or configuration with the names of a version. */
export function inVersion(object: Json, version: Version): Json {
  const members = Object.entries(object).map(([name, value]) => [renamed(name, version), value]);
  return { ...Object.fromEntries(members), ...('apiVersion' in object ? { apiVersion: version } : {}) };
}

/** A path of either version, or one as messages show it, as the first version has it. */
export const pathInFirst = (path: string): string => path.replace(/^(f:|\.)c(?!\w)/, '$1a');

function compile(shape: Shape & { kind: 'struct' }, version: Version): ApplySchema {
  const fields = Object.entries(shape.fields).map(([name, of]) => [renamed(name, version), of]);
  return compileCustomApplySchema({
    schema: schemaOf({ kind: 'struct', fields: Object.fromEntries(fields) }),
    extensionPrefix: 'x-orch-',
    metadata: granularView,
    apiVersion: version,
    kind: 'Thing',
  });
}

/** A field manager for a type that has both versions. */
export function createTestManager(shape: Shape & { kind: 'struct' }): FieldManager {
  const schemas = { v1: compile(shape, 'v1'), v2: compile(shape, 'v2') };
  const known = (text: string): Version => {
    const version = versions.find((one) => one === text);
    if (version === undefined) throw new Error(`no version ${text}`);
    return version;
  };
  return createFieldManager({
    schemaOf: (version) => schemas[known(version)],
    convert: (object, version) => inVersion(object, known(version)),
  });
}
