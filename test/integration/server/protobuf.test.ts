import { once } from 'node:events';
import { type ClientHttp2Session, connect } from 'node:http2';
import { request as startRequest } from 'node:https';
import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import { WebSocket } from 'ws';
import type { ApiClient, JsonObject } from '../../support/api-client.ts';
import { configMap, deployment, inNamespace, pod, service } from '../../support/objects.ts';
import { libraryType } from '../../support/protobuf-library.ts';
import { startTestServer, type TestServer, tokens } from '../../support/test-server.ts';
import { readEnvelope, readEvent, readFrames, type WireFrame, wrap } from '../../support/wire-envelope.ts';
import { catalog } from '../../unit/machinery/codec/protobuf/random-object.ts';
import { actualTree, expectedTree } from '../../unit/machinery/codec/protobuf/wire-tree.ts';

const mediaType = 'application/vnd.orch.protobuf';
const accept = { accept: mediaType };
const maps = inNamespace('default', 'configmaps');
const pods = inNamespace('default', 'pods');
const deployments = '/apis/apps/v1/namespaces/default/deployments';
const meta = 'meta.orch.io';

interface Listed {
  readonly path: string;
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly verbs: readonly string[];
}

/** The type of a kind, for the reader that knows numbers and rules only. */
const typeOf = (apiVersion: string, kind: string): string => {
  const [version = '', group = ''] = apiVersion.split('/').reverse();
  const name = kind === 'PartialObjectMetadata' ? `${meta}/v1.${kind}` : undefined;
  return name ?? catalog.kind({ group, version, kind })?.name ?? `no type ${kind}`;
};

/** Checks that bytes say what an object of JSON does. */
const assertSame = (bytes: Buffer, object: JsonObject): void => {
  const { kind, apiVersion, raw, contentEncoding, contentType } = readEnvelope(bytes);
  expect({ kind, apiVersion, contentEncoding, contentType }).to.deep.equal({
    kind: object.kind,
    apiVersion: object.apiVersion,
    contentEncoding: '',
    contentType: '',
  });
  const type = typeOf(apiVersion || 'v1', kind);
  expect(actualTree(type, raw)).to.deep.equal(expectedTree(type, object));
};

describe('Protobuf over HTTP', () => {
  let server: TestServer;
  let admin: ApiClient;
  let session: ClientHttp2Session;
  before(async () => {
    server = await startTestServer({ flags: ['--runtime-config=api/all=true'] });
    admin = server.admin;
    const { url, authorityPem: ca } = server.server;
    session = connect(url, { ca });
    await admin.create(maps, configMap('a', { x: '1' }, { labels: { b: '2', a: '1' } }));
    await admin.create(pods, pod('p'));
    await admin.create(inNamespace('default', 'services'), service('s'));
    await admin.create(inNamespace('default', 'secrets'), {
      kind: 'Secret',
      apiVersion: 'v1',
      metadata: { name: 's' },
      data: { k: 'AAH/' },
    });
    await admin.create(inNamespace('default', 'serviceaccounts'), {
      kind: 'ServiceAccount',
      apiVersion: 'v1',
      metadata: { name: 'sa' },
    });
    await admin.create(deployments, deployment('d'));
    await admin.create('/apis/autoscaling/v2beta2/namespaces/default/horizontalpodautoscalers', {
      kind: 'HorizontalPodAutoscaler',
      apiVersion: 'autoscaling/v2beta2',
      metadata: { name: 'h' },
      spec: { scaleTargetRef: { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' }, maxReplicas: 3 },
    });
  });
  after(async () => {
    session.close();
    await server.stop();
  });

  /** Every listable resource of every version. */
  const listed = async (): Promise<Listed[]> => {
    const { groups } = (await admin.get('/apis')).body;
    const versions: string[] = groups.flatMap((group: JsonObject) =>
      group.versions.map(({ groupVersion }: JsonObject) => groupVersion),
    );
    const found: Listed[] = [];
    for (const groupVersion of ['v1', ...versions]) {
      const base = groupVersion === 'v1' ? '/api/v1' : `/apis/${groupVersion}`;
      const [version = '', group = ''] = groupVersion.split('/').reverse();
      for (const { name, kind, verbs } of (await admin.get(base)).body.resources) {
        if (verbs.includes('list')) found.push({ path: `${base}/${name}`, group, version, kind, verbs });
      }
    }
    return found;
  };
  const overHttp2 = async (path: string, type: string): Promise<Buffer> => {
    const stream = session.request({ ':path': path, accept: type, authorization: `Bearer ${tokens.admin}` });
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk as Buffer); // no encoding is set, so chunks are bytes
    return Buffer.concat(chunks);
  };
  const overHttp1 = async (path: string, type: string): Promise<Buffer> =>
    (await admin.get(path, { accept: type })).bytes;
  const protocols = { 'HTTP/1.1': overHttp1, 'HTTP/2': overHttp2 };
  /** Frames of a watch once there are so many. */
  const watchFrames = async (
    path: string,
    count: number,
    act: () => Promise<unknown>,
  ): Promise<WireFrame[]> => {
    const { url, authorityPem: ca } = server.server;
    const request = startRequest(`${url}${path}`, {
      ca,
      headers: { ...accept, authorization: `Bearer ${tokens.admin}` },
    });
    request.end();
    const [answer] = await once(request, 'response');
    expect(answer.headers['content-type']).to.equal(`${mediaType};stream=watch`);
    await act();
    let bytes = Buffer.alloc(0);
    for await (const chunk of answer) {
      bytes = Buffer.concat([bytes, chunk as Buffer]); // no encoding is set, so chunks are bytes
      if (readFrames(bytes).length >= count) break;
    }
    return readFrames(bytes);
  };

  for (const [protocol, fetch] of Object.entries(protocols)) {
    it(`lists every resource of every version over ${protocol}, as JSON does`, async () => {
      const resources = await listed();
      let compared = 0;
      for (const { path, group, version, kind } of resources) {
        const json = JSON.parse(String(await fetch(path, 'application/json')));
        const bytes = await fetch(path, mediaType);
        expect(json.kind, path).to.equal(`${kind}List`);
        // Something may have been written in between.
        const type = catalog.kind({ group, version, kind: json.kind })?.name ?? '';
        const listMeta = readEnvelope(bytes).raw;
        if (!listMeta.includes(String(json.metadata.resourceVersion ?? ''))) continue;
        expect(actualTree(type, readEnvelope(bytes).raw), path).to.deep.equal(expectedTree(type, json));
        compared++;
      }
      expect(compared).to.be.above(70);
    }).timeout(120_000);
  }

  it('watches every resource of every version, each event an object that JSON has too', async () => {
    const resources = (await listed()).filter(({ verbs }) => verbs.includes('watch'));
    let count = 0;
    await Promise.all(
      resources.map(async ({ path, kind, group, version }) => {
        const frames = readFrames(await overHttp2(`${path}?watch=1&timeoutSeconds=1`, mediaType));
        const { items } = (await admin.get(path)).body;
        const type = catalog.kind({ group, version, kind })?.name ?? '';
        for (const { type: event, object } of frames) {
          expect(object.kind).to.equal(kind);
          const trees = items.map((item: JsonObject) => expectedTree(type, item));
          if (event === 'ADDED') expect(trees, path).to.deep.include(actualTree(type, object.raw));
          count++;
        }
      }),
    );
    expect(count).to.be.above(20);
  }).timeout(120_000);

  it('sends changes, deletions and bookmarks of a watch, each in its own frame', async () => {
    const path = `${maps}?watch=1&allowWatchBookmarks=1&labelSelector=w`;
    const changes = await watchFrames(`${path}&resourceVersion=0`, 3, async () => {
      await admin.create(maps, configMap('w', {}, { labels: { w: '' } }));
      const body = { data: { k: 'v' } };
      await admin.expect('PATCH', `${maps}/w`, { body, contentType: 'application/merge-patch+json' });
      await admin.expect('DELETE', `${maps}/w`);
    });
    const frames = [...changes, ...readFrames(await overHttp2(`${path}&timeoutSeconds=3`, mediaType))];
    expect(frames.map(({ type, object }) => `${type} ${object.apiVersion} ${object.kind}`)).to.deep.equal([
      'ADDED v1 ConfigMap',
      'MODIFIED v1 ConfigMap',
      'DELETED v1 ConfigMap',
      'BOOKMARK v1 ConfigMap',
    ]);
    const last = libraryType('v1.ConfigMap').decode(frames[3]?.object.raw ?? Buffer.alloc(0));
    expect(last.toJSON().metadata.resourceVersion).to.match(/^\d+$/);
    expect(last.toJSON().metadata.name).to.equal('');
  });

  it('watches partial metadata, with bookmarks of that kind', async () => {
    const type = `${mediaType};as=PartialObjectMetadata;v=v1;g=${meta}`;
    const path = `${pods}?watch=1&allowWatchBookmarks=1&timeoutSeconds=3`;
    const frames = readFrames(await overHttp2(path, type));
    expect(
      frames.map(({ type: event, object }) => `${event} ${object.apiVersion} ${object.kind}`),
    ).to.deep.equal([`ADDED ${meta}/v1 PartialObjectMetadata`, `BOOKMARK ${meta}/v1 PartialObjectMetadata`]);
    const partial = libraryType(`${meta}/v1.PartialObjectMetadata`).decode(
      frames[0]?.object.raw ?? Buffer.alloc(0),
    );
    expect(partial.toJSON().metadata.name).to.equal('p');
  });

  it('gives partial metadata of objects and lists in both versions', async () => {
    for (const version of ['v1', 'v1beta1']) {
      const form = (as: string, type: string) => ({ accept: `${type};as=${as};v=${version};g=${meta}` });
      const read = async (path: string, as: string): Promise<void> => {
        const json = (await admin.get(path, form(as, 'application/json'))).body;
        const binary = await admin.get(path, form(as, mediaType));
        expect(binary.headers['content-type']).to.equal(mediaType);
        expect(json.apiVersion).to.equal(`${meta}/${version}`);
        assertSame(binary.bytes, json);
      };
      await read(`${maps}/a`, 'PartialObjectMetadata');
      await read(maps, 'PartialObjectMetadataList');
      const unfit: [path: string, as: string, end: string][] = [
        [`${maps}/a`, 'PartialObjectMetadataList', 'is not a list (*core.ConfigMap)'],
        [`${deployments}/d`, 'PartialObjectMetadataList', 'is not a list (*apps.Deployment)'],
        [deployments, 'PartialObjectMetadata', 'is a list (*apps.DeploymentList)'],
      ];
      for (const [path, as, end] of unfit) {
        const { code, body } = await admin.get(path, form(as, 'application/json'));
        expect(code).to.equal(406);
        expect(body.message).to.equal(`you requested ${as}, but the requested object ${end}`);
      }
    }
  });

  it('has no tables; the next form is taken, or the answer is 406', async () => {
    const table = (type: string) => `${type};as=Table;v=v1;g=${meta}`;
    expect((await admin.get(maps, { accept: table(mediaType) })).code).to.equal(406);
    const both = await admin.get(maps, { accept: `${table(mediaType)},${table('application/json')}` });
    expect(both.body.kind).to.equal('Table');
    const plain = await admin.get(maps, { accept: `${table(mediaType)},${mediaType}` });
    expect(readEnvelope(plain.bytes).kind).to.equal('ConfigMapList');
  });

  it('takes and gives objects in each combination of encodings', async () => {
    const library = libraryType('v1.ConfigMap');
    for (const [name, isGiven] of [
      ['both', true],
      ['in', false],
    ] as const) {
      const raw = library.encode({
        metadata: { name },
        data: { k: 'v' },
        binaryData: { b: Buffer.from([0, 255]) },
      });
      const body = wrap('v1', 'ConfigMap', raw.finish());
      const headers = isGiven ? accept : {};
      const created = await admin.send('POST', maps, { body, contentType: mediaType, headers });
      expect(created.code, created.text).to.equal(201);
      const json = (await admin.get(`${maps}/${name}`)).body;
      expect([json.data, json.binaryData]).to.deep.equal([{ k: 'v' }, { b: 'AP8=' }]);
      if (isGiven) assertSame(created.bytes, json);
      else expect(created.body).to.deep.equal(json);
    }
    const out = await admin.send('PUT', `${maps}/in`, { body: configMap('in', { k: '2' }), headers: accept });
    assertSame(out.bytes, (await admin.get(`${maps}/in`)).body);
    const patch = { metadata: { annotations: { k: '3' } } };
    const contentType = 'application/merge-patch+json';
    const patched = await admin.send('PATCH', `${maps}/in`, { body: patch, contentType, headers: accept });
    assertSame(patched.bytes, (await admin.get(`${maps}/in`)).body);
    const deleted = await admin.send('DELETE', `${maps}/in`, { headers: accept });
    expect(readEnvelope(deleted.bytes).kind).to.equal('Status');
  });

  it('reads a pod back that a general library wrote, and gives one that it reads', async () => {
    const library = libraryType('v1.Pod');
    const { bytes } = await admin.get(`${pods}/p`, accept);
    const seen = library.decode(readEnvelope(bytes).raw).toJSON();
    const json = (await admin.get(`${pods}/p`)).body;
    expect(seen.metadata.uid).to.equal(json.metadata.uid);
    expect(seen.metadata.creationTimestamp.seconds).to.equal(
      String(Date.parse(json.metadata.creationTimestamp) / 1000),
    );
    expect(seen.spec.containers[0].image).to.equal(json.spec.containers[0].image);
    expect(seen.spec.tolerations[0].tolerationSeconds).to.equal(
      String(json.spec.tolerations[0].tolerationSeconds),
    );
    expect(seen.status.phase).to.equal('Pending');
    const raw = library.encode({
      metadata: { name: 'written' },
      spec: {
        containers: [
          {
            name: 'c',
            image: 'example/image:2',
            ports: [{ containerPort: 80 }],
            resources: { limits: { cpu: { string: '100m' } } },
            livenessProbe: { handler: { httpGet: { path: '/', port: { type: 1, strVal: 'web' } } } },
          },
        ],
        volumes: [{ name: 'v', volumeSource: { emptyDir: { medium: 'Memory' } } }],
      },
    });
    const body = wrap('v1', 'Pod', raw.finish());
    const created = await admin.expect('POST', pods, { body, contentType: mediaType });
    const [container] = created.spec.containers;
    expect(container.resources).to.deep.equal({ limits: { cpu: '100m' }, requests: { cpu: '100m' } });
    expect(container.livenessProbe.httpGet).to.deep.equal({ path: '/', port: 'web', scheme: 'HTTP' });
    expect(created.spec.volumes).to.deep.equal([{ name: 'v', emptyDir: { medium: 'Memory' } }]);
  });

  it('takes options of deletions under each name that clients give them', async () => {
    const library = libraryType(`${meta}/v1.DeleteOptions`);
    for (const apiVersion of ['v1', 'apps/v1', `${meta}/v1`]) {
      const raw = library.encode({ preconditions: { uid: 'other' } }).finish();
      const body = wrap(apiVersion, 'DeleteOptions', raw);
      const { code } = await admin.send('DELETE', `${maps}/a`, { body, contentType: mediaType });
      expect(code, apiVersion).to.equal(409);
    }
    const dryRun = wrap('v1', 'DeleteOptions', library.encode({ dryRun: ['All'] }).finish());
    const request = { body: dryRun, contentType: mediaType, headers: accept };
    expect((await admin.send('DELETE', `${maps}/a`, request)).code).to.equal(200);
    expect((await admin.get(`${maps}/a`)).code).to.equal(200);
    for (const apiVersion of ['v1', 'apps/v1', `${meta}/v1`]) {
      const body = wrap(apiVersion, 'DeleteOptions', library.encode({ dryRun: ['All'] }).finish());
      const { code } = await admin.send('DELETE', maps, { body, contentType: mediaType });
      expect(code, apiVersion).to.equal(apiVersion.startsWith(meta) ? 500 : 200);
    }
    for (const path of [maps, `${maps}/a`]) {
      const unwrapped = await admin.send('DELETE', path, { body: 'abc', contentType: mediaType });
      expect([unwrapped.code, unwrapped.body.message]).to.deep.equal([
        500,
        'provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]',
      ]);
    }
    const wrong = wrap('v1', 'Pod', Buffer.alloc(0));
    expect((await admin.send('DELETE', `${maps}/a`, { body: wrong, contentType: mediaType })).code).to.equal(
      500,
    );
  });

  it('serves subresources and reviews', async () => {
    const scale = `${deployments}/d/scale`;
    assertSame((await admin.get(scale, accept)).bytes, (await admin.get(scale)).body);
    const review = libraryType('authorization.orch.io/v1.SelfSubjectAccessReview').encode({
      spec: { resourceAttributes: { verb: 'get', resource: 'pods' } },
    });
    const reviewed = await admin.send('POST', '/apis/authorization.orch.io/v1/selfsubjectaccessreviews', {
      body: wrap('authorization.orch.io/v1', 'SelfSubjectAccessReview', review.finish()),
      contentType: mediaType,
      headers: accept,
    });
    expect(reviewed.code).to.equal(201);
    expect(readEnvelope(reviewed.bytes).kind).to.equal('SelfSubjectAccessReview');
    const token = await admin.send('POST', inNamespace('default', 'serviceaccounts/sa/token'), {
      body: wrap('authentication.orch.io/v1', 'TokenRequest', Buffer.alloc(0)),
      contentType: mediaType,
      headers: accept,
    });
    const issued = libraryType('authentication.orch.io/v1.TokenRequest').decode(
      readEnvelope(token.bytes).raw,
    );
    expect(issued.toJSON().status.token).to.match(/^ey/);
    await admin.create(pods, pod('bound'));
    const binding = libraryType('v1.Binding').encode({
      metadata: { name: 'bound' },
      target: { kind: 'Node', name: 'n' },
    });
    const bound = await admin.send('POST', `${pods}/bound/binding`, {
      body: wrap('v1', 'Binding', binding.finish()),
      contentType: mediaType,
      headers: accept,
    });
    expect(bound.code).to.equal(201);
    expect(libraryType(`${meta}/v1.Status`).decode(readEnvelope(bound.bytes).raw).toJSON().status).to.equal(
      'Success',
    );
    const eviction = libraryType('policy/v1beta1.Eviction').encode({
      metadata: { name: 'p' },
      deleteOptions: { dryRun: ['All'] },
    });
    const evicted = await admin.send('POST', `${pods}/p/eviction`, {
      body: wrap('policy/v1beta1', 'Eviction', eviction.finish()),
      contentType: mediaType,
      headers: accept,
    });
    expect(evicted.code).to.equal(201);
    expect((await admin.get(`${pods}/p`)).code).to.equal(200);
  });

  it('tells of errors in the encoding that was asked for', async () => {
    const { code, bytes } = await admin.get(`${maps}/none`, accept);
    expect(code).to.equal(404);
    assertSame(bytes, (await admin.get(`${maps}/none`)).body);
    const { anonymous } = server;
    const refused = await anonymous.get('/api/v1/none/x/y/z', accept);
    expect(readEnvelope(refused.bytes).kind).to.equal('Status');
    const yaml = await admin.get(`${maps}/none`, { accept: 'application/yaml' });
    expect(yaml.text).to.match(/^apiVersion: v1\ncode: 404\n/);
    const other = await admin.get(`${maps}/none?x=1`, { accept: 'text/html' });
    expect(other.code).to.equal(406);
  });

  it('refuses what cannot be answered before anything is done', async () => {
    const body = configMap('never');
    expect((await admin.send('POST', maps, { body, headers: { accept: 'text/html' } })).code).to.equal(406);
    expect((await admin.get(`${maps}/never`)).code).to.equal(404);
  });

  it('refuses bodies that are broken in any way, with an answer that says so', async () => {
    const { bytes } = await admin.get(`${pods}/p`, accept);
    const codes = new Set<number>();
    const send = async (body: Buffer): Promise<void> => {
      const { code, text } = await admin.send('PUT', `${pods}/p?dryRun=All`, {
        body,
        contentType: mediaType,
      });
      // A version that is no number is an error of the server's in the reference too.
      const isKnown = [200, 400, 409, 422].includes(code) || text.includes('strconv.ParseUint');
      expect(isKnown, `${body.toString('hex')}: ${text}`).to.equal(true);
      codes.add(code);
    };
    const changes: Buffer[] = [];
    for (let at = 4; at < bytes.length; at += 7) {
      const changed = Buffer.from(bytes);
      changed[at] = ((changed[at] ?? 0) * 31 + at) & 255;
      changes.push(changed, bytes.subarray(0, at));
    }
    for (let at = 0; at < changes.length; at += 20) await Promise.all(changes.slice(at, at + 20).map(send));
    expect([...codes]).to.include.members([200, 400, 422]);
    expect((await admin.get(`${pods}/p`)).code).to.equal(200);
  });

  it('gives discovery documents', async () => {
    for (const path of ['/api', '/apis', '/apis/apps', '/apis/apps/v1', '/api/v1']) {
      // Those of the core group name no version.
      const { body } = await admin.get(path);
      assertSame((await admin.get(path, accept)).bytes, { apiVersion: '', ...body });
    }
  });

  it('sends binary messages over WebSockets, without lengths', async () => {
    const { url, authorityPem: ca } = server.server;
    const socket = new WebSocket(
      `${url.replace('https', 'wss')}${maps}?watch=1&fieldSelector=metadata.name%3Da`,
      {
        ca,
        headers: { ...accept, authorization: `Bearer ${tokens.admin}` },
      },
    );
    const [data, isBinary] = await once(socket, 'message');
    expect(isBinary).to.equal(true);
    const { type, object } = readEvent(data);
    expect([type, object.kind]).to.deep.equal(['ADDED', 'ConfigMap']);
    socket.close();
    await once(socket, 'close');
  });
});
