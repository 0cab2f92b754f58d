import { expect } from 'chai';
import {
  createFieldLabels,
  createFieldLayout,
  createFieldValues,
  customResourceFields,
  fieldValuesByPrefix,
} from '../../../../src/apis/fields/index.ts';
import { createResourceTable } from '../../../../src/apis/resources/index.ts';
import { createDialect, orchDialect } from '../../../../src/machinery/dialect.ts';
import {
  metadataFields,
  parseFieldSelector,
  resolveFieldSelector,
  SelectorError,
} from '../../../../src/machinery/selectors/index.ts';

const labelsOf = createFieldLabels(orchDialect);
const kind = (group: string, version: string, name: string) => ({ group, version, kind: name });
const resolved = (text: string, fields: ReturnType<typeof labelsOf>): string =>
  resolveFieldSelector(parseFieldSelector(text), fields).toString();

describe('createFieldLabels', () => {
  it('translates old and later names to one field', () => {
    expect(resolved('spec.host=n1', labelsOf(kind('', 'v1', 'Pod')))).to.equal('spec.nodeName=n1');
    const events = labelsOf(kind('events.orch.io', 'v1', 'Event'));
    expect(resolved('regarding.name=a,reportingController!=c', events)).to.equal(
      'involvedObject.name=a,reportingComponent!=c',
    );
  });

  for (const [kindName, group, version, label, message] of [
    ['Pod', '', 'v1', 'spec.hostNetwork', 'field label not supported: spec.hostNetwork'],
    [
      'Event',
      'events.orch.io',
      'v1',
      'involvedObject.name',
      'field label not supported: involvedObject.name',
    ],
    ['Node', '', 'v1', 'metadata.namespace', 'field label not supported: metadata.namespace'],
    ['Job', 'batch', 'v1', 'name', 'field label "name" not supported for batchv1.Job'],
    ['CronJob', 'batch', 'v1beta1', 'x', 'field label "x" not supported for "CronJob"'],
    [
      'ConfigMap',
      '',
      'v1',
      'data.x',
      '"data.x" is not a known field selector: only "metadata.name", "metadata.namespace"',
    ],
  ] as const) {
    it(`refuses ${label} for ${kindName} as the reference does`, () => {
      expect(() => resolved(`${label}=1`, labelsOf(kind(group, version, kindName)))).to.throw(
        SelectorError,
        message,
      );
    });
  }

  it('gives kinds without labels of their own those of metadata', () => {
    expect(labelsOf(kind('', 'v1', 'ConfigMap'))).to.equal(metadataFields);
  });

  it('refuses other labels of custom resources in the other wording', () => {
    expect(() => resolved('spec.x=b', customResourceFields({ namespaced: true }))).to.throw(
      SelectorError,
      'field label not supported: spec.x',
    );
  });

  it('knows kinds in the names of the dialect', () => {
    const dialect = createDialect('kubernetes');
    const events = createFieldLabels(dialect)(kind(dialect.group('events'), 'v1', 'Event'));
    expect(events.labels.get('regarding.uid')).to.equal('involvedObject.uid');
  });
});

describe('createFieldValues', () => {
  const read = createFieldValues(orchDialect);
  const metadata = { name: 'a', namespace: 'n' };
  const meta = { 'metadata.name': 'a', 'metadata.namespace': 'n' };

  it('reads pods', () => {
    const pod = {
      metadata,
      spec: { nodeName: 'n1', restartPolicy: 'Never', schedulerName: 's', serviceAccountName: 'sa' },
      status: { phase: 'Running', podIP: '10.0.0.1', podIPs: [{ ip: '10.0.0.1' }, { ip: '::1' }] },
    };
    expect(read('v1.Pod', pod)).to.deep.equal({
      ...meta,
      'spec.nodeName': 'n1',
      'spec.restartPolicy': 'Never',
      'spec.schedulerName': 's',
      'spec.serviceAccountName': 'sa',
      'status.phase': 'Running',
      'status.podIP': '10.0.0.1',
      'status.nominatedNodeName': '',
    });
  });

  for (const [kindName, object, field, value] of [
    ['v1.Node', { spec: {} }, 'spec.unschedulable', 'false'],
    ['v1.Node', { spec: { unschedulable: true } }, 'spec.unschedulable', 'true'],
    ['v1.ReplicationController', { status: { replicas: 3 } }, 'status.replicas', '3'],
    ['v1.Secret', { type: 'Opaque' }, 'type', 'Opaque'],
    ['v1.Namespace', { status: { phase: 'Active' } }, 'status.phase', 'Active'],
    ['v1.Event', { source: { component: 'c' }, reportingComponent: 'r' }, 'source', 'c'],
    ['v1.Event', { source: {}, reportingComponent: 'r' }, 'source', 'r'],
    ['v1.Event', { source: {}, involvedObject: { uid: 'u' } }, 'involvedObject.uid', 'u'],
    ['batch/v1.Job', { status: { succeeded: 2 } }, 'status.successful', '2'],
    ['batch/v1.Job', { status: {} }, 'status.successful', '0'],
    [
      'certificates.orch.io/v1beta1.CertificateSigningRequest',
      { spec: { signerName: 's' } },
      'spec.signerName',
      's',
    ],
  ] as const) {
    it(`reads ${field} of ${kindName} ${JSON.stringify(object)}`, () => {
      expect(read(kindName, { metadata, ...object })[field]).to.equal(value);
    });
  }

  it('reads only metadata of other kinds, without a namespace where there is none', () => {
    expect(read('v1.ConfigMap', { metadata, data: {} })).to.deep.equal(meta);
    expect(read('x.example.com/v1.Widget', { metadata: { name: 'w' } })).to.deep.equal({
      'metadata.name': 'w',
    });
  });

  it('is found by key prefix', () => {
    const byPrefix = fieldValuesByPrefix(createResourceTable({ dialect: orchDialect }).resources, read);
    expect(byPrefix('minions', { metadata: { name: 'a' }, spec: {} })).to.deep.equal({
      'metadata.name': 'a',
      'spec.unschedulable': 'false',
    });
    expect(byPrefix('widgets', { metadata })).to.deep.equal(meta);
    expect(byPrefix('pods', undefined)).to.deep.equal({});
  });
});

describe('createFieldLayout', () => {
  for (const dialect of [orchDialect, createDialect('kubernetes')]) {
    const { resources } = createResourceTable({ dialect, runtimeConfig: { 'api/all': 'true' } });
    const layout = createFieldLayout(dialect, resources);
    const read = fieldValuesByPrefix(resources, createFieldValues(dialect));
    const prefixes = [...new Set(resources.flatMap(({ storePrefix }) => storePrefix ?? []))];

    it(`finds the texts that decoded objects have (${dialect.name})`, () => {
      for (const prefix of prefixes) {
        const fields = Object.keys(
          read(prefix, { metadata: { name: 'a' }, spec: {}, status: {}, source: {} }),
        );
        for (const field of fields) {
          const place = layout.locate(prefix, field);
          if (place === undefined) continue;
          const full = place.path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), 'text');
          const filled = { metadata: {}, spec: {}, status: {}, source: {}, ...(full as object) };
          expect(read(prefix, filled)[field], `${prefix} ${field}`).to.equal('text');
          const unset = read(prefix, { metadata: {}, spec: {}, status: {}, source: {} })[field];
          expect(unset, `${prefix} ${field} unset`).to.equal(place.zero);
        }
      }
    });
  }

  it('leaves fields that are made of others to decoding', () => {
    const { resources } = createResourceTable({ dialect: orchDialect });
    const layout = createFieldLayout(orchDialect, resources);
    for (const [prefix, field] of [
      ['pods', 'status.podIP'],
      ['pods', 'status.podIPs'],
      ['events', 'source'],
      ['jobs', 'status.successful'],
    ] as const) {
      expect(layout.locate(prefix, field), field).to.equal(undefined);
    }
    expect(layout.locate('minions', 'spec.unschedulable')).to.deep.equal({
      path: ['spec', 'unschedulable'],
      zero: 'false',
    });
  });

  it('indexes the fields that agents and describers ask for', () => {
    const layout = createFieldLayout(orchDialect, createResourceTable({ dialect: orchDialect }).resources);
    expect(layout.indexedFields('pods')).to.deep.equal(['spec.nodeName']);
    expect(layout.indexedFields('events')).to.deep.equal(['involvedObject.uid', 'involvedObject.name']);
    expect(layout.indexedFields('configmaps')).to.deep.equal([]);
  });
});
