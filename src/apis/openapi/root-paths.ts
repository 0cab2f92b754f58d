import type { Dialect } from '../../machinery/dialect.ts';
import type { ServedGroup } from '../resources/index.ts';
import { operationGroup, operationTag } from './operation-names.ts';
import { type Definitions, unauthorized } from './operations.ts';
import { pathParameter } from './parameters.ts';
import type { NamedPath, Operation, PathItem, Schema } from './swagger.ts';

/** What the paths beside those of resources are made from. */
export interface RootPathSources {
  readonly dialect: Dialect;
  readonly definitions: Definitions;
  readonly groups: readonly ServedGroup[];
  /** Whether the documents of the token issuer are served. */
  readonly hasIssuer: boolean;
}

/** A path that is no part of the API; a `type` is that of its answer, which the definitions have or which is scalar. */
interface PlainPath {
  readonly path: string;
  readonly name: string;
  readonly tag: string;
  readonly description?: string;
  readonly consumes?: readonly string[];
  readonly produces?: readonly string[];
  readonly answer?: 'string' | 'version.Info';
  readonly parameter?: 'logpath';
  readonly isOfIssuer?: true;
}

const json = ['application/json'];
const plainPaths: readonly PlainPath[] = [
  {
    path: '/version/',
    name: 'getCodeVersion',
    tag: 'version',
    description: 'get the code version',
    consumes: json,
    produces: json,
    answer: 'version.Info',
  },
  {
    path: '/.well-known/openid-configuration/',
    name: 'getServiceAccountIssuerOpenIDConfiguration',
    tag: 'WellKnown',
    description: "get service account issuer OpenID configuration, also known as the 'OIDC discovery doc'",
    produces: json,
    answer: 'string',
    isOfIssuer: true,
  },
  {
    path: '/openid/v1/jwks/',
    name: 'getServiceAccountIssuerOpenIDKeyset',
    tag: 'openid',
    description:
      'get service account issuer OpenID JSON Web Key Set (contains public token verification keys)',
    produces: ['application/jwk-set+json'],
    answer: 'string',
    isOfIssuer: true,
  },
  { path: '/logs/', name: 'logFileListHandler', tag: 'logs' },
  { path: '/logs/{logpath}', name: 'logFileHandler', tag: 'logs', parameter: 'logpath' },
];

/** Paths of the discovery documents, of the version, of the issuer's documents, and of logs. */
export function* rootPaths(sources: RootPathSources): Generator<NamedPath> {
  for (const plain of plainPaths) {
    if (sources.hasIssuer || plain.isOfIssuer !== true)
      yield [plain.path, plainItem(plain, sources.definitions)];
  }
  yield* discoveryPaths(sources);
}

function plainItem(plain: PlainPath, definitions: Definitions): PathItem {
  const { name, tag, path: _, answer, parameter, isOfIssuer: __, ...told } = plain;
  const schema: Schema | undefined =
    answer === 'string' ? { type: 'string' } : answer && definitions.ofType(answer);
  const get: Operation = {
    ...told,
    schemes: ['https'],
    tags: [tag],
    operationId: name,
    responses: { ...(schema && { '200': { description: 'OK', schema } }), '401': unauthorized },
  };
  return parameter === undefined ? { get } : { get, parameters: [pathParameter(parameter)] };
}

function* discoveryPaths(sources: RootPathSources): Generator<NamedPath> {
  const { dialect, groups } = sources;
  const ofVersions = 'get available API versions';
  yield ['/apis/', documentItem(sources, 'APIVersions', 'apis', [ofVersions, 'APIGroupList'])];
  for (const { name: group, versions } of groups) {
    const tag = operationTag(dialect, group);
    const groupName = `${operationGroup(dialect, group)}APIGroup`;
    yield group === ''
      ? ['/api/', documentItem(sources, 'CoreAPIVersions', tag, [ofVersions, 'APIVersions'])]
      : [
          `/apis/${group}/`,
          documentItem(sources, groupName, tag, ['get information of a group', 'APIGroup']),
        ];
    for (const version of versions) yield resourceListPath(sources, group, version);
  }
}

/** Path of the list of a version's resources. */
export function resourceListPath(
  sources: Pick<RootPathSources, 'dialect' | 'definitions'>,
  group: string,
  version: string,
): NamedPath {
  const name = `${operationGroup(sources.dialect, group, version)}APIResources`;
  const tag = operationTag(sources.dialect, group, version);
  const path = group === '' ? `/api/${version}/` : `/apis/${group}/${version}/`;
  return [path, documentItem(sources, name, tag, ['get available resources', 'APIResourceList'])];
}

function documentItem(
  { dialect, definitions }: Pick<RootPathSources, 'dialect' | 'definitions'>,
  name: string,
  tag: string,
  [description, typeName]: readonly [description: string, typeName: string],
): PathItem {
  const types = ['application/json', 'application/yaml', dialect.protobufMediaType];
  const schema = definitions.ofType(`meta.orch.io/v1.${typeName}`);
  const get: Operation = {
    description,
    consumes: types,
    produces: types,
    schemes: ['https'],
    tags: [tag],
    operationId: `get${name}`,
    responses: { '200': { description: 'OK', schema }, '401': unauthorized },
  };
  return { get };
}
