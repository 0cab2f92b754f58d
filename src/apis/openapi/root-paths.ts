import type { Dialect } from '../../machinery/dialect.ts';
import type { ServedGroup } from '../resources/index.ts';
import { operationGroup, operationTag } from './operation-names.ts';
import type { Definitions } from './operations.ts';
import type { NamedPath, Operation } from './swagger.ts';

/** What discovery's paths are made from. */
export interface RootPathSources {
  readonly dialect: Dialect;
  readonly definitions: Definitions;
  readonly groups: readonly ServedGroup[];
}

const meta = 'meta.orch.io/v1';

/** Paths of the discovery documents and the version. */
export function* rootPaths({ dialect, definitions, groups }: RootPathSources): Generator<NamedPath> {
  const types = ['application/json', 'application/yaml', dialect.protobufMediaType];
  const document = (name: string, tag: string, about: string, typeName: string): NamedPath[1] => {
    const get: Operation = {
      description: about,
      consumes: types,
      produces: types,
      schemes: ['https'],
      tags: [tag],
      operationId: `get${name}`,
      responses: {
        '200': { description: 'OK', schema: definitions.ofType(`${meta}.${typeName}`) },
        '401': { description: 'Unauthorized' },
      },
    };
    return { get };
  };
  const versions = 'List the versions of the group.';
  const resources = 'List the resources of the version.';
  yield ['/apis/', document('APIVersions', 'apis', 'List the groups.', 'APIGroupList')];
  for (const group of groups) {
    const prefix = groupPrefix(dialect, group.name);
    const path = group.name === '' ? '/api/' : `/apis/${group.name}/`;
    yield [
      path,
      group.name === ''
        ? document('CoreAPIVersions', 'core', versions, 'APIVersions')
        : document(`${operationGroup(prefix, '')}APIGroup`, operationTag(prefix), versions, 'APIGroup'),
    ];
    for (const version of group.versions) {
      const name = `${operationGroup(prefix, version)}APIResources`;
      yield [
        `${path}${version}/`,
        document(name, operationTag(prefix, version), resources, 'APIResourceList'),
      ];
    }
  }
  yield ['/version/', { get: versionOperation(definitions) }];
}

/** The group without the product's domain: `rbac.authorization`. */
export function groupPrefix(dialect: Dialect, group: string): string {
  const domain = dialect.group('x').slice(1);
  return group.endsWith(domain) ? group.slice(0, -domain.length) : group;
}

function versionOperation(definitions: Definitions): Operation {
  return {
    description: 'Get the version of the server.',
    consumes: ['application/json'],
    produces: ['application/json'],
    schemes: ['https'],
    tags: ['version'],
    operationId: 'getCodeVersion',
    responses: {
      '200': { description: 'OK', schema: definitions.ofType('version.Info') },
      '401': { description: 'Unauthorized' },
    },
  };
}
