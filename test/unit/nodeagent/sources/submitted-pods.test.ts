import { readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { afterEach, before, beforeEach, describe, it } from 'mocha';
import { systemClock } from '../../../../src/base/index.ts';
import {
  type ManifestDecoder,
  ManifestError,
  openSubmittedPods,
  type SubmittedPods,
} from '../../../../src/nodeagent/sources/index.ts';
import { createRecordingLogger, type RecordingLogger } from '../../../support/recording-logger.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../../support/temporary-directory.ts';
import { manifest, namesOf, nodeDecoder } from './manifests.ts';
import { RecordedPods } from './recorded-pods.ts';

const list = (...texts: string[]): Buffer =>
  Buffer.from(`apiVersion: v1\nkind: PodList\nitems:\n${texts.map((text) => `- ${text}\n`).join('')}`);
const item = (name: string, uid = ''): string =>
  `{metadata: {name: ${name}, uid: "${uid}"}, spec: {containers: [{name: c, image: i}]}}`;

describe('openSubmittedPods', () => {
  let decoder: ManifestDecoder;
  let directory: TemporaryDirectory;
  let pods: RecordedPods;
  let logger: RecordingLogger;
  before(async () => {
    decoder = await nodeDecoder();
  });
  beforeEach(async () => {
    directory = await makeTemporaryDirectory();
    pods = new RecordedPods();
    logger = createRecordingLogger();
  });
  afterEach(() => directory.remove());

  const path = (): string => join(directory.path, 'submitted');
  const open = (with_ = decoder): Promise<SubmittedPods> =>
    openSubmittedPods({
      directory: path(),
      decoder: with_,
      onPods: pods.onPods,
      clock: systemClock,
      logger,
    });
  const refusal = async (act: Promise<unknown>): Promise<string> => {
    const error = await act.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).to.be.instanceOf(ManifestError);
    return (error as ManifestError).message; // as the line above says
  };

  it('begins with nothing, in a directory that only its owner reads', async () => {
    expect((await open()).list()).to.deep.equal([]);
    expect(pods.sets).to.deep.equal([[]]);
    expect((await stat(path())).mode & 0o777).to.equal(0o700);
  });

  it('takes a pod and the pods of a list, and has them when it is opened again', async () => {
    const first = await open();
    const [a] = await first.submit(Buffer.from(manifest('a')));
    expect(a?.metadata.annotations).to.include({ 'orch.io/config.source': 'submitted' });
    expect(a?.spec.tolerations).to.deep.equal([{ operator: 'Exists', effect: 'NoExecute' }]);
    await first.submit(list(item('c'), item('b')));
    expect(namesOf(pods.last)).to.deep.equal(['a-node1', 'b-node1', 'c-node1']);
    const second = await open();
    expect(second.list()).to.deep.equal(first.list());
    expect(second.list().map(({ metadata }) => metadata.name)).to.deep.equal([
      'a-node1',
      'b-node1',
      'c-node1',
    ]);
    expect(pods.last).to.deep.equal(second.list());
  });

  it('replaces a pod of the same name; the same content is the same pod', async () => {
    const submitted = await open();
    const [first] = await submitted.submit(Buffer.from(manifest('a')));
    const [again] = await submitted.submit(Buffer.from(manifest('a', '# again')));
    expect(again).to.equal(first);
    const [other] = await submitted.submit(Buffer.from(manifest('a').replace('name: c', 'name: d')));
    expect(other?.metadata.uid).not.to.equal(first?.metadata.uid);
    expect(submitted.list()).to.deep.equal([other]);
    expect(await readdir(path())).to.have.length(1);
  });

  it('removes a pod for good', async () => {
    const submitted = await open();
    await submitted.submit(list(item('a'), item('b')));
    const removed = await submitted.remove('default', 'a-node1');
    expect(removed?.metadata.name).to.equal('a-node1');
    expect(await submitted.remove('default', 'a-node1')).to.equal(undefined);
    expect(namesOf(pods.last)).to.deep.equal(['b-node1']);
    expect(namesOf((await open()).list())).to.deep.equal(['b-node1']);
  });

  it('does one thing after another', async () => {
    const submitted = await open();
    const texts = Array.from({ length: 20 }, (_, at) => manifest('a').replace('name: c', `name: c${at}`));
    await Promise.all(texts.map((text) => submitted.submit(Buffer.from(text))));
    expect(submitted.list()[0]?.spec.containers?.[0]?.name).to.equal('c19');
    expect((await open()).list()).to.deep.equal(submitted.list());
  });

  const refused: readonly [about: string, body: Buffer, message: RegExp][] = [
    ['one invalid pod in a list', list(item('a'), item('Bad_One')), /^invalid pod: /],
    ['a list with one pod twice', list(item('a'), item('a')), /^a pod is in the list twice$/],
    [
      'a uid that another pod has',
      list(item('a', 'u1'), item('b', 'u1')),
      /^uid of pod default\/b-node1 is taken: "u1"$/,
    ],
    ['another kind', Buffer.from('apiVersion: v1\nkind: Node\n'), /^invalid pod: v1 Node$/],
    [
      'more pods than are kept',
      list(...Array.from({ length: 1001 }, (_, at) => item(`p${at}`))),
      /^more than 1000 submitted pods$/,
    ],
  ];
  for (const [about, body, message] of refused) {
    it(`refuses ${about}, and takes nothing of it`, async () => {
      const submitted = await open();
      expect(await refusal(submitted.submit(body))).to.match(message);
      expect(submitted.list()).to.deep.equal([]);
      expect(await readdir(path())).to.deep.equal([]);
    }).timeout(20_000);
  }

  it('reports what it cannot use of its directory, removes what was half written, and takes the rest', async () => {
    await (await open()).submit(Buffer.from(manifest('a')));
    await writeFile(join(path(), 'broken.json'), '{"kind":');
    await writeFile(join(path(), '.new-half.json'), '{');
    expect(namesOf((await open()).list())).to.deep.equal(['a-node1']);
    expect(logger.lines.map(({ fields }) => fields.file)).to.deep.equal(['broken.json']);
    expect((await readdir(path())).filter((name) => name.startsWith('.'))).to.deep.equal([]);
  });

  it('does not run pods that were submitted to a node of another name', async () => {
    await (await open()).submit(Buffer.from(manifest('a')));
    expect((await open(await nodeDecoder('node2'))).list()).to.deep.equal([]);
    expect(logger.lines).to.have.length(1);
  });
});
