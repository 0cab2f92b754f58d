import { expect } from 'chai';
import { createTypeCatalog } from '../../../../src/apis/catalog.ts';
import { createKindFamilies } from '../../../../src/apis/conversions/index.ts';
import { createFieldTranslator, loadFieldMoves } from '../../../../src/ctl/convert/field-moves.ts';
import { orchDialect } from '../../../../src/machinery/dialect.ts';
import { parseGroupVersion } from '../../../../src/machinery/schema/index.ts';
import { run } from '../support/run.ts';

const catalog = createTypeCatalog(orchDialect);
const families = createKindFamilies(orchDialect, catalog);

function kindIn(version: string, kind: string) {
  const { group, version: name } = parseGroupVersion(version) ?? { group: '', version: '' };
  return { group, version: name, kind };
}

/** Whether objects of a kind can have a field. */
function hasField(version: string, kind: string, path: string): boolean {
  let type = catalog.kind(kindIn(version, kind))?.name;
  for (const [segment] of path.matchAll(/\[[^\]]*\]|[^.[\]]+/g)) {
    if (type === undefined) return false;
    if (segment.startsWith('[')) {
      type = /^list<(.*)>$/.exec(type)?.[1] ?? /^map<string,(.*)>$/.exec(type)?.[1];
    } else {
      type = type.includes('<')
        ? undefined
        : catalog.type(type).fields.find(({ name }) => name === segment)?.type;
    }
  }
  return type !== undefined;
}

describe('the moved fields', () => {
  for (const { kind, versions, from, to } of loadFieldMoves(orchDialect)) {
    for (const version of versions) {
      it(`${version} ${kind} has ${to}, and no ${from}`, () => {
        expect(families.find(kindIn(version, kind)), 'family').not.to.equal(undefined);
        expect(hasField(version, kind, to), to).to.equal(true);
        expect(hasField(version, kind, from), from).to.equal(false);
      });
    }
  }
});

describe('createFieldTranslator', () => {
  const translate = createFieldTranslator(orchDialect);
  const definitions = 'apiextensions.orch.io/v1';
  const byName = { spec: { defaultBackend: { service: { port: { name: 'http' } } } } };
  const byNumber = { spec: { defaultBackend: { service: { port: { number: 0 } } } } };
  const annotated = { metadata: { annotations: { 'autoscaling.alpha.orch.io/metrics': '[]' } } };
  const cpu = { spec: { targetCPUUtilizationPercentage: 0 } };
  const metric = 'spec.metrics[0].resource.target.averageUtilization';
  const cases: [version: string, kind: string, path: string, place: string, object?: object][] = [
    ['events.orch.io/v1', 'Event', 'involvedObject.namespace', 'regarding.namespace'],
    ['events.orch.io/v1', 'Event', 'series.count', 'series.count'],
    ['events.orch.io/v1', 'Event', 'countless', 'countless'],
    ['v1', 'Event', 'count', 'count'],
    ['v1', 'Event', 'reportingController', 'reportingComponent'],
    [
      definitions,
      'CustomResourceDefinition',
      'spec.validation.openAPIV3Schema.properties[a.b].type',
      'spec.versions[0].schema.openAPIV3Schema.properties[a.b].type',
    ],
    [
      definitions,
      'CustomResourceDefinition',
      'spec.additionalPrinterColumns[3].JSONPath',
      'spec.versions[0].additionalPrinterColumns[3].jsonPath',
    ],
    [
      definitions,
      'CustomResourceDefinition',
      'spec.versions[1].additionalPrinterColumns[2].JSONPath',
      'spec.versions[1].additionalPrinterColumns[2].jsonPath',
    ],
    [definitions, 'CustomResourceDefinition', 'spec.versions[1].name', 'spec.versions[1].name'],
    [definitions, 'CustomResourceDefinition', 'spec.version', 'spec.versions[0].name'],
    [
      'networking.orch.io/v1',
      'Ingress',
      'spec.backend.servicePort',
      'spec.defaultBackend.service.port.name',
      byName,
    ],
    [
      'networking.orch.io/v1',
      'Ingress',
      'spec.backend.servicePort',
      'spec.defaultBackend.service.port.number',
      byNumber,
    ],
    ['networking.orch.io/v1', 'Ingress', 'spec.backend.resource.kind', 'spec.defaultBackend.resource.kind'],
    [
      'extensions/v1beta1',
      'Ingress',
      'spec.rules[1].http.paths[0].backend.service.port.number',
      'spec.rules[1].http.paths[0].backend.servicePort',
    ],
    [
      'autoscaling/v2beta1',
      'HorizontalPodAutoscaler',
      metric,
      'spec.metrics[0].resource.targetAverageUtilization',
    ],
    ['autoscaling/v2beta2', 'HorizontalPodAutoscaler', metric, metric],
    [
      'autoscaling/v1',
      'HorizontalPodAutoscaler',
      metric,
      'metadata.annotations[autoscaling.alpha.orch.io/metrics]',
      annotated,
    ],
    ['autoscaling/v1', 'HorizontalPodAutoscaler', metric, 'spec.targetCPUUtilizationPercentage', cpu],
    ['v1', 'Pod', 'spec.containers[0].name', 'spec.containers[0].name'],
  ];
  for (const [version, kind, path, place, object = {}] of cases) {
    it(`finds ${path} of ${version} ${kind} at ${place}`, () => {
      // Objects of the table are maps.
      const fields = object as Readonly<Record<string, unknown>>;
      expect(translate({ version, kind, path, object: fields })).to.equal(place);
    });
  }
});

describe('ctl convert names fields that are in its output', () => {
  const convert = async (object: object, ...args: string[]) =>
    (await run(['convert', '-f', '-', ...args], { stdin: JSON.stringify(object) })).err;

  it('in definitions', async () => {
    const names = { plural: 'crons', singular: 'cron', kind: 'Cron', listKind: 'CronList' };
    const err = await convert(
      {
        apiVersion: 'apiextensions.orch.io/v1beta1',
        kind: 'CustomResourceDefinition',
        metadata: { name: 'crons.example.com' },
        spec: {
          group: 'example.com',
          version: 'v1',
          scope: 'Namespaced',
          names,
          preserveUnknownFields: false,
          validation: { openAPIV3Schema: { type: 'array' } },
          additionalPrinterColumns: [{ name: 'A', type: 'string', JSONPath: 'x' }],
        },
      },
      '--validate',
    );
    expect(err).to.include(': spec.versions[0].schema.openAPIV3Schema.type: ');
    expect(err).to.include(': spec.versions[0].additionalPrinterColumns[0].jsonPath: ');
    expect(err).not.to.match(/spec\.validation|: spec\.additional|JSONPath/);
  });

  const ingress = {
    apiVersion: 'extensions/v1beta1',
    kind: 'Ingress',
    metadata: { name: 'i' },
    spec: { backend: { serviceName: 'No Name', servicePort: 99_999 } },
  };

  it('in ingresses, and takes nothing for new that was refused by another name', async () => {
    const all = await convert(ingress, '--validate');
    expect(all).to.include(': spec.defaultBackend.service.name: networking.orch.io/v1 refuses this');
    expect(all).to.include(': spec.defaultBackend.service.port.number: networking.orch.io/v1 refuses this');
    expect(await convert(ingress)).to.equal('');
  });

  it('names a field once that was two in the other version', async () => {
    const definition = {
      apiVersion: 'apiextensions.orch.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'crons.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { plural: 'crons', singular: 'cron', kind: 'Cron', listKind: 'CronList' },
        versions: [
          { name: 'V_1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } },
        ],
      },
    };
    const err = await convert(definition, '--validate');
    expect(err.match(/: spec\.versions\[0\]\.name: /g)).to.have.length(1);
  });
});
