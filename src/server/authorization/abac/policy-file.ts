import { asJsonObject, errorText, isJsonObject, type JsonObject } from '../../../base/index.ts';
import { BodySyntaxError, decodeObjectBody } from '../../../machinery/codec/index.ts';
import type { Dialect } from '../../../machinery/dialect.ts';
import { quoteGo } from '../../../machinery/errors/index.ts';

/** What one line of a policy file allows. An empty field fits nothing, `*` everything. */
export interface AbacPolicy {
  readonly user: string;
  readonly group: string;
  /** Only to get, list and watch. */
  readonly isReadOnly: boolean;
  readonly apiGroup: string;
  readonly resource: string;
  readonly namespace: string;
  /** A path, or all below it where it ends with `*`. */
  readonly nonResourcePath: string;
}

/** A line above this size is no policy (Go's `bufio.Scanner`). */
const maxLineBytes = 64 * 1024;
const allAuthenticated = 'system:authenticated';
const textFields = ['user', 'group', 'apiGroup', 'resource', 'namespace', 'nonResourcePath'] as const;

/**
 * The policies of a file of JSON lines, in their order. Blank lines and those that begin with `#` count for nothing.
 * Source: "Using ABAC Authorization"; `pkg/auth/authorizer/abac`.
 *
 * @throws Error that names the path and the line of what is no policy.
 */
export function readAbacPolicies(text: string, path: string, dialect: Dialect): AbacPolicy[] {
  return text.split('\n').flatMap((line, index) => {
    const trimmed = line.trim();
    if (trimmed === '' || trimmed.startsWith('#')) return [];
    if (Buffer.byteLength(line) > maxLineBytes) {
      throw new Error(`error reading policy file ${path}: line ${index + 1}: token too long`);
    }
    try {
      return [readPolicy(line, dialect)];
    } catch (cause) {
      const where = `error reading policy file ${path}, line ${index + 1}: ${line.trimEnd()}`;
      throw new Error(`${where}: ${errorText(cause)}`, { cause });
    }
  });
}

function readPolicy(line: string, dialect: Dialect): AbacPolicy {
  const policy = asJsonObject(parse(line));
  const { apiVersion, kind } = policy;
  if (!apiVersion || !kind) return unversionedPolicy(policy);
  const known = `${dialect.spell('abac.authorization.orch.io')}/v1beta1`;
  if (apiVersion !== known || kind !== 'Policy') {
    throw new Error(
      `no kind ${quoteGo(String(kind))} is registered for version ${quoteGo(String(apiVersion))}, only Policy of ${known}`,
    );
  }
  const { spec = {} } = policy;
  if (!isJsonObject(spec)) throw new Error('spec: must be an object');
  requireKnown(spec, [...textFields, 'readonly'], 'spec.');
  const fields = readFields(spec, 'spec.');
  const isEverybody = fields.user === '*' || fields.group === '*';
  return isEverybody ? { ...fields, group: allAuthenticated } : fields;
}

/** A line of before there were versions: what it leaves out fits everything. */
function unversionedPolicy(policy: JsonObject): AbacPolicy {
  requireKnown(policy, ['kind', 'apiVersion', 'user', 'group', 'readonly', 'resource', 'namespace'], '');
  const fields = readFields(policy, '');
  const { user, group, resource, namespace } = fields;
  const isEverybody = (user === '' && group === '') || user === '*' || group === '*';
  return {
    ...fields,
    group: isEverybody ? allAuthenticated : group,
    apiGroup: '*',
    resource: resource || '*',
    namespace: namespace || '*',
    nonResourcePath: namespace === '' && resource === '' ? '*' : '',
  };
}

function parse(line: string): unknown {
  try {
    return decodeObjectBody(Buffer.from(line), line.trimStart().startsWith('{') ? 'json' : 'yaml');
  } catch (error) {
    if (!(error instanceof BodySyntaxError)) throw error;
    throw new Error(error.message, { cause: error });
  }
}

/** A name that is misspelt would allow more than is meant. */
function requireKnown(fields: JsonObject, known: readonly string[], where: string): void {
  const unknown = Object.keys(fields).find((name) => !known.includes(name));
  if (unknown !== undefined) throw new Error(`${where}${unknown}: there is no such field`);
}

function readFields(fields: JsonObject, where: string): AbacPolicy {
  const textOf = (name: (typeof textFields)[number]): string => {
    const value = fields[name] ?? '';
    if (typeof value !== 'string') throw new Error(`${where}${name}: must be a string`);
    return value;
  };
  const isReadOnly = fields.readonly ?? false;
  if (typeof isReadOnly !== 'boolean') throw new Error(`${where}readonly: must be true or false`);
  return {
    user: textOf('user'),
    group: textOf('group'),
    isReadOnly,
    apiGroup: textOf('apiGroup'),
    resource: textOf('resource'),
    namespace: textOf('namespace'),
    nonResourcePath: textOf('nonResourcePath'),
  };
}
