/** Where definitions are. */
export const definitionsPath = '/apis/apiextensions.orch.io/v1/customresourcedefinitions';

/** Versions of each definition, the stored one first. */
const versionNames = ['v1', 'v1beta1', 'v1alpha1'];
/** Properties of each version. */
const propertyCount = 300;
/** Definitions of one group, as providers of many kinds have them. */
const groupSize = 10;

/** What a generated definition defines. */
export interface GeneratedKind {
  readonly group: string;
  readonly plural: string;
  readonly kind: string;
  /** Path of its objects in the namespace `default`. */
  readonly collection: string;
}

export const generatedKind = (index: number): GeneratedKind => {
  const group = `g${Math.floor(index / groupSize)}.bench.example.com`;
  const plural = `things${index}`;
  return {
    group,
    plural,
    kind: `Thing${index}`,
    collection: `/apis/${group}/v1/namespaces/default/${plural}`,
  };
};

/** Group versions that so many definitions have, as paths of discovery. */
export function discoveryPaths(count: number): string[] {
  const groups = new Set(Array.from({ length: count }, (_, index) => generatedKind(index).group));
  return [...groups].flatMap((group) => versionNames.map((version) => `/apis/${group}/${version}`));
}

/** Types of properties, and a value of each. */
const properties: readonly (readonly [type: object, value: unknown])[] = [
  [{ type: 'string' }, 'registry.example.org/team/application:1.42.7'],
  [{ type: 'integer' }, 5432],
  [{ type: 'boolean' }, true],
  [{ type: 'string', maxLength: 200 }, 'value of the setting'],
  [{ type: 'array', items: { type: 'string' } }, ['--listen=:8080', '--log-level=info']],
  [{ type: 'string' }, 'another value'],
  [{ type: 'number' }, 0.5],
  [{ type: 'boolean' }, false],
];

const range = <T>(length: number, make: (index: number) => T): T[] =>
  Array.from({ length }, (_, index) => make(index));

const schema = (): object => ({
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: Object.fromEntries(
        range(propertyCount, (n) => [`field${n}`, properties[n % properties.length]?.[0]]),
      ),
    },
    status: { type: 'object', properties: { phase: { type: 'string' } } },
  },
});

/** A definition of 3 versions with 300 properties each, about 60 kB of YAML. */
export function generatedDefinition(index: number): object {
  const { group, plural, kind } = generatedKind(index);
  return {
    apiVersion: 'apiextensions.orch.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural, singular: `thing${index}`, kind, listKind: `${kind}List`, shortNames: [`th${index}`] },
      versions: versionNames.map((name, version) => ({
        name,
        served: true,
        storage: version === 0,
        subresources: { status: {} },
        additionalPrinterColumns: [{ name: 'Phase', type: 'string', jsonPath: '.status.phase' }],
        schema: { openAPIV3Schema: schema() },
      })),
    },
  };
}

/** The part of a custom object that its kind defines: 25 fields of all types. */
export const generatedSpec = (): object =>
  Object.fromEntries(range(25, (n) => [`field${n}`, properties[n % properties.length]?.[1]]));
