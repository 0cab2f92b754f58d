import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import type { ApiClient, JsonObject } from '../../support/api-client.ts';
import {
  conditionOf,
  definitionsPath,
  establish,
  openVersion,
  untilEstablished,
  widget,
  widgetDefinition,
} from '../../support/definitions.ts';
import { eventually } from '../../support/eventually.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';

describe('definitions of custom resources', () => {
  let server: TestServer;
  let admin: ApiClient;
  before(async () => {
    server = await startTestServer();
    admin = server.admin;
  });
  after(() => server.stop());

  it('are served soon after they were created: objects, discovery, registration', async () => {
    const group = 'soon.example.com';
    const definition = await establish(admin, widgetDefinition(group));
    expect(definition.status.acceptedNames).to.include({
      plural: 'widgets',
      kind: 'Widget',
      listKind: 'WidgetList',
    });
    expect(conditionOf(definition, 'NamesAccepted')).to.include({ status: 'True', reason: 'NoConflicts' });
    expect(conditionOf(definition, 'Established')).to.include({ reason: 'InitialNamesAccepted' });
    expect(definition.status.storedVersions).to.deep.equal(['v1']);

    const path = `/apis/${group}/v1/namespaces/default/widgets`;
    const created = await admin.send('POST', path, { body: widget(group, 'a', { spec: { big: 1 } }) });
    expect(created.code).to.equal(201);
    expect((await admin.get(`${path}/a`)).text).to.equal(created.text);

    const { body: list } = await admin.get(`/apis/${group}/v1`);
    expect(list.resources).to.deep.equal([
      {
        name: 'widgets',
        singularName: 'widget',
        namespaced: true,
        kind: 'Widget',
        verbs: ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'],
        shortNames: ['wd'],
        storageVersionHash: list.resources[0].storageVersionHash,
      },
    ]);
    const { body: groups } = await admin.get('/apis');
    expect(groups.groups.map((each: { name: string }) => each.name)).to.include(group);
    expect((await admin.get('/')).body.paths).to.include.members([`/apis/${group}`, `/apis/${group}/v1`]);
    const service = await eventually(async () => {
      const { code, body } = await admin.get(`/apis/apiregistration.orch.io/v1/apiservices/v1.${group}`);
      return code === 200 ? body : undefined;
    });
    expect(service.metadata.labels).to.deep.equal({ 'orch-aggregator.orch.io/automanaged': 'true' });
    expect(service.spec).to.include({
      group,
      version: 'v1',
      groupPriorityMinimum: 1000,
      versionPriority: 100,
    });
  });

  it('have their registrations back when somebody deletes or changes one, unless it is no longer theirs', async () => {
    const group = 'kept.example.com';
    const path = `/apis/apiregistration.orch.io/v1/apiservices/v1.${group}`;
    const contentType = 'application/merge-patch+json';
    const spec = { group, version: 'v1', groupPriorityMinimum: 1000, versionPriority: 100 };
    const until = (isSo: (service: JsonObject) => boolean): Promise<JsonObject> =>
      eventually(async () => {
        const { code, body } = await admin.get(path);
        return code === 200 && isSo(body) ? body : undefined;
      });
    await establish(admin, widgetDefinition(group));
    const first = await until(() => true);
    await admin.expect('DELETE', path);
    const second = await until(({ metadata }) => metadata.uid !== first.metadata.uid);
    expect(second.spec).to.deep.equal(spec);

    const service = { namespace: 'default', name: 'other' };
    const change = { groupPriorityMinimum: 5, service, insecureSkipTLSVerify: true };
    await admin.expect('PATCH', path, { contentType, body: { spec: change } });
    const third = await until(({ spec: { groupPriorityMinimum } }) => groupPriorityMinimum === 1000);
    expect(third.spec).to.deep.equal(spec);
    expect(third.metadata.uid).to.equal(second.metadata.uid);

    const label = 'orch-aggregator.orch.io/automanaged';
    const metadata = { labels: { [label]: null } };
    await admin.expect('PATCH', path, {
      contentType,
      body: { metadata, spec: { groupPriorityMinimum: 6 } },
    });
    await admin.create('/apis/apiregistration.orch.io/v1/apiservices', {
      metadata: { name: 'v1.stray.example.com', labels: { [label]: 'true' } },
      spec: { ...spec, group: 'stray.example.com' },
    });
    await eventually(async () => {
      const { code } = await admin.get('/apis/apiregistration.orch.io/v1/apiservices/v1.stray.example.com');
      return code === 404 ? true : undefined;
    });
    expect((await admin.get(path)).body.spec.groupPriorityMinimum).to.equal(6);
    await admin.expect('DELETE', path);
    const last = await until(() => true);
    expect(last.metadata.labels).to.deep.equal({ [label]: 'true' });
    expect(last.spec).to.deep.equal(spec);
  });

  it('leave group versions alone that the server serves itself, and are served in others of the group', async () => {
    const group = 'networking.orch.io';
    const versions = [openVersion('v1'), openVersion('v9', { storage: false })];
    const definition = widgetDefinition(group, { versions });
    const annotations = { 'api-approved.orch.io': 'unapproved, a test' };
    await admin.create(definitionsPath, { ...definition, metadata: { ...definition.metadata, annotations } });
    const pathOf = (version: string) => `/apis/${group}/${version}/namespaces/default/widgets`;
    await eventually(async () => ((await admin.get(pathOf('v9'))).code === 200 ? true : undefined));
    expect((await admin.get(pathOf('v1'))).code).to.equal(404);
    const { body } = await admin.get(`/apis/${group}/v1`);
    const names = body.resources.map(({ name }: { name: string }) => name);
    expect(names).to.include('networkpolicies').and.not.include('widgets');
    const { body: service } = await admin.get(`/apis/apiregistration.orch.io/v1/apiservices/v1.${group}`);
    expect(service.spec.groupPriorityMinimum).to.equal(17_200);
    await admin.expect('DELETE', `${definitionsPath}/widgets.${group}`);
  });

  it('list the versions of a group by their stability', async () => {
    const group = 'order.example.com';
    const names = ['v1alpha1', 'v2', 'v10', 'foo', 'v1beta2', 'v1'];
    const versions = names.map((name) => openVersion(name, { storage: name === 'v1' }));
    await establish(admin, widgetDefinition(group, { versions }));
    const { body } = await admin.get(`/apis/${group}`);
    expect(body.versions.map(({ version }: { version: string }) => version)).to.deep.equal([
      'v10',
      'v2',
      'v1',
      'v1beta2',
      'v1alpha1',
      'foo',
    ]);
    expect(body.preferredVersion.version).to.equal('v10');
  });

  it('do not share kinds and short names within a group, and get them when they are free', async () => {
    const group = 'names.example.com';
    await establish(admin, widgetDefinition(group));
    const other = widgetDefinition(group, {
      names: {
        plural: 'gadgets',
        singular: 'gadget',
        kind: 'Widget',
        listKind: 'GadgetList',
        shortNames: ['wd'],
      },
    });
    other.metadata.name = `gadgets.${group}`;
    await admin.create(definitionsPath, other);
    const refused = await eventually(async () => {
      const { body } = await admin.get(`${definitionsPath}/gadgets.${group}`);
      return conditionOf(body, 'NamesAccepted') === undefined ? undefined : body;
    });
    expect(conditionOf(refused, 'NamesAccepted')).to.include({
      status: 'False',
      reason: 'KindConflict',
      message: '"Widget" is already in use',
    });
    expect(conditionOf(refused, 'Established')).to.include({ status: 'False', reason: 'NotAccepted' });
    expect((await admin.get(`/apis/${group}/v1/gadgets`)).code).to.equal(404);

    await admin.send('DELETE', `${definitionsPath}/widgets.${group}`);
    const accepted = await untilEstablished(admin, `gadgets.${group}`);
    expect(accepted.status.acceptedNames).to.include({ kind: 'Widget' });
    expect((await admin.get(`/apis/${group}/v1/gadgets`)).code).to.equal(200);
  });

  it('tell watches that their names are accepted before they are established', async () => {
    const definition = widgetDefinition('told.example.com');
    const watch = await admin.watch(definitionsPath, {
      fieldSelector: `metadata.name=${definition.metadata.name}`,
    });
    await establish(admin, definition);
    const told = (await watch.take(3)).map(({ object }) =>
      (object.status.conditions ?? []).map(
        (each: { status: string; reason: string }) => `${each.status} ${each.reason}`,
      ),
    );
    watch.close();
    expect(told).to.deep.equal([
      [],
      ['True NoConflicts', 'False Installing'],
      ['True NoConflicts', 'True InitialNamesAccepted'],
    ]);
  });

  it('take all objects with them, end their watches, and start from nothing when they are created anew', async () => {
    const group = 'gone.example.com';
    await establish(admin, widgetDefinition(group));
    const path = `/apis/${group}/v1/namespaces/default/widgets`;
    await admin.create(path, widget(group, 'a'));
    await admin.create(
      path,
      widget(group, 'held', { metadata: { name: 'held', finalizers: ['example.com/f'] } }),
    );
    const watch = await admin.watch(`/apis/${group}/v1/widgets`);
    const { code, body } = await admin.send('DELETE', `${definitionsPath}/widgets.${group}`);
    expect(code).to.equal(200);
    expect(body.metadata.finalizers).to.deep.equal(['customresourcecleanup.apiextensions.orch.io']);
    expect(conditionOf(body, 'Terminating')).to.include({
      status: 'True',
      reason: 'InstanceDeletionPending',
    });

    const held = await eventually(async () => {
      const answer = await admin.get(`${path}/held`);
      return answer.body.metadata?.deletionTimestamp === undefined ? undefined : answer.body;
    });
    expect(held.metadata.finalizers).to.deep.equal(['example.com/f']);
    const refused = await admin.send('POST', path, { body: widget(group, 'late') });
    expect(refused.code).to.equal(405);
    expect(refused.body.message).to.equal(
      'create not allowed while custom resource definition is terminating',
    );

    const contentType = 'application/merge-patch+json';
    await admin.send('PATCH', `${path}/held`, { body: { metadata: { finalizers: null } }, contentType });
    await eventually(async () => ((await admin.get(path)).code === 404 ? true : undefined));
    expect(await watch.ended).to.equal('end');
    expect(watch.events.filter(({ type }) => type === 'DELETED').length).to.equal(2);
    expect((await admin.get(`/apis/${group}`)).code).to.equal(404);

    await establish(admin, widgetDefinition(group));
    expect((await admin.get(path)).body.items).to.deep.equal([]);
  });

  it('take finalizers with their status, and no other metadata', async () => {
    const group = 'metadata.example.com';
    const { metadata } = await establish(admin, widgetDefinition(group));
    const path = `${definitionsPath}/widgets.${group}/status`;
    const contentType = 'application/merge-patch+json';
    const finalizers = ['example.com/one'];
    const sent = { labels: { a: 'b' }, annotations: { a: 'b' }, finalizers };
    const { body } = await admin.send('PATCH', path, { body: { metadata: sent }, contentType });
    expect(body.metadata).to.include.keys('finalizers').and.not.include.keys('labels', 'annotations');
    expect(body.metadata.finalizers).to.deep.equal(finalizers);
    expect(body.metadata.generation).to.equal(metadata.generation);
    const gone = await admin.send('PATCH', path, { body: { metadata: { finalizers: [] } }, contentType });
    expect(gone.body.metadata).to.not.include.keys('finalizers');
  });

  it('of a place where a built-in kind is stored go without taking its objects or its watches with them', async () => {
    const services = '/apis/apiregistration.orch.io/v1/apiservices';
    for (const [plural, group, version, kind] of [
      ['apiservices', 'apiregistration.orch.io', 'v2', 'CustomService'],
      ['customresourcedefinitions', 'apiextensions.orch.io', 'v2', 'CustomDefinition'],
    ] as const) {
      const definition = widgetDefinition(group, {
        scope: 'Cluster',
        names: { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List` },
        versions: [openVersion(version)],
      });
      const annotations = { 'api-approved.orch.io': 'unapproved, for a test' };
      definition.metadata = { name: `${plural}.${group}`, annotations, finalizers: ['example.com/held'] };
      const path = `${definitionsPath}/${plural}.${group}`;
      const watch = await admin.watch(services);
      await establish(admin, definition);
      const { body: before } = await admin.get(services);
      const { body: definitions } = await admin.get(definitionsPath);
      expect((await admin.get(`/apis/${group}/${version}/${plural}`)).code).to.equal(200);

      expect((await admin.send('DELETE', path)).code).to.equal(200);
      const left = await eventually(async () => {
        const { body } = await admin.get(path);
        return body.metadata.finalizers.length === 1 ? body : undefined;
      });
      expect(conditionOf(left, 'Terminating')).to.include({
        status: 'False',
        reason: 'OverlappingBuiltInResource',
        message: 'instances overlap with built-in resources in storage',
      });
      const contentType = 'application/merge-patch+json';
      await admin.send('PATCH', path, { body: { metadata: { finalizers: null } }, contentType });
      await eventually(async () => ((await admin.get(path)).code === 404 ? true : undefined));
      const names = ({ items }: JsonObject) => items.map(({ metadata }: JsonObject) => metadata.name);
      const own = [`${plural}.${group}`, `${version}.${group}`];
      const without = (all: string[]) => all.filter((name) => !own.includes(name));
      expect(without(names((await admin.get(services)).body))).to.deep.equal(without(names(before)));
      expect(names((await admin.get(definitionsPath)).body)).to.deep.equal(without(names(definitions)));
      const last = `v1.after-${plural}.example.com`;
      await admin.create(services, {
        metadata: { name: last },
        spec: { group: last.slice(3), version: 'v1', groupPriorityMinimum: 100, versionPriority: 100 },
      });
      await eventually(async () => watch.events.find(({ object }) => object.metadata.name === last));
      watch.close();
    }
  });
});
